// Reads values of parameters (texts) and bodies (JSON) by the GraphQL type of their input.
import {
  getNamedType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from "graphql";
import { DomainError, type ErrorDetail } from "#src/base/errors.ts";
import { isRecord, pointerStep } from "#src/base/json.ts";
import { isStorable, mustBeStorable } from "#src/base/text/forms.ts";
import { restValuesOf } from "#src/rest/type-forms.ts";

/** Returns the value for GraphQL. Problems are added to `refused`, and the result is unusable then. */
export type JsonReader = (value: unknown, pointer: string, refused: ErrorDetail[]) => unknown;

/** The reader of a type: enumerations by REST values, scalars by JSON type, objects without unknown properties. */
export const jsonReader = (type: GraphQLInputType, names: Names = {}): JsonReader =>
  withNull(type, presentReader(isNonNullType(type) ? type.ofType : type, names));

/** Reads a JSON object as a list of `item`, whose field `key` takes the property's name. Null where `type` may be. */
export function mapReader(type: GraphQLInputType, item: GraphQLInputObjectType, key: string): JsonReader {
  const read = objectReader(item, { except: key });
  return withNull(type, (value, pointer, refused) => {
    if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
    return Object.entries(value).map(([name, entry]) => {
      const at = `${pointer}/${pointerStep(name)}`;
      if (!isStorable(name)) refused.push({ path: at, message: mustBeStorable });
      const fields = read(entry, at, refused);
      return { ...(isRecord(fields) && fields), [key]: name };
    });
  });
}

function withNull(type: GraphQLInputType, read: JsonReader): JsonReader {
  if (isNonNullType(type)) return unlessNull(read);
  return (value, pointer, refused) => (value === null ? null : read(value, pointer, refused));
}

/** Rejects null. */
export const unlessNull =
  (read: JsonReader): JsonReader =>
  (value, pointer, refused) =>
    value === null ? void refused.push({ path: pointer, message: "must not be null." }) : read(value, pointer, refused);

function presentReader(type: GraphQLInputType, names: Names): JsonReader {
  if (isListType(type)) return listReader(jsonReader(type.ofType));
  if (isInputObjectType(type)) return objectReader(type, { names });
  return leafReader(type as GraphQLNamedInputType); // every other kind is handled above
}

function leafReader(type: GraphQLNamedInputType): JsonReader {
  const read = isEnumType(type) ? enumReader(restValuesOf(type)) : (leafReaders[type.name] ?? scalarReader(type));
  return (value, pointer, refused) => {
    const reading = read(value);
    return "value" in reading ? reading.value : void refused.push({ path: pointer, message: reading.refusal });
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

/** Values of our own scalars: parsed by the scalar itself, without texts that cannot be stored. */
function scalarReader(type: GraphQLNamedInputType): (value: unknown) => Reading {
  return (value) => {
    if (!isAllStorable(value)) return { refusal: `every text in it ${mustBeStorable}` };
    try {
      if ("parseValue" in type) type.parseValue(value);
      return { value };
    } catch (error) {
      return { refusal: error instanceof Error ? error.message : "is not valid." };
    }
  };
}

/** Checks a whole JSON value, however deep. */
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

/** The type of files, which only multipart requests to GraphQL support. */
export const upload = "Upload";

/** The fields of an input type are looked up at the first value: input types may be recursive. */
function objectReader(
  type: GraphQLInputObjectType,
  { except, names = {} }: { except?: string; names?: Names },
): JsonReader {
  let fields: Field[] | undefined;
  return (value, pointer, refused) => {
    if (!isRecord(value)) return void refused.push({ path: pointer, message: "must be an object." });
    fields ??= Object.values(type.getFields())
      .filter(({ name, type: of }) => name !== except && getNamedType(of).name !== upload)
      .map((field) => ({
        name: names[field.name] ?? field.name,
        to: field.name,
        required: isRequiredInputField(field),
        read: jsonReader(field.type),
      }));
    const result = readFields(fields, value, { pointer, refused });
    if (type.isOneOf && !holdsOne(result)) {
      const names = fields.map(({ name }) => name).join(", ");
      refused.push({ path: pointer, message: `must set exactly one of ${names}.` });
    }
    return result;
  };
}

/** Names of properties by the fields that they fill, if these have other names. */
export type Names = Readonly<Record<string, string>>;

export interface Field {
  readonly name: string;
  /** The field that it fills, if that has another name. */
  readonly to?: string;
  readonly required: boolean;
  readonly read: JsonReader;
}

/** Reads the properties of a JSON object; absent ones stay absent. Problems are added to `refused`. */
export function readFields(
  fields: readonly Field[],
  object: Readonly<Record<string, unknown>>,
  { pointer, refused }: { pointer: string; refused: ErrorDetail[] },
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const { name, to = name, required, read } of fields) {
    const at = `${pointer}/${name}`;
    if (Object.hasOwn(object, name)) result[to] = read(object[name], at, refused);
    else if (required) refused.push({ path: at, message: "must be given." });
  }
  const known = new Set(fields.map(({ name }) => name));
  for (const name of Object.keys(object))
    if (!known.has(name))
      refused.push({ path: `${pointer}/${pointerStep(name)}`, message: "is not a known property." });
  return result;
}

function holdsOne(fields: Readonly<Record<string, unknown>>): boolean {
  const given = Object.values(fields);
  return given.length === 1 && given[0] !== null;
}

/** A parsed value, or why it is invalid. */
export type Reading = { readonly value: unknown } | { readonly refusal: string };

/** Text, for any type without its own reader. */
export function readText(text: string): Reading {
  return isStorable(text) ? { value: text } : { refusal: mustBeStorable };
}

/** Reads the REST values of an enumeration; `values` maps its GraphQL names to them. */
export function enumReader(values: ReadonlyMap<string, string>): (value: unknown) => Reading {
  const names = new Map<unknown, string>([...values].map(([name, value]) => [value, name]));
  const refusal = `must be one of ${[...names.keys()].join(", ")}.`;
  return (value) => {
    const name = names.get(value);
    return name === undefined ? { refusal } : { value: name };
  };
}

/** The problem of a path, a query or a parameter with malformed percent escapes. */
export const mustBeDecodable = "must be percent-encoded UTF-8; encode a percent sign as %25.";

/** The most details in one response: enough for a person, and responses stay small whatever was sent. */
const detailLimit = 100;

/** The error for rejected inputs, of which there is at least one. */
export function refusalOf(details: readonly ErrorDetail[]): DomainError {
  const [first] = details;
  const isOne = details.length === 1 && first;
  const message = isOne
    ? `${first.path}: ${first.message}`
    : "Several inputs of the request are not valid; see details.";
  return new DomainError("INVALID_INPUT", message, details.slice(0, detailLimit));
}
