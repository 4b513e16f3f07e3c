// Violations: for each constraint of a schema a value that breaks only that one. At the small size each
// property has one wrong type and each text one unstorable character, of each kind in turn.
import { choicesOf } from "#test/contract/body-properties.ts";
import type { ContractSchema, OpenApi } from "#test/contract/contract.ts";
import { inTurn } from "#test/support/runs.ts";

export interface Violation {
  /** The JSON pointer of the violation; empty for the value itself. */
  readonly at: string;
  /** The constraint that is broken. */
  readonly what: string;
  /** The complete value, otherwise valid. */
  readonly value: unknown;
}

type Known = Readonly<Record<string, unknown>>;

/** One value of each type. */
const samples: Readonly<Record<string, unknown>> = {
  number: 7.5,
  boolean: true,
  array: [],
  object: {},
  string: "text",
};

/** Texts that PostgreSQL cannot store, refused in every text. */
const unstorable = { NUL: "a\0b", "lone surrogate": "a\ud800b" };

/** The depth limit, since documents are recursive. */
const depthLimit = 5;

let turn = 0;

/** All of these values; at the small size one of them, the next one each time. */
const nextOf = <Value>(values: readonly Value[]): readonly Value[] =>
  inTurn(values, turn++ % values.length, values.length);

/** Breaks each constraint of a schema once. `valid` is a valid value to start from. */
export function violationsOf(openApi: OpenApi, schema: ContractSchema, valid: unknown, at = ""): Violation[] {
  if (at.split("/").length > depthLimit) return [];
  const resolved = openApi.resolve(schema);
  const choices = choicesOf(openApi, resolved);
  const types = new Set(choices.flatMap(({ type = [] }) => type));
  const isNullable = [resolved.type].flat().includes("null") || (resolved.oneOf ?? resolved.anyOf)?.some(isNull);
  const broken = (what: string, value: unknown): Violation => ({ at, what, value });
  const wrongTypes = Object.entries(samples).filter(([type]) => !types.has(type));
  const ofType = nextOf(wrongTypes).map(([type, value]) => broken(`type ${type}`, value));
  const ofNull = isNullable ? [] : [broken("type null", null)];
  const several =
    choices.length > 1
      ? [broken("matches no choice", {}), broken("matches all choices", merged(openApi, choices))]
      : [];
  const inChoices = choices.flatMap((choice) => {
    const own = choices.length === 1 || isLike(openApi, choice, valid) ? valid : sampleOf(openApi, choice);
    return [
      ...ofText(choice, broken),
      ...ofNumber(choice, broken),
      ...ofList(openApi, choice, own, at),
      ...ofObject(openApi, choice, own, at),
    ];
  });
  const one = [...ofType, ...ofNull, ...inChoices];
  return choices.length > 1 ? [...several, ...one].filter(isNoChoice(openApi, resolved)) : one;
}

/** Excludes values that match another choice; unstorable texts are always violations. */
function isNoChoice(openApi: OpenApi, schema: ContractSchema): (broken: Violation) => boolean {
  const validate = openApi.bodyValidatorOf({ required: true, schema });
  return ({ what, value }) => what in unstorable || !validate(value);
}

function isNull({ type }: ContractSchema): boolean {
  return type === "null";
}

function ofText(schema: ContractSchema, broken: (what: string, value: unknown) => Violation): Violation[] {
  const { type = [], enum: values, const: only, minLength = 0, maxLength, pattern, format } = schema;
  if (![type].flat().includes("string")) return [];
  if (values ?? only)
    return [broken("enum", "nonsense"), broken("enum case", String(values?.[0] ?? only).toUpperCase())];
  return [
    ...(minLength > 0 ? [broken("minLength", "x".repeat(minLength - 1))] : []),
    ...(maxLength === undefined
      ? []
      : [
          broken("maxLength", "x".repeat(maxLength + 1)),
          broken("maxLength, astral", "🙂".repeat(maxLength + 1)),
          broken("maxLength, with blanks", `x${" ".repeat(maxLength)}`),
        ]),
    ...(pattern === undefined ? [] : [broken("pattern", "not / matching !")]),
    ...(format === undefined ? [] : [broken(`format ${format}`, "neither one nor the other")]),
    ...nextOf(Object.entries(unstorable)).map(([what, value]) => broken(what, value)),
  ];
}

function ofNumber(
  { type = [], minimum, maximum }: ContractSchema,
  broken: (what: string, value: unknown) => Violation,
) {
  return [
    ...(minimum === undefined ? [] : [broken("minimum", minimum - 1)]),
    ...(maximum === undefined ? [] : [broken("maximum", maximum + 1)]),
    ...([type].flat().includes("integer") ? [broken("no integer", 1.5)] : []),
  ];
}

function ofList(openApi: OpenApi, { items }: ContractSchema, valid: unknown, at: string): Violation[] {
  if (!items) return [];
  const first: unknown = Array.isArray(valid) && valid.length > 0 ? valid[0] : sampleOf(openApi, items);
  return violationsOf(openApi, items, first, `${at}/0`).map((broken) => ({ ...broken, value: [broken.value] }));
}

function ofObject(openApi: OpenApi, schema: ContractSchema, valid: unknown, at: string): Violation[] {
  const { properties = {}, required = [], additionalProperties: others } = schema;
  if (![schema.type].flat().includes("object")) return [];
  const known = valid as Known; // a valid value of type object
  const brokenAt = (name: string, property: ContractSchema, value: unknown) =>
    violationsOf(openApi, property, value ?? sampleOf(openApi, property), `${at}/${name}`).map((broken) => ({
      ...broken,
      value: { ...known, [name]: broken.value },
    }));
  const inside = Object.entries(properties).flatMap(([name, property]) => brokenAt(name, property, known[name]));
  const [key = "key", entry] = Object.entries(known).find(([name]) => !(name in properties)) ?? [];
  const inOthers = typeof others === "object" ? brokenAt(key, others, entry) : [];
  const unknown = { at: `${at}/surprise`, what: "unknown property", value: { ...known, surprise: 1 } };
  const missing = required.map((name) => ({ at: `${at}/${name}`, what: "required", value: without(known, name) }));
  return [...missing, ...inside, ...inOthers, ...(others === false ? [unknown] : [])];
}

function without(value: Known, name: string): Known {
  const { [name]: _, ...rest } = value;
  return rest;
}

/** Whether a value is of this choice, as far as its constants say. */
function isLike(openApi: OpenApi, { properties = {}, required = [] }: ContractSchema, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const known = value as Known;
  return (
    required.every((name) => name in known) &&
    Object.entries(properties).every(([name, property]) => {
      const { const: only } = openApi.resolve(property);
      return only === undefined || known[name] === only;
    })
  );
}

/** A valid value of a schema, with missing ids. */
export function sampleOf(openApi: OpenApi, schema: ContractSchema): unknown {
  const [{ type = [], enum: values, const: only, properties = {}, required = [], format, minLength = 0 } = {}] =
    choicesOf(openApi, schema);
  if (values ?? only) return values?.[0] ?? only;
  const [main] = [type].flat();
  if (main === "object")
    return Object.fromEntries(required.map((name) => [name, sampleOf(openApi, properties[name] ?? {})]));
  if (main === "string") return format === "uri" ? "https://example.com/sample" : "sample".padEnd(minLength, "x");
  return main === "integer" ? 7 : samples[main ?? "string"];
}

function merged(openApi: OpenApi, choices: readonly ContractSchema[]): unknown {
  return Object.assign({}, ...choices.map((choice) => sampleOf(openApi, choice)));
}
