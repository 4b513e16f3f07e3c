// Examples of values: given by the specification, or made from schemas.
import { isRecord } from "#src/base/json.ts";
import type { Header, MediaType, SpecExample } from "#src/features/openapi/model/spec-document.ts";
import { entriesOf, type Keywords, listOf, type Lookup } from "#src/features/openapi/model/lookup.ts";

/** A request has no `readOnly` values, a response no `writeOnly` ones. */
export type Direction = "request" | "response";

const exampleLimit = { values: 150, levels: 6 } as const;

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
    return this.#composed(keywords, inside) ?? this.#typed(keywords, inside);
  }

  #composed(keywords: Keywords, inside: readonly string[]): unknown {
    const parts = listOf(keywords["allOf"]).slice(0, exampleLimit.values);
    const all = parts.map((part) => this.of(part, inside));
    const [one] = [...listOf(keywords["oneOf"]), ...listOf(keywords["anyOf"])];
    if (one !== undefined) all.push(this.of(one, inside));
    const objects = all.filter(isRecord);
    if (objects.length === 0) return all.find((value) => value !== undefined);
    return Object.fromEntries([...objects, this.#object(keywords, inside)].flatMap((part) => Object.entries(part)));
  }

  #typed(keywords: Keywords, inside: readonly string[]): unknown {
    const type = typeOf(keywords);
    switch (type) {
      case "object":
        return this.#object(keywords, inside);
      case "array": {
        const first = this.of(keywords["items"] ?? true, inside);
        return first === undefined ? [] : [first];
      }
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
  const [first] = listOf(keywords["examples"]);
  const [value] = listOf(keywords["enum"]);
  return first ?? example ?? constant ?? preset ?? value;
}

/** The first type of a schema that is not null, or the one that its keywords imply. */
function typeOf(keywords: Keywords): unknown {
  const { type } = keywords;
  if (Array.isArray(type)) return type.find((one) => one !== "null") ?? type[0];
  if (type !== undefined) return type;
  if ("properties" in keywords || "additionalProperties" in keywords) return "object";
  return "items" in keywords ? "array" : undefined;
}

function textIn(keywords: Keywords): string {
  const { format } = keywords;
  if (typeof format === "string" && Object.hasOwn(textsByFormat, format)) return textsByFormat[format] ?? "";
  return "text";
}

function numberIn({ minimum, exclusiveMinimum, maximum }: Keywords, type: "integer" | "number"): number {
  const least = typeof minimum === "number" ? minimum : typeof exclusiveMinimum === "number" ? exclusiveMinimum + 1 : 1;
  const value = typeof maximum === "number" && maximum < least ? maximum : least;
  return type === "integer" ? Math.ceil(value) : value;
}

type WithExamples = Pick<MediaType | Header, "schema" | "example" | "examples">;

/** The first given example of a body or parameter, else one made from its schema; or undefined. */
export function exampleOf(lookup: Lookup, of: WithExamples, direction: Direction): unknown {
  if (of.example !== undefined) return of.example;
  for (const [, given] of entriesOf(of.examples)) {
    const { value } = lookup.follow(given as SpecExample);
    if (value !== undefined) return value;
  }
  return new Example(lookup, direction).of(of.schema);
}

export const exampleOfSchema = (lookup: Lookup, schema: unknown): unknown => new Example(lookup, "response").of(schema);

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
