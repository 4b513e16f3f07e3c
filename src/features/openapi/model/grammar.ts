// The fields of the objects of OpenAPI (2.0 to 3.2) that contain other objects or references. All else -
// examples, defaults, extensions - is data, in which `$ref` is an ordinary name.
import { isRecord, pointerStep } from "#src/base/json.ts";

export type ObjectKind =
  | "document"
  | "components"
  | "pathItem"
  | "operation"
  | "parameter"
  | "header"
  | "requestBody"
  | "response"
  | "mediaType"
  | "encoding"
  | "example"
  | "link"
  | "callback"
  | "securityScheme"
  | "schema";

/** How a field contains objects: one, a list or one (`many`), or by name. */
export type Slot = readonly ["one" | "many" | "named", ObjectKind];
type Fields = Readonly<Record<string, Slot>>;

const operation: Slot = ["one", "operation"];
const schema: Slot = ["one", "schema"];
const schemas: Slot = ["many", "schema"];
const namedSchemas: Slot = ["named", "schema"];
const value: Fields = { schema, content: ["named", "mediaType"], examples: ["named", "example"] };

const grammar: Readonly<Record<ObjectKind, Fields>> = {
  document: {
    paths: ["named", "pathItem"],
    webhooks: ["named", "pathItem"],
    components: ["one", "components"],
    definitions: namedSchemas,
    parameters: ["named", "parameter"],
    responses: ["named", "response"],
    securityDefinitions: ["named", "securityScheme"],
  },
  components: {
    schemas: namedSchemas,
    responses: ["named", "response"],
    parameters: ["named", "parameter"],
    examples: ["named", "example"],
    requestBodies: ["named", "requestBody"],
    headers: ["named", "header"],
    securitySchemes: ["named", "securityScheme"],
    links: ["named", "link"],
    callbacks: ["named", "callback"],
    pathItems: ["named", "pathItem"],
    mediaTypes: ["named", "mediaType"],
  },
  pathItem: {
    parameters: ["many", "parameter"],
    get: operation,
    put: operation,
    post: operation,
    delete: operation,
    options: operation,
    head: operation,
    patch: operation,
    trace: operation,
    query: operation,
    additionalOperations: ["named", "operation"],
  },
  operation: {
    parameters: ["many", "parameter"],
    requestBody: ["one", "requestBody"],
    responses: ["named", "response"],
    callbacks: ["named", "callback"],
  },
  parameter: value,
  header: value,
  requestBody: { content: ["named", "mediaType"] },
  response: { schema, headers: ["named", "header"], content: ["named", "mediaType"], links: ["named", "link"] },
  mediaType: {
    schema,
    itemSchema: schema,
    examples: ["named", "example"],
    encoding: ["named", "encoding"],
    itemEncoding: ["one", "encoding"],
    prefixEncoding: ["many", "encoding"],
  },
  encoding: { headers: ["named", "header"], encoding: ["named", "encoding"] },
  example: {},
  link: {},
  callback: {}, // all its fields are path items
  securityScheme: {},
  schema: {
    properties: namedSchemas,
    patternProperties: namedSchemas,
    dependentSchemas: namedSchemas,
    $defs: namedSchemas,
    definitions: namedSchemas,
    additionalProperties: schema,
    propertyNames: schema,
    unevaluatedProperties: schema,
    unevaluatedItems: schema,
    items: schemas,
    prefixItems: schemas,
    contains: schema,
    contentSchema: schema,
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
    not: schema,
    if: schema,
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: schema,
    else: schema,
  },
};

export type Child = { readonly kind: ObjectKind; readonly pointer: string; readonly value: Record<string, unknown> };

/** The fields of an object that contain other objects. */
export function slotsOf(kind: ObjectKind, value: Record<string, unknown>): [string, Slot][] {
  if (kind === "callback")
    return Object.keys(value).flatMap((name) =>
      name.startsWith("x-") || name === "$ref" ? [] : [[name, ["one", "pathItem"]]],
    );
  return Object.entries(grammar[kind]).filter(([name]) => Object.hasOwn(value, name));
}

/** The objects right below an object; values of other forms are left out. */
export function childrenOf({ kind, pointer, value }: Child): Child[] {
  return slotsOf(kind, value).flatMap(([name, slot]) => inSlot(slot, value[name], `${pointer}/${pointerStep(name)}`));
}

/** Whether a name among named objects is an extension, whose value may be anything. */
export const isExtension = (kind: ObjectKind, name: string): boolean => name.startsWith("x-") && kind === "pathItem";

function inSlot([form, kind]: Slot, held: unknown, pointer: string): Child[] {
  if (form !== "named" && isRecord(held)) return [{ kind, pointer, value: held }];
  const members =
    form === "named" && isRecord(held) ? Object.entries(held) : Array.isArray(held) ? [...held.entries()] : [];
  return members.flatMap(([name, one]: [string | number, unknown]) => {
    const isObject = isRecord(one) && !isExtension(kind, String(name));
    return isObject ? [{ kind, pointer: `${pointer}/${pointerStep(String(name))}`, value: one }] : [];
  });
}

/** The path of the section for shared objects of a kind; null if missing. */
export function sectionOf(kind: ObjectKind, isSwagger: boolean): readonly string[] | null {
  const fields = Object.entries(grammar[isSwagger ? "document" : "components"]);
  const name = fields.find(([, [form, of]]) => form === "named" && of === kind && kind !== "pathItem")?.[0];
  if (name === undefined) return null;
  return isSwagger ? [name] : ["components", name];
}
