// Readings of single values, shared by parameters (texts) and bodies (JSON).
import { DomainError, type ErrorDetail } from "#src/base/errors.ts";
import { isStorable, mustBeStorable } from "#src/base/text/forms.ts";

/** What a value was read as, or why it cannot be. */
export type Reading = { readonly value: unknown } | { readonly refusal: string };

/** Text, for any type without a reader of its own. */
export function readText(text: string): Reading {
  return isStorable(text) ? { value: text } : { refusal: mustBeStorable };
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

/** What is wrong with a path, a query or a parameter whose percent escapes cannot be decoded. */
export const mustBeDecodable = "must be percent-encoded UTF-8; write a percent sign itself as %25.";

/** The most details in one answer: enough for a person, and answers stay small whatever was sent. */
const detailLimit = 100;

/** The error for pieces of input that were refused, of which there is at least one. */
export function refusalOf(details: readonly ErrorDetail[]): DomainError {
  const [first] = details;
  const isOne = details.length === 1 && first;
  const message = isOne
    ? `${first.path}: ${first.message}`
    : "Several parts of the request are not valid; see details.";
  return new DomainError("INVALID_INPUT", message, details.slice(0, detailLimit));
}
