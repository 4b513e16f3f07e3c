// The limit of variables: each item of a list is looked at by itself, more than once, before anything can refuse the
// list.
import { DomainError } from "#src/base/errors.ts";
import { inFigures } from "#src/base/limits.ts";

/** How many items all lists of the variables of an operation may have together, also lists inside JSON. */
const mostItems = 100_000;

/** Throws INVALID_INPUT for variables with more items. Takes time by their length only, however deep they are. */
export function requireFewItems(variables: Variables): void {
  const refusal = refusalOf(variables);
  if (refusal) throw refusal;
}

/** The same error as a value; null where there is none. */
export function refusalOf(variables: Variables): DomainError | null {
  const items = countItems(variables);
  if (items <= mostItems) return null;
  return new DomainError(
    "INVALID_INPUT",
    `The lists in the variables of an operation may have at most ${inFigures(mostItems)} items together: these have ${inFigures(items)}.`,
  );
}

type Variables = Readonly<Record<string, unknown>>;

function countItems(variables: Variables): number {
  let items = 0;
  const open: unknown[] = [variables];
  while (open.length > 0) {
    const value = open.pop();
    const inside: unknown[] = Array.isArray(value) ? value : Object.values(value as object);
    if (Array.isArray(value)) items += value.length;
    for (const item of inside) if (isNested(item)) open.push(item);
  }
  return items;
}

/** Whether a value comes from JSON and holds others: a file that was sent with it does not. */
function isNested(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
