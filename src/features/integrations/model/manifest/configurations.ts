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

const levelsOf = <Form>(form: Form) => ({
  type: "object",
  properties: { account: form, space: form, site: form },
  additionalProperties: false,
});

/** The form of the configurations of an integration in the contract, as JSON Schema. */
export const configurationsForm = levelsOf(settingsForm);

/** What is taken beside it: buttons, and components that draw the settings. */
const takenProperty = {
  ...propertyForm,
  properties: {
    ...propertyForm.properties,
    type: { type: "string", enum: ["string", "number", "boolean", "button"] },
    button_text: text,
    callback_url: text,
  },
} as const;
const takenForm = levelsOf({
  ...settingsForm,
  properties: {
    ...settingsForm.properties,
    properties: { type: "object", additionalProperties: takenProperty },
    componentId: text,
  },
});

interface Property {
  readonly title?: string;
  readonly description?: string;
  /** A button leads to an address of the integration. Only its script gives it a value, such as credentials. */
  readonly type: "string" | "number" | "boolean" | "button";
  readonly default?: string | number | boolean;
  readonly completion_url?: string;
  readonly button_text?: string;
  readonly callback_url?: string;
  readonly enum?: readonly (string | number)[];
}

/** Declared properties by their names, and the names of the required ones. */
export interface Settings {
  /** A component of the script that draws the settings: without `properties` beside it, any values are taken. */
  readonly componentId?: string;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

export type Configurations = Readonly<Partial<Record<"account" | "space" | "site", Settings>>>;

const faultsOfForm = formCheck(takenForm);
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

function faultsOf(at: string, { properties = {}, required = [], componentId }: Settings): ErrorDetail[] {
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
    ...faultsOfText(`${at}/componentId`, componentId),
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
  if (type === "button") faults.push({ path: `${at}/default`, message: "must be absent: a button has no value." });
  else if (typeof preset !== type) faults.push({ path: `${at}/default`, message: `must be a ${type}.` });
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
/** The most characters, as JSON, of values that a component of the script chooses. */
const longestValues = 100_000;

/** Who changes a configuration: the script of the integration gives values to buttons, all others keep those. */
interface Change {
  readonly before: Configuration;
  readonly isByScript: boolean;
}

/**
 * A configuration as it is stored, with defaults. `at` is its path in the input. INVALID_INPUT with a detail for each
 * fault; messages never contain values, which may be credentials.
 */
export function checkConfiguration(
  at: string,
  given: unknown,
  settings: Settings,
  { before, isByScript }: Change = { before: {}, isByScript: false },
): Configuration {
  const { properties = {} } = settings;
  if (!isRecord(given)) throw refusedForm(at, refusal, [{ path: "", message: "must be an object." }]);
  if (settings.componentId !== undefined && !settings.properties) return checkFreeValues(at, given);
  const faults = Object.entries(given).flatMap(([name, value]): ErrorDetail[] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const message = isByScript && property?.type === "button" ? faultOfFree(value) : faultOf(property, value);
    return message === null ? [] : [{ path: `/${pointerStep(name)}`, message }];
  });
  if (faults.length > 0) throw refusedForm(at, refusal, faults);
  const values = Object.entries(properties).flatMap(([name, { type, default: preset }]) => {
    const kept = type === "button" && !isByScript && Object.hasOwn(before, name) ? before[name] : preset;
    const value = Object.hasOwn(given, name) ? given[name] : kept;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values) as Configuration; // by the checks of values and declarations
}

/** Values of which only the script knows the form. */
function checkFreeValues(at: string, given: Readonly<Record<string, unknown>>): Configuration {
  const message = faultOfFree(given);
  if (message !== null) throw refusedForm(at, refusal, [{ path: "", message }]);
  return given as Configuration; // scripts alone read them
}

function faultOfFree(value: unknown): string | null {
  const json = JSON.stringify(value);
  if (!isStorable(json)) return mustBeStorable;
  return json.length > longestValues ? `must have at most ${longestValues} characters as JSON.` : null;
}

const refusal = "The configuration is not valid for the integration";

function faultOf(property: Property | undefined, value: unknown): string | null {
  if (!property) return "is not declared by the integration.";
  const { type, enum: among } = property;
  if (type === "button") return "is a button, to which only the script of the integration gives a value.";
  if (typeof value !== type || (type === "number" && !Number.isFinite(value))) return `must be ${articles[type]}.`;
  if (typeof value === "string" && !isStorable(value)) return mustBeStorable;
  if (typeof value === "string" && value.length > longestText) return `must have at most ${longestText} characters.`;
  if (!among || among.includes(value as string | number)) return null;
  return `must be one of ${among.map((one) => JSON.stringify(one)).join(", ")}.`;
}

/** Buttons do not count: their script runs to give them their values. */
export function isComplete(configuration: Configuration, { required = [], properties = {} }: Settings): boolean {
  return required.every((name) => Object.hasOwn(configuration, name) || properties[name]?.type === "button");
}
