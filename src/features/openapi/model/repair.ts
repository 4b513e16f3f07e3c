// Repairs the form of a document, so that its conversion and its pages can rely on it: values that cannot be meant are
// removed, and numbers where OpenAPI has texts become texts. Validation has reported both before.
import { isRecord } from "#src/base/json.ts";
import { scalarText } from "#src/features/openapi/model/exact.ts";
import {
  childrenOf,
  type Child,
  isExtension,
  type ObjectKind,
  type Slot,
  slotsOf,
} from "#src/features/openapi/model/grammar.ts";

type Fields = Record<string, unknown>;

/** Repairs a document, and all objects in it, in place. */
export function repair(document: Fields): void {
  const open: Child[] = [{ kind: "document", pointer: "", value: document }];
  for (let next = open.pop(); next; next = open.pop()) {
    repairObject(next.kind, next.value);
    open.push(...childrenOf(next));
  }
}

/** Fields that are texts wherever they are, outside of data. */
const texts: ReadonlySet<string> = new Set(
  (
    "$ref title summary description version operationId name in url host basePath style pattern format termsOfService " +
    "bearerFormat scheme openIdConnectUrl contentMediaType contentEncoding externalValue collectionFormat parent kind"
  ).split(" "),
);

/** Fields that are lists of texts. */
const textLists: readonly string[] = ["tags", "required", "schemes", "consumes", "produces"];

/** Fields that are lists of objects. */
const objectLists: readonly string[] = ["servers", "security", "tags"];

/** Fields that are any value. */
const data: ReadonlySet<string> = new Set(["example", "default", "const", "value", "dataValue", "serializedValue"]);

function repairObject(kind: ObjectKind, value: Fields): void {
  for (const [name, slot] of slotsOf(kind, value)) repairSlot(value, name, slot);
  for (const name of textLists) if (name in value && !isOther(kind, name)) set(value, name, textsOf(value[name]));
  for (const name of objectLists)
    if (name in value && (kind === "document" || name !== "tags")) repairObjects(value, name);
  repairTexts(value);
  if (isRecord(value["externalDocs"])) repairTexts(value["externalDocs"]);
  if (kind === "schema") repairSchema(value);
  if (kind !== "document") return;
  if (!isRecord(value["info"])) value["info"] = {};
  repairTexts(value["info"] as Fields);
}

/** `tags` of a document are objects, and `required` of a parameter is a boolean. */
const isOther = (kind: ObjectKind, name: string): boolean =>
  (kind === "document" && name === "tags") || (kind !== "schema" && name === "required");

/** A list of texts; a text is a list of one. */
function textsOf(given: unknown): string[] | undefined {
  if (Array.isArray(given)) return given.flatMap((one: unknown) => textOf(one) ?? []);
  return typeof given === "string" ? [given] : undefined;
}

/** Repairs the texts of an object, and removes its other fields that are null. */
function repairTexts(value: Fields): void {
  for (const [name, given] of Object.entries(value)) {
    if (name.startsWith("x-") || data.has(name)) continue;
    if (given === null) delete value[name];
    else if (texts.has(name)) set(value, name, textOf(given));
  }
}

/** A list of servers, tags, or ways to authorize. */
function repairObjects(value: Fields, name: string): void {
  const given = value[name];
  const members = Array.isArray(given) ? given.filter(isRecord) : undefined;
  for (const one of members ?? []) (name === "security" ? repairWay : repairTexts)(one);
  set(value, name, members);
}

const textOf = (given: unknown): string | undefined =>
  scalarText(given) ?? (typeof given === "string" ? given : undefined);

function set(value: Fields, name: string, to: unknown): void {
  if (to === undefined) delete value[name];
  else value[name] = to;
}

/** Keeps only objects, and booleans where a schema may be one. Named objects that are null have no fields. */
function repairSlot(value: Fields, name: string, [form, kind]: Slot): void {
  const given = value[name];
  const fits = (one: unknown): boolean => isRecord(one) || (kind === "schema" && typeof one === "boolean");
  if (form === "named" && kind === "example") value[name] = namedExamples(given);
  else if (form === "named" && isRecord(given)) {
    for (const [key, one] of Object.entries(given))
      if (one === null) given[key] = {};
      else if (!fits(one) && !isExtension(kind, key)) delete given[key];
  } else if (form === "many" && Array.isArray(given)) {
    const members = given.filter(fits);
    value[name] = kind === "parameter" ? members.filter(isParameter) : members;
  } else if (form === "named" || !(fits(given) && (form === "one" || kind === "schema"))) delete value[name];
}

/** Examples by name; a list, and values instead of objects that have them, are common mistakes. */
function namedExamples(given: unknown): Fields {
  if (Array.isArray(given)) return Object.fromEntries(given.map((one: unknown, index) => [index + 1, exampleOf(one)]));
  return isRecord(given) ? Object.fromEntries(Object.entries(given).map(([name, one]) => [name, exampleOf(one)])) : {};
}

const valueFields = ["value", "externalValue", "dataValue", "serializedValue", "$ref"];

function exampleOf(one: unknown): Fields {
  const isExample =
    isRecord(one) &&
    (valueFields.some((name) => name in one) ||
      Object.keys(one).every((name) => name === "summary" || name === "description"));
  return isExample ? one : { value: one };
}

const isParameter = (one: unknown): boolean =>
  isRecord(one) && (typeof one["$ref"] === "string" || (textOf(one["name"]) !== undefined && "in" in one));

/** A way to authorize: scopes by the names of schemes. */
function repairWay(way: Fields): void {
  for (const [name, scopes] of Object.entries(way)) way[name] = textsOf(scopes) ?? [];
}

function repairSchema(schema: Fields): void {
  const { type, examples, dependencies } = schema;
  if ("enum" in schema && !Array.isArray(schema["enum"])) delete schema["enum"];
  if (Array.isArray(type)) schema["type"] = type.filter((one) => typeof one === "string");
  else if (typeof type !== "string") delete schema["type"];
  if (examples !== undefined && !Array.isArray(examples) && !isRecord(examples)) delete schema["examples"];
  if (!isRecord(dependencies)) return;
  // A keyword of earlier drafts, which has two forms.
  for (const [name, needed] of Object.entries(dependencies)) {
    const keyword = Array.isArray(needed) ? "dependentRequired" : "dependentSchemas";
    const others = schema[keyword];
    schema[keyword] = { ...(isRecord(others) ? others : {}), [name]: needed };
  }
  delete schema["dependencies"];
}
