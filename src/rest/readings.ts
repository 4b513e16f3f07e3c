// Readings of single values, shared by parameters (texts) and bodies (JSON).
import { DomainError, type ErrorDetail } from "#src/base/errors.ts";

/** What a value was read as, or why it cannot be. */
export type Reading = { readonly value: unknown } | { readonly refusal: string };

/** Text of any type without a reader of its own. PostgreSQL can hold neither NUL nor a lone surrogate. */
export function readText(text: string): Reading {
  return isStorable(text) ? { value: text } : { refusal: "must be well-formed text without NUL." };
}

/** Whether PostgreSQL can hold a text. */
export function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Reads the REST values of an enumeration; `values` leads from its GraphQL names to them. */
export function enumReader(values: ReadonlyMap<string, string>): (value: unknown) => Reading {
  const names = new Map<unknown, string>([...values].map(([name, value]) => [value, name]));
  const refusal = `must be one of ${[...names.keys()].join(", ")}.`;
  return (value) => {
    const name = names.get(value);
    return name === undefined ? { refusal } : { value: name };
  };
}

/** Details told at once: enough for a person, and an answer that stays small whatever was sent. */
const detailLimit = 100;

/** The error for pieces of input that were refused; at least one. */
export function refusalOf(details: readonly ErrorDetail[]): DomainError {
  const [first] = details;
  const isOne = details.length === 1 && first;
  const message = isOne
    ? `${first.path}: ${first.message}`
    : "Several parts of the request are not valid; see details.";
  return new DomainError("INVALID_INPUT", message, details.slice(0, detailLimit));
}
