// Bodies: what a route reads from the JSON body of a request, each property by the GraphQL type of the variable that it fills.
import type { IncomingMessage } from "node:http";
import {
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  GraphQLNonNull,
  isInputObjectType,
  isListType,
} from "graphql";
import { DomainError, type ErrorDetail } from "#src/base/errors.ts";
import { readBody } from "#src/base/request-body.ts";
import { escaped, isRecord, type JsonReader, jsonReader, mapReader } from "#src/rest/json-value.ts";
import type { BodyProperty } from "#src/rest/route.ts";

/** One property of the body of a route. */
export interface Property {
  /** Its name, and that of its variable. */
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly required: boolean;
  readonly description: string;
  /** Set for a JSON object that is read as a list: the field of the items that takes the names of the properties. */
  readonly key: string | undefined;
  readonly read: JsonReader;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** A property over a variable of a type. Throws when the type cannot be read in the way that the route says. */
export function propertyOf(
  name: string,
  described: string | BodyProperty,
  { type, required }: Pick<Property, "type" | "required">,
): Property {
  const { description, key, notNull }: BodyProperty =
    typeof described === "string" ? { description: described } : described;
  if (key === undefined) {
    const read = jsonReader(notNull ? new GraphQLNonNull(getNullableType(type)) : type);
    return { name, type, required, description, key, read };
  }
  const item = getNamedType(type);
  if (!isListType(getNullableType(type)) || !isInputObjectType(item) || !item.getFields()[key])
    throw new Error(`The variable $${name} is no list of input objects with a field ${key}.`);
  return { name, type, required, description, key, read: mapReader(type, item, key) };
}

/**
 * The JSON object that a request carries, or undefined when it has no body.
 * Throws UNSUPPORTED_MEDIA_TYPE, TOO_LARGE, and INVALID_INPUT for what is not JSON or no object.
 */
export async function readJsonBody(request: IncomingMessage): Promise<JsonObject | undefined> {
  const { "content-type": type = "", "content-encoding": encoding = "identity" } = request.headers;
  const hasBody = request.headers["transfer-encoding"] !== undefined || Number(request.headers["content-length"]) > 0;
  if (!hasBody) return undefined;
  if (!/^application\/json *(;|$)/i.test(type)) throw new DomainError("UNSUPPORTED_MEDIA_TYPE");
  if (encoding.toLowerCase() !== "identity")
    throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "The body must come without a content encoding.");
  const bytes = await readBody(request);
  return bytes.length === 0 ? undefined : parse(bytes);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function parse(bytes: Buffer): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new DomainError("INVALID_INPUT", "The body is not JSON in UTF-8.");
  }
  if (!isRecord(value)) throw new DomainError("INVALID_INPUT", "The body must be a JSON object.");
  return value;
}

/** Reads the properties of a body into variables; those that are absent stay so. Adds what is refused to `refused`. */
export function readProperties(
  properties: readonly Property[],
  body: JsonObject = {},
  { variables, refused }: { variables: Record<string, unknown>; refused: ErrorDetail[] },
): void {
  for (const { name, required, read } of properties) {
    if (Object.hasOwn(body, name)) variables[name] = read(body[name], `/${name}`, refused);
    else if (required) refused.push({ path: `/${name}`, message: "must be given." });
  }
  const known = new Set(properties.map(({ name }) => name));
  for (const name of Object.keys(body))
    if (!known.has(name)) refused.push({ path: `/${escaped(name)}`, message: "is not known here." });
}
