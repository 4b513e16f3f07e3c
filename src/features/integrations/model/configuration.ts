// Configurations: the values of an installation for the properties that the integration declares.
import type { ErrorDetail } from "#src/base/errors.ts";
import { isRecord, pointerStep, refusedForm } from "#src/base/json.ts";
import { isStorable, mustBeStorable } from "#src/base/text/forms.ts";
import type { Property, Settings } from "#src/features/integrations/model/manifest/configurations.ts";

type Value = string | number | boolean;

export type Configuration = Readonly<Record<string, Value>>;

const longestText = 10_000;

const articles = { string: "a text", number: "a number", boolean: "true or false" } as const;

/**
 * A configuration as it is stored, with the defaults of missing properties. `at` is its place in the input.
 * INVALID_INPUT with a detail for each undeclared property and each invalid value; messages never have values, which
 * may be credentials.
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

const refusal = "The configuration does not fit the integration";

function faultOf(property: Property | undefined, value: unknown): string | null {
  if (!property) return "is not a property that the integration declares.";
  const { type, enum: among } = property;
  if (typeof value !== type || (type === "number" && !Number.isFinite(value))) return `must be ${articles[type]}.`;
  if (typeof value === "string" && !isStorable(value)) return mustBeStorable;
  if (typeof value === "string" && value.length > longestText) return `must have at most ${longestText} characters.`;
  if (!among || among.includes(value as string | number)) return null;
  return `must be one of ${among.map((one) => JSON.stringify(one)).join(", ")}.`;
}

/** Whether a configuration has all required properties. */
export function isComplete(configuration: Configuration, { required = [] }: Settings): boolean {
  return required.every((name) => Object.hasOwn(configuration, name));
}
