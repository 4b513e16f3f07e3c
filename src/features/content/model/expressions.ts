// Expressions in texts: finds them, and replaces them with values of variables and texts of reusable contents.
import { DomainError } from "#src/base/errors.ts";
import { proseIn } from "#src/documents/prose.ts";

type Expression = { readonly name: string } | { readonly reusable: string };

const tokens = /\\[^\n]|`+|\{\{[ \t]*(?:reusable:(?<reusable>\w+)|(?<name>[\p{L}_][\p{L}\p{N}_-]*))[ \t]*\}\}/gu;

interface Found {
  readonly expression: Expression;
  readonly start: number;
  readonly end: number;
}

/** All expressions of a text, in order. Takes linear time. */
export function* expressionsIn(markdown: string): Generator<Found> {
  if (!markdown.includes("{{")) return;
  for (const { start, end } of proseIn(markdown)) {
    const prose = markdown.slice(start, end);
    if (!prose.includes("{{")) continue;
    const runs = new BacktickRuns(prose);
    for (tokens.lastIndex = 0; ;) {
      const found = tokens.exec(prose);
      if (!found) break;
      const [token] = found;
      if (token.startsWith("`")) tokens.lastIndex = runs.endOfSpan(found.index, token.length);
      const { reusable, name } = found.groups ?? {};
      const expression = name !== undefined ? { name } : reusable !== undefined ? { reusable } : null;
      if (expression) yield { expression, start: start + found.index, end: start + found.index + token.length };
    }
  }
}

/** Runs of backticks in a block, by length: two runs of the same length delimit a code span. */
export class BacktickRuns {
  readonly #starts = new Map<number, number[]>();

  constructor(prose: string) {
    for (const { 0: run, index } of prose.matchAll(/`+/g)) {
      const starts = this.#starts.get(run.length);
      if (starts) starts.push(index);
      else this.#starts.set(run.length, [index]);
    }
    for (const starts of this.#starts.values()) starts.reverse();
  }

  /** The end of the code span that starts here, or of the backticks if none does. Call it in ascending order. */
  endOfSpan(start: number, length: number): number {
    const starts = this.#starts.get(length) ?? [];
    while ((starts.at(-1) ?? Infinity) <= start) starts.pop();
    return (starts.at(-1) ?? start) + length;
  }
}

function replaceExpressions(
  markdown: string,
  valueOf: (expression: Expression) => string | null,
  checkLength: (length: number) => void,
): string {
  const parts: string[] = [];
  let done = 0;
  let length = markdown.length;
  for (const { expression, start, end } of expressionsIn(markdown)) {
    const value = valueOf(expression);
    if (value === null) continue;
    const inserted = value.includes("\n") ? continued(value, markdown.slice(Math.max(0, start - 100), start)) : value;
    length += inserted.length - (end - start);
    checkLength(length);
    parts.push(markdown.slice(done, start), inserted);
    done = end;
  }
  return parts.length === 0 ? markdown : parts.join("") + markdown.slice(done);
}

/** The prefix of a line: markers of quotes and list items, and whitespace. */
const marks = /(?:^|\n)((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])+)$/;

/** A multi-line value, each line in the quotes and list items of the first; `before` is the preceding text. */
function continued(value: string, before: string): string {
  const [, found] = marks.exec(before) ?? [];
  if (found === undefined) return value;
  const prefix = found.replaceAll(/[^ \t>]/g, " ");
  return value
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : prefix + line))
    .join("\n");
}

/** Maximum length of an evaluated text, in characters: a short text could include long ones many times. */
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

/** Reusable contents may contain variables, but no other contents. INVALID_INPUT above {@link evaluatedLimit}. */
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
    throw new DomainError(
      "INVALID_INPUT",
      `The evaluated text of a page may have at most ${evaluatedLimit} characters.`,
    );
}
