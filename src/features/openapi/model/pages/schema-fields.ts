// Writes schemas as Markdown: the type of a value in words, its constraints, and its fields as nested lists.
import { isRecord } from "#src/base/json.ts";
import { entriesOf, type FoundSchema, type Keywords, listOf, type Lookup } from "#src/features/openapi/model/lookup.ts";
import { code, link, plain, item, list } from "#src/features/openapi/model/pages/markdown.ts";
import { jsonOf } from "#src/features/openapi/model/pages/example.ts";
import type { Prose } from "#src/features/openapi/model/pages/prose.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

const wordLimits = { alternatives: 6, levels: 4, values: 50 } as const;

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

  /** Writes the type of a model inline, instead of a link to it. */
  ownKind = ({ keywords }: FoundSchema): string => this.#ofKeywords(keywords, 0);

  #ofKeywords(keywords: Keywords, level: number): string {
    if (level > wordLimits.levels) return "a value";
    if (keywords["const"] !== undefined) return `always ${json(keywords["const"])}`;
    const types = typesOf(keywords);
    if (types.length === 0) return this.#composed(keywords, level);
    return types.map((type) => this.#typed(type, keywords, level)).join(" or ");
  }

  #composed(keywords: Keywords, level: number): string {
    const all = listOf(keywords["allOf"]);
    const alternatives = [...listOf(keywords["oneOf"]), ...listOf(keywords["anyOf"])];
    if (alternatives.length > wordLimits.alternatives) return `one of ${alternatives.length} forms`;
    if (alternatives.length > 0) return alternatives.map((one) => this.kind(one, level + 1)).join(" or ");
    if (all.length > wordLimits.alternatives) return "object";
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
  const more = values.length > wordLimits.values ? ` and ${values.length - wordLimits.values} more` : "";
  return [`one of ${values.slice(0, wordLimits.values).map(json).join(", ")}${more}`];
}

/** Limits: levels of fields, fields of a page, characters of a description, and levels of `allOf`. */
const fieldLimits = { levels: 4, fields: 400, prose: 3_000, together: 10 } as const;

/** The state that all writers of pages share. */
export interface Writing {
  readonly document: SpecDocument;
  readonly lookup: Lookup;
  readonly words: SchemaWords;
  readonly prose: Prose;
  /** The address of a page by its key; null if missing. */
  readonly linkTo: (key: string) => string | null;
}

export class SchemaFields {
  readonly #writing: Writing;
  #left: number = fieldLimits.fields;

  constructor(writing: Writing) {
    this.#writing = writing;
  }

  /** The fields of a schema, in blocks; empty for a model below the top, which has its own page. */
  of(schema: unknown, level = 0): string[] {
    const { lookup } = this.#writing;
    const { keywords, model } = lookup.schema(schema);
    return model === null || level === 0 ? this.#inside(keywords, level) : [];
  }

  #field(name: string, schema: unknown, { isRequired, level }: { isRequired: boolean; level: number }): string {
    const { lookup, words, prose } = this.#writing;
    const { keywords } = lookup.schema(schema);
    const facts = [words.kind(schema), ...(isRequired ? ["required"] : []), ...factsOf(keywords)];
    const deprecated = keywords["deprecated"] === true ? " **Deprecated.**" : "";
    const about = prose.of(keywords["description"], fieldLimits.prose);
    const blocks = [...(about === "" ? [] : [about]), ...this.of(schema, level + 1)];
    return item(`**${code(name) || "``"}**: ${facts.join(", ")}.${deprecated}`, blocks);
  }

  #inside(keywords: Keywords, level: number): string[] {
    if (level > fieldLimits.levels || this.#left <= 0) return [];
    const items = isRecord(keywords["items"]) ? this.of(keywords["items"], level + 1) : [];
    const fields = this.#fields(this.#shapeOf(keywords), level);
    const alternatives = [...listOf(keywords["oneOf"]), ...listOf(keywords["anyOf"])];
    return [
      ...(fields.length > 0 ? [list(fields)] : []),
      ...(alternatives.length > 1 ? this.#alternatives(alternatives, level) : []),
      ...(items.length > 0 ? ["Each item has:", ...items] : []),
    ];
  }

  #fields({ properties, required }: Shape, level: number): string[] {
    const fields: string[] = [];
    for (const [name, schema] of properties) {
      if (this.#left-- <= 0) return [...fields, item("*Further fields are left out.*")];
      fields.push(this.#field(name, schema, { isRequired: required.has(name), level }));
    }
    return fields;
  }

  #alternatives(alternatives: readonly unknown[], level: number): string[] {
    const { words } = this.#writing;
    const forms = alternatives.slice(0, this.#left).map((one) => {
      this.#left--;
      return item(words.kind(one), this.of(one, level + 1));
    });
    return ["One of these forms:", list(forms)];
  }

  /** The properties of a schema merged with those of its `allOf`. */
  #shapeOf(keywords: Keywords, depth = 0): Shape {
    const required = new Set(listOf(keywords["required"]).filter((name) => typeof name === "string"));
    const properties = new Map(entriesOf(keywords["properties"]));
    if (depth < fieldLimits.together)
      for (const part of listOf(keywords["allOf"]).slice(0, fieldLimits.fields)) {
        const shape = this.#shapeOf(this.#writing.lookup.schema(part).keywords, depth + 1);
        for (const [name, schema] of shape.properties) if (!properties.has(name)) properties.set(name, schema);
        for (const name of shape.required) required.add(name);
        if (properties.size > fieldLimits.fields) break;
      }
    return { properties, required };
  }
}

type Shape = { readonly properties: ReadonlyMap<string, unknown>; readonly required: ReadonlySet<string> };
