// Writes schemas in words: the type of a value, and its constraints.
import { isRecord } from "#src/base/json.ts";
import { numberText } from "#src/features/openapi/model/exact.ts";
import { entriesOf, type FoundSchema, type Keywords, listOf, type Lookup } from "#src/features/openapi/model/lookup.ts";
import { jsonOf, schemaExamplesOf } from "#src/features/openapi/model/pages/example.ts";
import { code, link, plain } from "#src/features/openapi/model/pages/markdown.ts";
import {
  firstItemsOf,
  isBinary,
  otherItemsOf,
  shapeOf,
  typeOfValue,
  valuesOf,
} from "#src/features/openapi/model/pages/shape.ts";

const wordLimits = { alternatives: 6, levels: 4, values: 50, names: 20, examples: 3 } as const;

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
    const types = this.#typesOf(keywords);
    const kind =
      types.length === 0
        ? this.#composed(keywords, level)
        : types.map((type) => this.#typed(type, keywords, level)).join(" or ");
    return keywords["nullable"] === true && !types.includes("null") ? `${kind} or null` : kind;
  }

  #typesOf(keywords: Keywords): readonly string[] {
    const { type } = keywords;
    const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
    if (types.length > 0) return types;
    if (["properties", "patternProperties"].some((name) => name in keywords)) return ["object"];
    if (["items", "prefixItems", "contains"].some((name) => name in keywords)) return ["array"];
    return [...new Set(valuesOf(this.#lookup, keywords).map(({ value }) => typeOfValue(value)))];
  }

  #composed(keywords: Keywords, level: number): string {
    const all = listOf(keywords["allOf"]);
    const alternatives = [...listOf(keywords["oneOf"]), ...listOf(keywords["anyOf"])];
    if (alternatives.length > wordLimits.alternatives) return `one of ${alternatives.length} forms`;
    if (alternatives.length > 0) return alternatives.map((one) => this.#part(one, level + 1)).join(" or ");
    if (all.length > wordLimits.alternatives) return "object";
    if (all.length > 0) return all.map((one) => this.#part(one, level + 1)).join(" with ");
    if (isBinary(keywords)) return "binary data";
    if (typeof keywords["contentMediaType"] === "string" || typeof keywords["contentEncoding"] === "string")
      return "string";
    return isRecord(keywords["not"]) && Object.keys(keywords["not"]).length === 0 ? "no value" : "any value";
  }

  /** A part or alternative, which may have constraints alone. */
  #part(schema: unknown, level: number): string {
    const kind = this.kind(schema, level);
    if (kind !== "any value") return kind;
    const facts = this.#ownFacts(this.#lookup.schema(schema).keywords, level);
    return facts.length > 0 ? facts.join(", ") : kind;
  }

  #typed(type: string, keywords: Keywords, level: number): string {
    if (type === "array") return this.#array(keywords, level);
    const { additionalProperties, format } = keywords;
    const hasFields = entriesOf(keywords["properties"]).length > 0;
    if (type === "object" && isRecord(additionalProperties) && !hasFields)
      return `object with values: ${this.kind(additionalProperties, level + 1)}`;
    if (type === "null" || format === undefined) return plain(type, 50);
    return `${plain(type, 50)} (${plain(format, 50)})`;
  }

  #array(keywords: Keywords, level: number): string {
    const first = firstItemsOf(keywords).slice(0, wordLimits.names);
    const others = otherItemsOf(keywords);
    if (first.length === 0) return `array of ${this.kind(others, level + 1)}`;
    const kinds = first.map((one) => this.kind(one, level + 1));
    if (others !== false)
      kinds.push(`any number of ${others === true ? "other values" : this.kind(others, level + 1)}`);
    return `array of ${kinds.join(", then ")}`;
  }

  /** The kind with all constraints, such as `string, length at most 3`. */
  described(schema: unknown, level = 0): string {
    const { keywords, model } = this.#lookup.schema(schema);
    const kind = this.kind(schema, level);
    if (model !== null) return kind;
    const facts = this.#ownFacts(keywords, level);
    return (kind === "any value" && facts.length > 0 ? facts : [kind, ...facts]).join(", ");
  }

  /** The constraints of a schema beside its type, each as Markdown; for a model only those that its uses show, too. */
  facts({ keywords, model }: FoundSchema): string[] {
    return model === null ? this.#ownFacts(keywords, 0) : this.#valueFacts(keywords);
  }

  #ownFacts(keywords: Keywords, level: number): string[] {
    if (level > wordLimits.levels) return [];
    return [
      ...this.#valueFacts(keywords),
      ...contentOf(keywords),
      ...this.#items(keywords, level),
      ...this.#properties(keywords, level),
      ...this.#excluded(keywords, level),
      ...examplesIn(keywords),
    ];
  }

  #valueFacts(keywords: Keywords): string[] {
    const { pattern, uniqueItems, default: preset } = keywords;
    return [
      ...(keywords["readOnly"] === true ? ["only in responses"] : []),
      ...(keywords["writeOnly"] === true ? ["only in requests"] : []),
      ...boundsOf(keywords),
      ...(uniqueItems === true ? ["no item twice"] : []),
      ...(typeof pattern === "string" ? [`pattern ${code(pattern)}`] : []),
      ...this.#values(keywords),
      ...(preset === undefined ? [] : [`${json(preset)} when left out`]),
    ];
  }

  #values(keywords: Keywords): string[] {
    const own = valuesOf(this.#lookup, keywords);
    const { items } = keywords;
    const values =
      own.length === 0 && isRecord(items) ? valuesOf(this.#lookup, this.#lookup.schema(items).keywords) : own;
    if (values.length === 0) return [];
    const more = values.length > wordLimits.values ? ` and ${values.length - wordLimits.values} more` : "";
    const shown = values.slice(0, wordLimits.values).map(({ value, title, description }) => {
      const about = [plain(title, 100), plain(description, 300)].filter((text) => text !== "").join(": ");
      return about === "" ? json(value) : `${json(value)} (${about})`;
    });
    return [`one of ${shown.join(", ")}${more}`];
  }

  #items(keywords: Keywords, level: number): string[] {
    const { contains, minContains, maxContains, contentSchema } = keywords;
    const facts = contentSchema === undefined ? [] : [`its content is ${this.described(contentSchema, level + 1)}`];
    if (contains === undefined) return facts;
    const least = numberText(minContains) ?? "1";
    const most = numberText(maxContains);
    const what = this.described(contains, level + 1);
    if (least !== "0") facts.push(`at least ${least} ${least === "1" ? "item is" : "items are"} ${what}`);
    if (most !== null) facts.push(`at most ${most} ${most === "1" ? "item is" : "items are"} ${what}`);
    return facts;
  }

  #properties(keywords: Keywords, level: number): string[] {
    const { propertyNames, additionalProperties, unevaluatedProperties, dependentRequired } = keywords;
    const others = additionalProperties ?? unevaluatedProperties;
    const { properties, required } = shapeOf(this.#lookup, keywords);
    const hasFields = properties.size > 0 || "patternProperties" in keywords;
    const isShownAsValues = isRecord(additionalProperties) && entriesOf(keywords["properties"]).length === 0;
    const unknown = [...required].filter((name) => !properties.has(name));
    return [
      ...(unknown.length > 0 ? [`${named(unknown)} required`] : []),
      ...entriesOf(dependentRequired).map(
        ([name, needed]) => `with ${code(name)} also ${named(listOf(needed))} required`,
      ),
      ...(propertyNames === undefined ? [] : [`names of properties: ${this.described(propertyNames, level + 1)}`]),
      ...(others === false && hasFields ? ["no other properties"] : []),
      ...(isRecord(others) && !isShownAsValues ? [`other properties: ${this.described(others, level + 1)}`] : []),
    ];
  }

  #excluded({ not }: Keywords, level: number): string[] {
    if (!isRecord(not) || Object.keys(not).length === 0) return [];
    return [`not ${this.described(not, level + 1)}`];
  }
}

