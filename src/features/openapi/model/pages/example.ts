// Examples of values: given by the specification, or made from schemas.
import { isRecord } from "#src/base/json.ts";
import { isRawNumber, numberText } from "#src/features/openapi/model/exact.ts";
import type { Header, MediaType, SpecExample } from "#src/features/openapi/model/spec-document.ts";
import { entriesOf, type Keywords, listOf, type Lookup } from "#src/features/openapi/model/lookup.ts";
import {
  firstItemsOf,
  formsOf,
  isObject,
  otherItemsOf,
  typeOfValue,
  valuesOf,
} from "#src/features/openapi/model/pages/shape.ts";

/** A request has no `readOnly` values, a response no `writeOnly` ones. */
export type Direction = "request" | "response";

const exampleLimit = { values: 150, levels: 6, items: 10 } as const;

const textsByFormat: Readonly<Record<string, string>> = {
  "date-time": "2024-01-31T12:00:00Z",
  date: "2024-01-31",
  time: "12:00:00Z",
  duration: "P1D",
  email: "user@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com",
  url: "https://example.com",
  "uri-reference": "/path",
  uuid: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  byte: "ZXhhbXBsZQ==",
  password: "secret",
  "json-pointer": "/name",
  regex: "^a+$",
};

const textsByEncoding: Readonly<Record<string, string>> = {
  base64: "ZXhhbXBsZQ==",
  base64url: "ZXhhbXBsZQ",
  base32: "MV4GC3LQNRSQ====",
  base16: "6578616D706C65",
};

class Example {
  readonly #lookup: Lookup;
  readonly #direction: Direction;
  #left: number = exampleLimit.values;

  constructor(lookup: Lookup, direction: Direction) {
    this.#lookup = lookup;
    this.#direction = direction;
  }

  /** A value that roughly fits a schema, or undefined. `around` are the models around it. */
  of(schema: unknown, around: readonly string[] = []): unknown {
    const { keywords, model } = this.#lookup.schema(schema);
    if (this.#left-- <= 0 || around.length >= exampleLimit.levels) return undefined;
    const given = givenIn(keywords);
    if (given !== undefined) return given;
    if (model !== null && around.includes(model)) return undefined; // it is recursive
    const inside = [...around, model ?? ""];
    const [listed] = valuesOf(this.#lookup, keywords);
    return listed?.value ?? this.#composed(keywords, inside) ?? this.#typed(keywords, inside);
  }

  #composed(keywords: Keywords, inside: readonly string[]): unknown {
    const parts = listOf(keywords["allOf"]).slice(0, exampleLimit.values);
    const all = parts.map((part) => this.of(part, inside));
    const [one] = formsOf(this.#lookup, keywords);
    if (one !== undefined) all.push(this.of(one, inside));
    const objects = all.filter(isObject);
    if (objects.length === 0) return all.find((value) => value !== undefined);
    const own = this.#object(keywords, inside);
    const named = one === undefined ? {} : this.#discriminated(keywords, one, Object.assign({}, ...objects, own));
    return Object.fromEntries([...objects, own, named].flatMap((part) => Object.entries(part)));
  }

  /** The property that names the form, unless the form itself says its value. */
  #discriminated({ discriminator }: Keywords, form: unknown, value: object): object {
    if (!isRecord(discriminator) || typeof discriminator["propertyName"] !== "string") return {};
    const { propertyName } = discriminator;
    const { model, keywords } = this.#lookup.schema(form);
    const { properties } = keywords;
    const own = isRecord(properties) ? this.#lookup.schema(properties[propertyName]).keywords : {};
    if (model === null || givenIn(own) !== undefined || !Object.hasOwn(value, propertyName)) return {};
    const name = entriesOf(discriminator["mapping"]).find(
      ([, to]) => to === model || (typeof to === "string" && this.#lookup.schema({ $ref: to }).model === model),
    )?.[0];
    return { [propertyName]: name ?? model };
  }

  #typed(keywords: Keywords, inside: readonly string[]): unknown {
    const type = typeOf(keywords);
    switch (type) {
      case "object":
        return this.#object(keywords, inside);
      case "array":
        return this.#array(keywords, inside);
      case "string":
        return textIn(keywords);
      case "integer":
      case "number":
        return numberIn(keywords, type);
      case "boolean":
        return true;
      case "null":
        return null;
      default:
        return undefined;
    }
  }

  #array(keywords: Keywords, inside: readonly string[]): unknown[] {
    const first = firstItemsOf(keywords)
      .slice(0, exampleLimit.items)
      .map((item) => this.of(item, inside) ?? null);
    if (first.length > 0) return first;
    const item = this.of(otherItemsOf(keywords), inside) ?? this.of(keywords["contains"] ?? true, inside);
    return item === undefined ? [] : [item];
  }

  #object(keywords: Keywords, inside: readonly string[]): object {
    const hidden = this.#direction === "request" ? "readOnly" : "writeOnly";
    const made = entriesOf(keywords["properties"]).flatMap(([name, schema]): [string, unknown][] => {
      if (this.#left <= 0 || this.#lookup.schema(schema).keywords[hidden] === true) return [];
      const value = this.of(schema, inside);
      return value === undefined ? [] : [[name, value]];
    });
    const { additionalProperties } = keywords;
    if (made.length === 0 && isRecord(additionalProperties)) {
      const value = this.of(additionalProperties, inside);
      if (value !== undefined) made.push(["name", value]);
    }
    return Object.fromEntries(made);
  }
}

