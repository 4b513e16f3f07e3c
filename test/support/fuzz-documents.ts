// Documents that select a field repeatedly with different values at one position of its arguments, generated from the
// schema, so that new arguments are included.
import {
  getNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isRequiredArgument,
} from "graphql";
import { type IdKind, idPrefixes } from "#src/base/ids.ts";
import { fuzzScalar } from "#test/support/fuzz-values.ts";
import { type Fields, fieldsOf, sampleOf } from "#test/support/access/positions.ts";
import type { Random } from "#test/support/random.ts";
import { objectTypesOf, type Step, typesWithWays } from "#test/support/schema-paths.ts";
import { kindOf } from "#test/support/access/tenants.ts";

/** A field with arguments, and the position of a scalar or enum in them. */
interface Place {
  readonly path: readonly string[];
  readonly scalar: string;
  readonly values: readonly string[];
}

export interface FuzzDocument {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** All positions of scalars and enums, also in nested inputs. A recursive input is entered once. */
function placesOf(fields: Fields, entered: readonly string[] = []): Place[] {
  return Object.entries(fields).flatMap(([name, { type }]): Place[] => {
    const named = getNamedType(type);
    if (named.name === "Upload") return []; // a file, which JSON cannot be
    if (isLeafType(named)) {
      const values = isEnumType(named) ? named.getValues().map((value) => value.name) : [];
      return [{ path: [name], scalar: named.name, values }];
    }
    if (!isInputObjectType(named) || entered.includes(named.name)) return [];
    const inside = placesOf(fieldsOf(named.getFields()), [...entered, named.name]);
    return inside.map((place) => ({ ...place, path: [name, ...place.path] }));
  });
}

const plain: Readonly<Record<string, unknown>> = {
  Int: 1,
  Float: 1,
  Boolean: true,
  DateTime: "2026-01-01T00:00:00Z",
  JSON: {},
  RichDocument: { object: "document", nodes: [] },
};

/** Makes documents for fields. `idOf` returns the id of an existing object of a kind. */
export class FuzzDocuments {
  readonly #ways: ReadonlyMap<GraphQLObjectType, readonly Step[]>;
  readonly #schema: GraphQLSchema;
  readonly #idOf: (kind: IdKind) => string | undefined;
  readonly #random: Random;

  constructor(schema: GraphQLSchema, random: Random, idOf: (kind: IdKind) => string | undefined) {
    this.#ways = typesWithWays(schema);
    this.#schema = schema;
    this.#random = random;
    this.#idOf = idOf;
  }

  /** The number of selections of a field, one for each position. */
  countOf({ field }: Step): number {
    return placesOf(fieldsOf(Object.fromEntries(field.args.map((argument) => [argument.name, argument])))).length;
  }

  /** One document that selects a field once for each of its positions from `start` to `end`. */
  documentFor(step: Step, start: number, end: number): FuzzDocument {
    const { type, field } = step;
    const fields = fieldsOf(Object.fromEntries(field.args.map((argument) => [argument.name, argument])));
    const places = placesOf(fields).slice(start, end);
    const variables: Record<string, unknown> = {};
    const declared: string[] = [];
    const selection = isLeafType(getNamedType(field.type)) ? "" : " { __typename }";
    const calls = places.map((place, index) => {
      const given = this.#given(fields, place, getNamedType(field.type).name);
      for (const { name, type: of } of field.args) {
        if (!(name in given)) continue;
        declared.push(`$${name}${index}: ${String(of)}`);
        variables[`${name}${index}`] = given[name];
      }
      const args = Object.keys(given).map((name) => `${name}: $${name}${index}`);
      return `a${index}: ${field.name}(${args.join(", ")})${selection}`;
    });
    const kind =
      type === this.#schema.getMutationType()
        ? "mutation"
        : type === this.#schema.getSubscriptionType()
          ? "subscription"
          : "query";
    const body =
      kind === "query"
        ? this.#onTheWay(type as GraphQLObjectType, calls.join(" "), { declared, variables })
        : calls.join(" ");
    return { query: `${kind}${declared.length > 0 ? ` (${declared.join(", ")})` : ""} { ${body} }`, variables };
  }

  #given(fields: Fields, { path, scalar, values }: Place, kind: string): Record<string, unknown> {
    const last = path.at(-1) ?? "";
    const valid = this.#valueFor(last, scalar, kind);
    const value = values.length > 0 ? this.#random.pick(values) : fuzzScalar(this.#random, scalar, valid);
    return sampleOf(fields, {
      valueFor: (name, of) => this.#valueFor(name, of, kind),
      enumText: (_type, name) => name,
      puts: [{ path, value }],
    });
  }

  #valueFor(name: string, scalar: string, kind: string): unknown {
    if (scalar in plain) return plain[scalar];
    if (name === "email") return "somebody@example.com";
    if (/url$/i.test(name)) return "https://example.com/";
    const of = kindOf(name, kind in idPrefixes ? kind : kind.replace(/Payload$|Connection$/, ""));
    return (of && this.#idOf(of)) ?? "text";
  }

  /** The fields from the query type to a type, around a selection. */
  #onTheWay(
    type: GraphQLObjectType,
    inside: string,
    document: { declared: string[]; variables: Record<string, unknown> },
  ): string {
    const step = this.#ways.get(type)?.[0];
    if (!step) return inside;
    const { field } = step;
    const args = field.args.filter(isRequiredArgument).map(({ name, type: of }) => {
      const variable = `w${document.declared.length}`;
      document.declared.push(`$${variable}: ${String(of)}`);
      const [answer = type] = objectTypesOf(this.#schema, field);
      const kind = objectTypesOf(this.#schema, field).includes(type) ? type : answer;
      document.variables[variable] = sampleOf(
        { [name]: { type: of, required: true } },
        { valueFor: (at, scalar) => this.#valueFor(at, scalar, kind.name), enumText: (_type, text) => text },
      )[name];
      return `${name}: $${variable}`;
    });
    const called = `${field.name}${args.length > 0 ? `(${args.join(", ")})` : ""} { ... on ${type.name} { ${inside} } }`;
    return this.#onTheWay(step.type as GraphQLObjectType, called, document);
  }
}
