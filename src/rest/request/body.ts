// Bodies: the properties that a route reads from a JSON body, each by the type of the variable that it fills.
import {
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  GraphQLNonNull,
  isInputObjectType,
  isListType,
} from "graphql";
import { requireUtf8 } from "#src/base/charset.ts";
import { DomainError } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import type { SchemaLimits } from "#src/graph/schema/rest-forms.ts";
import type { JsonForm } from "#src/rest/request/property-forms.ts";
import {
  type Field,
  jsonReader,
  type JsonReader,
  mapReader,
  type Names,
  unlessNull,
} from "#src/rest/request/values.ts";
import type { BodyProperty } from "#src/rest/route.ts";

/** One property of the body of a route. Its name is also that of its variable. */
export interface Property extends Field {
  readonly type: GraphQLInputType;
  readonly description: string;
  /** Set for a JSON object that is read as a list: the field of the items that receives the property names. */
  readonly key: string | undefined;
  readonly limits: SchemaLimits;
  /** Whether null has a meaning, though the type does not say so. */
  readonly mayBeNull: boolean;
  /** Whether an empty object counts as omitted. */
  readonly mayBeEmpty: boolean;
  readonly form: JsonForm | undefined;
  readonly names: Names;
}

const unlessEmpty =
  (read: JsonReader): JsonReader =>
  (value, pointer, refused) =>
    isRecord(value) && Object.keys(value).length === 0 ? undefined : read(value, pointer, refused);

export type JsonObject = Readonly<Record<string, unknown>>;

/** A property that fills a variable. Throws if the declaration of the route does not match its type. */
export function propertyOf(
  name: string,
  described: string | BodyProperty,
  variable: Pick<Property, "type" | "required" | "limits">,
): Property {
  const of: BodyProperty = typeof described === "string" ? { description: described } : described;
  const { description, key, notNull, mayBeNull = false, mayBeEmpty = false, form } = of;
  const names = of.names ?? form?.names ?? {};
  const { limits } = variable;
  const isNeeded = of.required ?? false;
  const type = isNeeded ? new GraphQLNonNull(getNullableType(variable.type)) : variable.type;
  const required = isNeeded || variable.required;
  const property = { name, type, required, description, key, limits, mayBeNull, mayBeEmpty, form, names };
  if (key === undefined) {
    const reader = form?.read ?? jsonReader(type, names);
    const present = notNull ? unlessNull(reader) : reader;
    const read = mayBeEmpty ? unlessEmpty(present) : present;
    return { ...property, read };
  }
  const item = getNamedType(type);
  if (!isListType(getNullableType(type)) || !isInputObjectType(item) || !item.getFields()[key])
    throw new Error(`The variable $${name} must be a list of input objects with the field ${key}.`);
  return { ...property, read: mapReader(type, item, key) };
}

/** The body of a request that is still to be read, and the headers that describe it, by names in lower case. */
export interface SentBody {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Throws TOO_LARGE beyond the limit in bytes, or else the default one, and INVALID_INPUT if truncated. */
  readonly readBody: (limit?: number) => Promise<Buffer>;
}

/** The JSON object of a request; undefined without a body. Throws UNSUPPORTED_MEDIA_TYPE, TOO_LARGE, INVALID_INPUT. */
export async function readJsonBody({ headers, readBody }: SentBody, limit?: number): Promise<JsonObject | undefined> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = headers;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
  if (!hasBody) return undefined;
  if (!/^application\/json *(;|$)/i.test(String(type))) throw new DomainError("UNSUPPORTED_MEDIA_TYPE");
  requireUtf8(String(type));
  if (String(encoding).toLowerCase() !== "identity")
    throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "The body must not be compressed: omit Content-Encoding.");
  const bytes = await readBody(limit);
  return bytes.length === 0 ? undefined : parse(bytes);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Buffer): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new DomainError("INVALID_INPUT", "The body must be valid JSON in UTF-8.");
  }
  if (!isRecord(value)) throw new DomainError("INVALID_INPUT", "The body must be a JSON object.");
  return value;
}
