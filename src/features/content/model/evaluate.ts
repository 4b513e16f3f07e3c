// Evaluating a text: the values of variables and the texts of reusable contents in the place of expressions.
import { DomainError } from "#src/base/errors.ts";
import { type Expression, expressionsIn, replaceExpressions } from "#src/features/content/model/expressions.ts";

/** The most characters of an evaluated text: a short one could include long ones many times. */
const evaluatedLimit = 2_000_000;

/** The ids of the reusable contents that a text includes; null for a text without expressions. */
export function includedIn(text: string): ReadonlySet<string> | null {
  let ids: Set<string> | null = null;
  for (const { expression } of expressionsIn(text)) {
    ids ??= new Set();
    if ("reusable" in expression) ids.add(expression.reusable);
  }
  return ids;
}

/**
 * The text with the given values of variables and texts of reusable contents. These, too, have the values of variables,
 * but include nothing themselves. What is not known stays as it is. Throws INVALID_INPUT beyond {@link evaluatedLimit}.
 */
export function evaluate(
  text: string,
  values: ReadonlyMap<string, string>,
  reusable: ReadonlyMap<string, string>,
): string {
  const valueOf = (expression: Expression) => ("name" in expression ? (values.get(expression.name) ?? null) : null);
  const included = new Map(
    Array.from(reusable, ([id, own]) => [id, replaceExpressions(own, valueOf, checkLength).trimEnd()]),
  );
  return replaceExpressions(
    text,
    (expression) => ("reusable" in expression ? (included.get(expression.reusable) ?? null) : valueOf(expression)),
    checkLength,
  );
}

function checkLength(length: number): void {
  if (length > evaluatedLimit)
    throw new DomainError("INVALID_INPUT", `The evaluated text of a page has at most ${evaluatedLimit} characters.`);
}
