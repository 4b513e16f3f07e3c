// Describes schemas in words: the type of a value, and its constraints.
import { isRecord } from "#src/base/json.ts";
import { entriesOf, type FoundSchema, type Keywords, listOf, type Lookup } from "#src/features/openapi/model/lookup.ts";
import { code, link, plain } from "#src/features/openapi/model/pages/markdown.ts";
import { jsonOf } from "#src/features/openapi/model/pages/example.ts";

const most = { alternatives: 6, levels: 4, values: 50 } as const;

/** Writes types as Markdown: `array of [Ship](…)`. */
export class SchemaWords {
  readonly #lookup: Lookup;
  readonly #linkTo: (model: string) => string | null;

  /** `linkTo` returns the address of the page of a model; null if missing. */
  constructor(lookup: Lookup, linkTo: (model: string) => string | null) {
    this.#lookup = lookup;
    this.#linkTo = linkTo;
  }

  kind(schema: unknown, level = 0): string {
    const { keywords, model } = this.#lookup.schema(schema);
    if (model !== null) return link(plain(model), this.#linkTo(model));
    return this.#ofKeywords(keywords, level);
  }

  /** The type of a model itself, instead of a link to it. */
  ownKind = ({ keywords }: FoundSchema): string => this.#ofKeywords(keywords, 0);

  #ofKeywords(keywords: Keywords, level: number): string {
    if (level > most.levels) return "a value";
    if (keywords["const"] !== undefined) return `always ${json(keywords["const"])}`;
    const types = typesOf(keywords);
    if (types.length === 0) return this.#composed(keywords, level);
    return types.map((type) => this.#typed(type, keywords, level)).join(" or ");
  }

  #composed(keywords: Keywords, level: number): string {
    const all = listOf(keywords["allOf"]);
    const alternatives = [...listOf(keywords["oneOf"]), ...listOf(keywords["anyOf"])];
    if (alternatives.length > most.alternatives) return `one of ${alternatives.length} forms`;
    if (alternatives.length > 0) return alternatives.map((one) => this.kind(one, level + 1)).join(" or ");
    if (all.length > most.alternatives) return "object";
    if (all.length > 0) return all.map((one) => this.kind(one, level + 1)).join(" with ");
    return isRecord(keywords["not"]) && Object.keys(keywords).length === 1 ? "no value" : "any value";
  }

  #typed(type: string, keywords: Keywords, level: number): string {
    if (type === "array") return `array of ${this.kind(keywords["items"] ?? true, level + 1)}`;
    const { additionalProperties, format } = keywords;
    if (type === "object" && isRecord(additionalProperties) && entriesOf(keywords["properties"]).length === 0)
      return `object with values: ${this.kind(additionalProperties, level + 1)}`;
    if (type === "null" || format === undefined) return plain(type, 50);
    return `${plain(type, 50)} (${plain(format, 50)})`;
  }
}

function typesOf(keywords: Keywords): string[] {
  const { type } = keywords;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  if (types.length > 0) return types;
  if ("properties" in keywords) return ["object"];
  if ("items" in keywords) return ["array"];
  const [value] = listOf(keywords["enum"]);
  return typeof value === "string" ? ["string"] : [];
}

const json = (value: unknown): string => code(jsonOf(value, { space: 0 }) ?? "…");

const bounds = {
  minimum: "at least",
  exclusiveMinimum: "more than",
  maximum: "at most",
  exclusiveMaximum: "less than",
  multipleOf: "a multiple of",
  minLength: "length at least",
  maxLength: "length at most",
  minItems: "number of items at least",
  maxItems: "number of items at most",
  minProperties: "number of properties at least",
  maxProperties: "number of properties at most",
} as const;

/** The constraints of a schema beside its type, each as Markdown. */
export function factsOf(keywords: Keywords): string[] {
  const numbers = Object.entries(bounds).flatMap(([name, before]) => {
    const value = keywords[name];
    return typeof value === "number" ? [`${before} ${value}`] : [];
  });
  const { pattern, uniqueItems, default: preset } = keywords;
  return [
    ...(keywords["readOnly"] === true ? ["only in responses"] : []),
    ...(keywords["writeOnly"] === true ? ["only in requests"] : []),
    ...numbers,
    ...(uniqueItems === true ? ["no item twice"] : []),
    ...(typeof pattern === "string" ? [`pattern ${code(pattern)}`] : []),
    ...valuesOf(keywords),
    ...(preset === undefined ? [] : [`${json(preset)} when left out`]),
  ];
}

function valuesOf(keywords: Keywords): string[] {
  const own = listOf(keywords["enum"]);
  const { items } = keywords;
  const values = own.length === 0 && isRecord(items) ? listOf(items["enum"]) : own;
  if (values.length === 0) return [];
  const more = values.length > most.values ? ` and ${values.length - most.values} more` : "";
  return [`one of ${values.slice(0, most.values).map(json).join(", ")}${more}`];
}
