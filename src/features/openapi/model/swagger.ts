// Prepares OpenAPI 2.0 for its conversion, which does not follow references to bodies, does not know bodies of paths,
// prefers the media types of the document to those of an operation, and drops descriptions of security schemes.
import { isRecord } from "#src/base/json.ts";
import { entriesOf, listOf, Lookup } from "#src/features/openapi/model/lookup.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

type Fields = Record<string, unknown>;

/** Prepares a document in place. */
export function prepareSwagger(document: Fields): void {
  const lookup = new Lookup(document as unknown as SpecDocument); // repaired before
  const produces = document["produces"] ?? ["application/json"];
  for (const [, response] of entriesOf(document["responses"])) setContent(response, produces);
  for (const [, item] of entriesOf(document["paths"])) if (isRecord(item)) preparePath(item, lookup, produces);
}

const methods = ["get", "put", "post", "delete", "options", "head", "patch"];

function preparePath(item: Fields, lookup: Lookup, produces: unknown): void {
  const around = listOf(item["parameters"]).map((one) => withBody(one, lookup));
  const isBody = (one: unknown): boolean => isRecord(one) && (one["in"] === "body" || one["in"] === "formData");
  if (around.length > 0) item["parameters"] = around.filter((one) => !isBody(one));
  for (const method of methods) {
    const operation = item[method];
    if (!isRecord(operation)) continue;
    const own = listOf(operation["parameters"]).map((one) => withBody(one, lookup));
    const names = new Set(own.filter(isBody).map(nameOf));
    const bodies = around.filter((one) => isBody(one) && !names.has(nameOf(one)));
    if (own.length + bodies.length > 0) operation["parameters"] = [...structuredClone(bodies), ...own];
    for (const [, response] of entriesOf(operation["responses"]))
      setContent(response, operation["produces"] ?? produces);
  }
}

const nameOf = (parameter: unknown): string =>
  isRecord(parameter) ? `${String(parameter["in"])} ${String(parameter["name"])}` : "";

/** A reference to a parameter in the body is replaced by it. */
function withBody(given: unknown, lookup: Lookup): unknown {
  if (!isRecord(given) || typeof given["$ref"] !== "string") return given;
  const found: Fields = lookup.follow(given);
  return found["in"] === "body" || found["in"] === "formData" ? structuredClone(found) : given;
}

/** Files are never JSON. The conversion turns headers round. */
function setContent(response: unknown, produces: unknown): void {
  if (!isRecord(response)) return;
  const { schema, headers } = response;
  if (isRecord(headers)) response["headers"] = Object.fromEntries(Object.entries(headers).toReversed());
  if (schema === undefined) return;
  const isFile = isRecord(schema) && schema["type"] === "file";
  const types = listOf(produces).filter((type) => !isFile || !/json|xml/i.test(String(type)));
  const content = types.length > 0 ? types : ["application/octet-stream"];
  response["content"] = Object.fromEntries(content.map((type) => [String(type), { schema }]));
  delete response["schema"];
}

/** Adds what the conversion has dropped from security schemes. */
export function describeSchemes(document: Fields, definitions: unknown): void {
  const { components } = document;
  const schemes = isRecord(components) ? components["securitySchemes"] : undefined;
  for (const [name, { description }] of entriesOf(definitions) as [string, Fields][]) {
    const scheme = isRecord(schemes) ? schemes[name] : undefined;
    if (isRecord(scheme) && description !== undefined) scheme["description"] = description;
  }
}
