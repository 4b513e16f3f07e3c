// The settings that an integration declares for organizations, spaces and sites, and their values in installations.
import type { ErrorDetail } from "#src/base/errors.ts";
import { formCheck, pointerStep, refusedForm, isRecord } from "#src/base/json.ts";
import { isStorable, mustBeStorable } from "#src/base/text/forms.ts";

const text = { type: "string" } as const;

const propertyForm = {
  type: "object",
  required: ["type"],
  properties: {
    title: text,
    description: text,
    type: { type: "string", enum: ["string", "number", "boolean"] },
    default: { type: ["string", "number", "boolean"] },
    completion_url: text,
    enum: { type: "array", items: { type: ["string", "number"] } },
  },
  additionalProperties: false,
} as const;

const settingsForm = {
  type: "object",
  properties: {
    properties: { type: "object", additionalProperties: propertyForm },
    required: { type: "array", items: text },
  },
  additionalProperties: false,
} as const;

/** The form of the configurations of an integration, as JSON Schema. */
export const configurationsForm = {
  type: "object",
  properties: { account: settingsForm, space: settingsForm, site: settingsForm },
  additionalProperties: false,
} as const;

interface Property {
  readonly title?: string;
  readonly description?: string;
  readonly type: "string" | "number" | "boolean";
  readonly default?: string | number | boolean;
  readonly completion_url?: string;
  readonly enum?: readonly (string | number)[];
}

/** Declared properties by their names, and the names of the required ones. */
export interface Settings {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

export type Configurations = Readonly<Partial<Record<"account" | "space" | "site", Settings>>>;

const faultsOfForm = formCheck(configurationsForm);
const notSome = "The configurations are invalid";

/** The limits of properties per level, values per enum, and characters per text. */
const limits = { properties: 100, choices: 100, text: 1024 } as const;

/** INVALID_INPUT with a JSON pointer below `configurations` for each fault. */
export async function checkConfigurations(given: unknown): Promise<Configurations> {
  const faults = await faultsOfForm(given);
  if (faults.length > 0) throw refusedForm("configurations", notSome, faults);
  const configurations = given as Configurations; // by its form
  const refused = Object.entries(configurations).flatMap(([name, settings]) => faultsOf(`/${name}`, settings));
  if (refused.length > 0) throw refusedForm("configurations", notSome, refused);
  return configurations;
}

function faultsOf(at: string, { properties = {}, required = [] }: Settings): ErrorDetail[] {
  const entries = Object.entries(properties);
  const isTooMuch = entries.length > limits.properties;
  return [
    ...(isTooMuch ? [{ path: `${at}/properties`, message: `must have at most ${limits.properties} properties.` }] : []),
    ...entries.flatMap(([name, property]) => faultsOfProperty(`${at}/properties/${pointerStep(name)}`, name, property)),
    ...required.flatMap((name, index) =>
      Object.hasOwn(properties, name)
        ? []
        : [{ path: `${at}/required/${index}`, message: "must be the name of a property." }],
    ),
  ];
}

function faultsOfProperty(at: string, name: string, property: Property): ErrorDetail[] {
  const { type, default: preset, enum: choices } = property;
  const faults: ErrorDetail[] = [];
  // Some JSON serializers lose this name.
  if (name === "__proto__" || name === "") faults.push({ path: at, message: "is not a valid name of a property." });
  faults.push(...faultsOfText(at, name));
  for (const [key, text] of Object.entries(property)) faults.push(...faultsOfText(`${at}/${key}`, text));
  if (choices && choices.length > limits.choices)
    faults.push({ path: `${at}/enum`, message: `must have at most ${limits.choices} entries.` });
  for (const [index, choice] of (choices ?? []).entries())
    if (typeof choice === type) faults.push(...faultsOfText(`${at}/enum/${index}`, choice));
    else faults.push({ path: `${at}/enum/${index}`, message: `must be a ${type}.` });
  if (preset === undefined) return faults;
  if (typeof preset !== type) faults.push({ path: `${at}/default`, message: `must be a ${type}.` });
  else if (choices && !choices.some((choice) => choice === preset))
    faults.push({ path: `${at}/default`, message: "must be one of the values of `enum`." });
  return faults;
}

function faultsOfText(path: string, text: unknown): ErrorDetail[] {
  if (typeof text !== "string") return [];
  if (!isStorable(text)) return [{ path, message: mustBeStorable }];
  return text.length > limits.text ? [{ path, message: `must have at most ${limits.text} characters.` }] : [];
}

type Value = string | number | boolean;
export type Configuration = Readonly<Record<string, Value>>;

const longestText = 10_000;

const articles = { string: "a text", number: "a number", boolean: "true or false" } as const;

/**
 * A configuration as it is stored, with defaults. `at` is its path in the input. INVALID_INPUT with a detail for each
 * fault; messages never contain values, which may be credentials.
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
  return Object.fromEntries(values) as Configuration; // by the checks of values and declarations
}

const refusal = "The configuration is not valid for the integration";

function faultOf(property: Property | undefined, value: unknown): string | null {
  if (!property) return "is not declared by the integration.";
  const { type, enum: among } = property;
  if (typeof value !== type || (type === "number" && !Number.isFinite(value))) return `must be ${articles[type]}.`;
  if (typeof value === "string" && !isStorable(value)) return mustBeStorable;
  if (typeof value === "string" && value.length > longestText) return `must have at most ${longestText} characters.`;
  if (!among || among.includes(value as string | number)) return null;
  return `must be one of ${among.map((one) => JSON.stringify(one)).join(", ")}.`;
}

export function isComplete(configuration: Configuration, { required = [] }: Settings): boolean {
  return required.every((name) => Object.hasOwn(configuration, name));
}