const json = (value: unknown): string => code(jsonOf(value, { space: 0 }) ?? "…");

/** Names, as the subject of what follows: "`a` and `b` are". */
function named(names: readonly unknown[]): string {
  const shown = names.slice(0, wordLimits.names).map((name) => code(name));
  const more = names.length - shown.length;
  if (more > 0) shown.push(`${more} more`);
  const last = shown.pop() ?? "";
  return shown.length === 0 ? `${last} is` : `${shown.join(", ")} and ${last} are`;
}

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

const boundsOf = (keywords: Keywords): string[] =>
  Object.entries(bounds).flatMap(([name, before]) => {
    const value = numberText(keywords[name]);
    return value === null ? [] : [`${before} ${value}`];
  });

function contentOf(keywords: Keywords): string[] {
  const { contentMediaType, contentEncoding } = keywords;
  const hasType = typeof contentMediaType === "string" && contentMediaType !== "application/octet-stream";
  return [
    ...(hasType ? [`content of the type ${code(contentMediaType)}`] : []),
    ...(typeof contentEncoding === "string" ? [`encoded as ${code(contentEncoding)}`] : []),
  ];
}

function examplesIn(keywords: Keywords): string[] {
  const given = schemaExamplesOf(keywords);
  const all = given.length > 0 || keywords["example"] === undefined ? given : [keywords["example"]];
  const shown = all.flatMap((value) => jsonOf(value, { limit: 200, space: 0 }) ?? []).slice(0, wordLimits.examples);
  return shown.length === 0 ? [] : [`for example ${shown.map((text) => code(text)).join(" or ")}`];
}
