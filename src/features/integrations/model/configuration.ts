// Configurations: the values that an installation of an integration has for the properties that the integration
// declares.
import type { ErrorDetail } from "#src/base/errors.ts";
import { isRecord, pointerStep, refusedForm } from "#src/base/json.ts";
import { isStorable, mustBeStorable } from "#src/base/text/forms.ts";

type Value = string | number | boolean;

/** What an integration asks for: its properties by their names, and the names of those that must be set. */
export interface Settings {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

interface Property {
  readonly type: "string" | "number" | "boolean";
  /** The value where none is given. */
  readonly default?: Value;
  readonly enum?: readonly (string | number)[];
}

export type Configuration = Readonly<Record<string, Value>>;

/** The most characters of a text. */
const longestText = 10_000;

const articles = { string: "a text", number: "a number", boolean: "true or false" } as const;

/**
 * A configuration as it is stored, where properties that are not given have their defaults. `at` is its place in the
 * input. Throws INVALID_INPUT with a detail for each property that the integration does not declare, and for each value
 * of another type or that is not among those of its property. The values are in no message: they may be credentials.
 */
export function checkConfiguration(at: string, given: unknown, { properties = {} }: Settings): Configuration {
  if (!isRecord(given)) throw refusedForm(at, refusal, [{ path: "", message: "must be an object." }]);
  const faults = Object.entries(given).flatMap(([name, value]): ErrorDetail[] => {
    const message = faultOf(Object.hasOwn(properties, name) ? properties[name] : undefined, value);
    return message === null ? [] : [{ path: `/${pointerStep(name)}`, message }];
  });
  if (faults.length > 0) throw refusedForm(at, refusal, faults);
  const values = Object.entries(properties).flatMap(([name, { default: preset }]) => {
    const value = Object.hasOwn(given, name) ? given[name] : preset;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values) as Configuration; // by the check, and by that of the declaration
}

const refusal = "This is no configuration for the integration";

function faultOf(property: Property | undefined, value: unknown): string | null {
  if (!property) return "is no property that the integration declares.";
  const { type, enum: among } = property;
  if (typeof value !== type || (type === "number" && !Number.isFinite(value))) return `must be ${articles[type]}.`;
  if (typeof value === "string" && !isStorable(value)) return mustBeStorable;
  if (typeof value === "string" && value.length > longestText) return `must have at most ${longestText} characters.`;
  if (!among || among.includes(value as string | number)) return null;
  return `must be one of ${among.map((one) => JSON.stringify(one)).join(", ")}.`;
}

/** Whether a configuration has all that is required. */
export function isComplete(configuration: Configuration, { required = [] }: Settings): boolean {
  return required.every((name) => Object.hasOwn(configuration, name));
}