function givenIn(keywords: Keywords): unknown {
  const { example, default: preset, const: constant } = keywords;
  const [first] = schemaExamplesOf(keywords);
  const [value] = listOf(keywords["enum"]);
  return first ?? example ?? constant ?? preset ?? value;
}

/** The examples of a schema; some documents have them by name, as OpenAPI has those of media types. */
export function schemaExamplesOf({ examples }: Keywords): readonly unknown[] {
  if (!isRecord(examples)) return listOf(examples);
  return Object.values(examples).map((one) => (isRecord(one) && "value" in one ? one["value"] : one));
}

/** The first type of a schema that is not null, or the one that its keywords imply. */
function typeOf(keywords: Keywords): unknown {
  const { type } = keywords;
  if (Array.isArray(type)) return type.find((one) => one !== "null") ?? type[0];
  if (type !== undefined) return type;
  if ("properties" in keywords || "additionalProperties" in keywords) return "object";
  if ("items" in keywords || "prefixItems" in keywords) return "array";
  return ["pattern", "minLength", "maxLength", "contentEncoding"].some((name) => name in keywords)
    ? "string"
    : undefined;
}

function textIn({ format, contentEncoding, contentMediaType, minLength, maxLength }: Keywords): string {
  if (typeof format === "string" && Object.hasOwn(textsByFormat, format)) return textsByFormat[format] ?? "";
  if (typeof contentEncoding === "string" && Object.hasOwn(textsByEncoding, contentEncoding))
    return textsByEncoding[contentEncoding] ?? "";
  if (typeof contentMediaType === "string" && /\bjson$/.test(contentMediaType)) return "{}";
  const least = typeof minLength === "number" ? Math.min(minLength, 100) : 0;
  const text = "text".repeat(Math.max(1, Math.ceil(least / 4))).slice(0, Math.max(4, least));
  return typeof maxLength === "number" && maxLength >= 0 ? text.slice(0, maxLength) : text;
}

function numberIn(keywords: Keywords, type: "integer" | "number"): unknown {
  const { minimum, exclusiveMinimum, maximum, multipleOf } = keywords;
  const limit = [minimum, maximum].find(isRawNumber);
  if (limit !== undefined && (type === "number" || typeOfValue(limit) === "integer")) return limit;
  const least = numberOf(minimum) ?? (numberOf(exclusiveMinimum) ?? 0) + 1;
  const most = numberOf(maximum);
  const value = most !== null && most < least ? most : least;
  const step = numberOf(multipleOf);
  const fitting = step !== null && step > 0 ? Math.ceil(value / step) * step : value;
  return type === "integer" ? Math.ceil(fitting) : fitting;
}

function numberOf(value: unknown): number | null {
  const text = numberText(value);
  return text === null ? null : Number(text);
}

/** An example that the specification gives. */
export interface GivenExample {
  /** Null for the only one. */
  readonly name: string | null;
  readonly summary?: unknown;
  readonly description?: unknown;
  readonly value?: unknown;
  /** The value as it is sent. */
  readonly text?: string;
  /** The address of the value. */
  readonly url?: unknown;
}

type WithExamples = Pick<MediaType | Header, "schema" | "example" | "examples">;

/** All examples that are given for a body or parameter, else those of its schema if there are several. */
export function givenExamplesOf(lookup: Lookup, of: WithExamples): GivenExample[] {
  const own: GivenExample[] = of.example === undefined ? [] : [{ name: null, value: of.example }];
  const named = entriesOf(of.examples).map(([name, one]): GivenExample => {
    const { summary, description, value, dataValue, serializedValue, externalValue } = lookup.follow(
      one as SpecExample,
    );
    return {
      name,
      summary,
      description,
      value: value ?? dataValue,
      url: externalValue,
      ...(typeof serializedValue === "string" && { text: serializedValue }),
    };
  });
  const [only] = named;
  if (own.length === 0 && only?.name === "default" && named.length === 1) return [{ ...only, name: null }];
  if (own.length + named.length > 0) return [...own, ...named];
  const ofSchema = schemaExamplesOf(lookup.schema(of.schema).keywords);
  return ofSchema.length > 1 ? ofSchema.map((value, index) => ({ name: String(index + 1), value })) : [];
}

/** The first given example of a body or parameter, else one made from its schema; or undefined. */
export function exampleOf(lookup: Lookup, of: WithExamples, direction: Direction): unknown {
  const given = givenExamplesOf(lookup, of).find(({ value }) => value !== undefined);
  return given ? given.value : new Example(lookup, direction).of(of.schema);
}

export const exampleOfSchema = (lookup: Lookup, schema: unknown, direction: Direction = "response"): unknown =>
  new Example(lookup, direction).of(schema);

/** A value as JSON of at most `limit` characters; null for one that is longer or too deep. */
export function jsonOf(value: unknown, { limit = 20_000, space = 2 } = {}): string | null {
  try {
    const text: string | undefined = JSON.stringify(value, null, space); // undefined for undefined
    return text === undefined || text.length > limit ? null : text.toWellFormed();
  } catch (error) {
    if (error instanceof RangeError) return null; // the call stack is full
    throw error;
  }
}
