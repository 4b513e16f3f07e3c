// JSON values: read by the GraphQL type of the input that they go to, each refusal with a JSON pointer to its place.
import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import type { ErrorDetail } from "#src/base/errors.ts";
import { enumReader, isStorable, type Reading, readText } from "#src/rest/readings.ts";
import { restValuesOf } from "#src/rest/values.ts";

/** Answers the value for GraphQL. What is refused is added to `refused`, and the answer is of no use then. */
export type JsonReader = (value: unknown, pointer: string, refused: ErrorDetail[]) => unknown;

/**
 * The reader of values of a type. Enumerations take their REST values; numbers, truth values and texts have to be of the JSON type;
 * objects have no properties beside the fields of their input type; null stands only where the type is nullable.
 */
export function jsonReader(type: GraphQLInputType): JsonReader {
  return withNull(type, presentReader(isNonNullType(type) ? type.ofType : type));
}

/** Reads a JSON object as a list of input objects of `item`, whose field `key` takes the name of the property. `type` tells whether it may be null. */
export function mapReader(type: GraphQLInputType, item: GraphQLInputObjectType, key: string): JsonReader {
  const read = objectReader(item, key);
  return withNull(type, (value, pointer, refused) => {
    if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
    return Object.entries(value).map(([name, entry]) => {
      const at = `${pointer}/${escaped(name)}`;
      if (!isStorable(name)) refused.push({ path: at, message: "must be well-formed text without NUL." });
      const fields = read(entry, at, refused);
      return { ...(isRecord(fields) && fields), [key]: name };
    });
  });
}

function withNull(type: GraphQLInputType, read: JsonReader): JsonReader {
  if (!isNonNullType(type)) return (value, pointer, refused) => (value === null ? null : read(value, pointer, refused));
  return (value, pointer, refused) => {
    if (value !== null) return read(value, pointer, refused);
    refused.push({ path: pointer, message: "must not be null." });
    return undefined;
  };
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The name of a property as a step of a JSON pointer (RFC 6901). */
export function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function presentReader(type: GraphQLInputType): JsonReader {
  if (isListType(type)) return listReader(jsonReader(type.ofType));
  if (isInputObjectType(type)) return objectReader(type);
  return leafReader(type as GraphQLNamedInputType); // null, lists and objects are dealt with
}

function leafReader(type: GraphQLNamedInputType): JsonReader {
  const read = isEnumType(type) ? enumReader(restValuesOf(type)) : (leafReaders[type.name] ?? scalarReader(type));
  return (value, pointer, refused) => {
    const reading = read(value);
    if ("value" in reading) return reading.value;
    refused.push({ path: pointer, message: reading.refusal });
    return undefined;
  };
}

const readString = (value: unknown): Reading =>
  typeof value === "string" ? readText(value) : { refusal: "must be a string." };

const leafReaders: Readonly<Record<string, (value: unknown) => Reading>> = {
  ID: readString,
  String: readString,
  Boolean: (value) => (typeof value === "boolean" ? { value } : { refusal: "must be true or false." }),
  Int: (value) =>
    typeof value === "number" && value === (value | 0) ? { value } : { refusal: "must be a whole number." },
  Float: (value) => (Number.isFinite(value) ? { value } : { refusal: "must be a number." }),
};

/** Values of scalars of our own: whatever the scalar itself takes, without texts that cannot be stored. */
function scalarReader(type: GraphQLNamedInputType): (value: unknown) => Reading {
  return (value) => {
    if (!isAllStorable(value)) return { refusal: "must hold well-formed text without NUL only." };
    try {
      if ("parseValue" in type) type.parseValue(value);
      return { value };
    } catch (error) {
      return { refusal: error instanceof Error ? error.message : "is not valid." };
    }
  };
}

/** Looks through a whole JSON value, however deep. */
function isAllStorable(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string" && !isStorable(next)) return false;
    if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (isRecord(next)) for (const [name, item] of Object.entries(next)) open.push(name, item);
  }
  return true;
}

function listReader(item: JsonReader): JsonReader {
  return (value, pointer, refused) => {
    if (!Array.isArray(value)) return void refused.push({ path: pointer, message: "must be an array." });
    return value.map((entry, index) => item(entry, `${pointer}/${index}`, refused));
  };
}

/** Fields are looked up at the first value: input types may hold themselves. */
function objectReader(type: GraphQLInputObjectType, except?: string): JsonReader {
  let fields: { name: string; isRequired: boolean; read: JsonReader }[] | undefined;
  return (value, pointer, refused) => {
    if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
    fields ??= Object.values(type.getFields())
      .filter(({ name }) => name !== except)
      .map((field) => ({
        name: field.name,
        isRequired: isRequiredInputField(field),
        read: jsonReader(field.type),
      }));
    const result: Record<string, unknown> = {};
    for (const { name, isRequired, read } of fields) {
      const at = `${pointer}/${name}`;
      if (Object.hasOwn(value, name)) result[name] = read(value[name], at, refused);
      else if (isRequired) refused.push({ path: at, message: "must be given." });
    }
    const known = new Set(fields.map(({ name }) => name));
    for (const name of Object.keys(value))
      if (!known.has(name)) refused.push({ path: `${pointer}/${escaped(name)}`, message: "is not known here." });
    if (type.isOneOf && !holdsOne(result))
      refused.push({ path: pointer, message: `must have exactly one of ${[...known].join(", ")}.` });
    return result;
  };
}

function holdsOne(fields: Readonly<Record<string, unknown>>): boolean {
  const given = Object.values(fields);
  return given.length === 1 && given[0] !== null;
}
