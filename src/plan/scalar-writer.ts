// Leaves: how the value of a scalar or an enumeration, or a list of such, is written as JSON, from a JavaScript value
// or straight from the bytes of a column.
import {
  GraphQLBoolean,
  type GraphQLEnumType,
  GraphQLInt,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
} from "graphql";
import type { Column } from "#src/db/connection/wire/rows.ts";
import type { Form } from "#src/plan/response-shape.ts";
import { Unfit } from "#src/plan/unsupported.ts";

/** How a leaf is read from a column; `decoded` is by way of its JavaScript value. */
export const Code = { decoded: 0, text: 1, instant: 2, integer: 3, boolean: 4, name: 5 } as const;
export type Code = (typeof Code)[keyof typeof Code];

/** Object identifiers of types, as the catalog pg_type of PostgreSQL has them. */
export const oids = { bool: 16, int4: 23, text: 25, varchar: 1043, timestamptz: 1184 } as const;
/** From here on they are types of the database's own, such as enumerations. */
const firstOwnOid = 16_384;

export interface Leaf {
  /** The JSON text of a value that is not null. Throws {@link Unfit}, or as the scalar does. */
  readonly text: (value: unknown) => string;
  /** How it is read from a column of this type. */
  readonly codeFor: (column: Column) => Code;
  /** Of an enumeration: the JSON text of the value that PostgreSQL wrote so. */
  readonly nameAt: ((bytes: Buffer, start: number, length: number) => Buffer | undefined) | null;
}

/** The leaf of a type that is a scalar or an enumeration, or a list of one. */
export function leafOf(type: GraphQLOutputType, form: Form): Leaf {
  const named = getNamedType(type);
  const one = isEnumType(named) ? enumLeaf(named, form) : scalarLeaf(named as GraphQLOutputType);
  const inner = getNullableType(type);
  return isListType(inner) ? { ...one, text: listText(inner.ofType, one.text), codeFor: () => Code.decoded } : one;
}

function enumLeaf(type: GraphQLEnumType, form: Form): Leaf {
  const written = form.namesOf(type);
  const texts = new Map(type.getValues().map(({ name, value }) => [value as unknown, JSON.stringify(written(name))]));
  return {
    text: (value) => texts.get(value) ?? unfit(`${type.name} has no such value`),
    codeFor: ({ oid }) => (oid >= firstOwnOid || oid === oids.text ? Code.name : Code.decoded),
    nameAt: nameReader([...texts]),
  };
}

/** Finds labels by their lengths and first bytes, then compares, so that no text is made of each. */
function nameReader(texts: readonly (readonly [value: unknown, json: string])[]): Leaf["nameAt"] {
  const keyOf = (length: number, first = 0) => length * 256 + first;
  const known = new Map<number, { label: Buffer; json: Buffer }[]>();
  for (const [value, json] of texts) {
    const label = Buffer.from(String(value));
    const key = keyOf(label.length, label[0]);
    known.set(key, [...(known.get(key) ?? []), { label, json: Buffer.from(json) }]);
  }
  return (bytes, start, length) => {
    for (const { label, json } of known.get(keyOf(length, bytes[start])) ?? []) {
      let same = 0;
      while (same < length && label[same] === bytes[start + same]) same++;
      if (same === length) return json;
    }
    return undefined;
  };
}

function scalarLeaf(type: GraphQLOutputType): Leaf {
  if (!isScalarType(type)) return unfit(`${String(type)} is no leaf`);
  const keepsText = keeps(type.serialize.bind(type), "text");
  return {
    text(value) {
      if (typeof value === "string" && keepsText) return JSON.stringify(value);
      if (typeof value === "boolean" && type === GraphQLBoolean) return value ? "true" : "false";
      if (typeof value === "function" || isPromise(value)) return unfit("a value that is not there yet");
      const text = JSON.stringify(type.serialize(value)) as string | undefined; // undefined has none
      return text ?? unfit(`no JSON for ${type.name}`);
    },
    codeFor({ oid, isBinary }) {
      if (keepsText && (oid === oids.text || oid === oids.varchar)) return Code.text;
      if (!isBinary) return Code.decoded;
      if (keepsText && oid === oids.timestamptz) return Code.instant;
      if (type === GraphQLInt && oid === oids.int4) return Code.integer;
      return type === GraphQLBoolean && oid === oids.bool ? Code.boolean : Code.decoded;
    },
    nameAt: null,
  };
}

/** Whether a scalar gives texts out as they are. */
function keeps(serialize: (value: unknown) => unknown, text: string): boolean {
  try {
    return serialize(text) === text;
  } catch {
    return false; // a number, say
  }
}

function listText(item: GraphQLOutputType, one: Leaf["text"]): Leaf["text"] {
  const type = getNullableType(item);
  const inner = isListType(type) ? listText(type.ofType, one) : one;
  const nothing = isNonNullType(item) ? () => unfit("null in a list") : () => "null";
  return (value) => {
    if (!Array.isArray(value)) return unfit("no list");
    if (value.some(isPromise)) throw letGo(value);
    return `[${value.map((each: unknown) => (each == null ? nothing() : inner(each))).join()}]`;
  };
}

/** Whether a value is still to come. */
export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Of a list with items that are still to come: nobody waits for them, and none may fail unheard. */
export function letGo(items: readonly unknown[]): Unfit {
  for (const item of items) if (isPromise(item)) void Promise.resolve(item).catch(() => {});
  return new Unfit("an item that is not there yet");
}

function unfit(reason: string): never {
  throw new Unfit(reason);
}
