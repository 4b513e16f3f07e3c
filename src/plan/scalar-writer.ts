// Writes scalars, enumerations and lists of them as JSON, from JavaScript values or from column bytes.
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
import type { ResponseShape } from "#src/plan/response-shape.ts";
import { keptJson } from "#src/runtime/kept-json.ts";
import { Unsupported } from "#src/plan/byte-writer.ts";

/** How a value is read from a column; `decoded` uses its JavaScript value. */
export const Code = { decoded: 0, text: 1, instant: 2, integer: 3, boolean: 4, name: 5 } as const;
export type Code = (typeof Code)[keyof typeof Code];

/** OIDs of pg_type. */
export const oids = { bool: 16, int4: 23, text: 25, varchar: 1043, timestamptz: 1184 } as const;
/** User-defined types, such as enumerations, have OIDs from here on. */
const firstOwnOid = 16_384;

export interface ScalarWriter {
  /** The JSON of a non-null value, as bytes if they are kept. Throws {@link Unsupported}, or as `serialize` does. */
  readonly text: (value: unknown) => string | Buffer;
  readonly codeFor: (column: Column) => Code;
  /** Of an enumeration: the JSON of a label that PostgreSQL wrote. */
  readonly nameAt: ((bytes: Buffer, start: number, length: number) => Buffer | undefined) | null;
}

export function scalarWriterOf(type: GraphQLOutputType, shape: ResponseShape): ScalarWriter {
  const named = getNamedType(type);
  const one = isEnumType(named) ? enumWriter(named, shape) : plainWriter(named as GraphQLOutputType);
  const inner = getNullableType(type);
  return isListType(inner) ? { ...one, text: listText(inner.ofType, one.text), codeFor: () => Code.decoded } : one;
}

function enumWriter(type: GraphQLEnumType, shape: ResponseShape): ScalarWriter {
  const written = shape.namesOf(type);
  const texts = new Map(type.getValues().map(({ name, value }) => [value as unknown, JSON.stringify(written(name))]));
  return {
    text: (value) => texts.get(value) ?? unsupported(`${type.name} does not have this value`),
    codeFor: ({ oid }) => (oid >= firstOwnOid || oid === oids.text ? Code.name : Code.decoded),
    nameAt: nameReader([...texts]),
  };
}

/** Looks labels up by length and first byte, without making a string of each. */
function nameReader(texts: readonly (readonly [value: unknown, json: string])[]): ScalarWriter["nameAt"] {
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

function plainWriter(type: GraphQLOutputType): ScalarWriter {
  if (!isScalarType(type)) return unsupported(`${String(type)} is not a leaf type`);
  const keepsText = keeps(type.serialize.bind(type), "text");
  return {
    text(value) {
      if (typeof value === "string" && keepsText) return JSON.stringify(value);
      if (typeof value === "boolean" && type === GraphQLBoolean) return value ? "true" : "false";
      if (typeof value === "function" || isPromise(value)) return unsupported("a pending value");
      const serialized: unknown = type.serialize(value);
      const kept = typeof serialized === "object" && serialized !== null ? keptJson(serialized) : undefined;
      if (kept) return kept;
      const text = JSON.stringify(serialized) as string | undefined; // undefined has no JSON
      return text ?? unsupported(`no JSON representation of ${type.name}`);
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

function keeps(serialize: (value: unknown) => unknown, text: string): boolean {
  try {
    return serialize(text) === text;
  } catch {
    return false; // a number, say
  }
}

function listText(item: GraphQLOutputType, one: ScalarWriter["text"]): ScalarWriter["text"] {
  const type = getNullableType(item);
  const inner = isListType(type) ? listText(type.ofType, one) : one;
  const nothing = isNonNullType(item) ? () => unsupported("null in a list") : () => "null";
  return (value) => {
    if (!Array.isArray(value)) return unsupported("no list");
    if (value.some(isPromise)) throw abandon(value);
    return `[${value.map((each: unknown) => (each == null ? nothing() : inner(each))).join()}]`;
  };
}

export const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";

/** Ignores the rejections of pending items, which are not awaited, and returns the error. */
export function abandon(items: readonly unknown[]): Unsupported {
  for (const item of items) if (isPromise(item)) void Promise.resolve(item).catch(() => {});
  return new Unsupported("a pending item");
}

function unsupported(reason: string): never {
  throw new Unsupported(reason);
}
