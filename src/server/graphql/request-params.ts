// What a request of GraphQL asks for: the parameters that the specification names, checked for their types.
import type { IncomingMessage } from "node:http";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import type { Variables } from "#src/graph/run/execute.ts";
import { type DocumentSent, namesDocument } from "#src/graph/documents/sent-documents.ts";
import { urlOf } from "#src/http/exchange.ts";

export interface Asked extends DocumentSent {
  operationName?: string | null;
  variables?: Variables | null;
}

/**
 * What a GET asks for by its query string; null where something is wrong with it. Throws INVALID_INPUT for variables
 * and extensions that are not JSON.
 */
export function askedByUrl(request: IncomingMessage): Asked | null {
  const parameters = new URL(urlOf(request)).searchParams;
  const query = parameters.get("query") ?? undefined;
  const variables = jsonIn(parameters, "variables");
  const extensions = jsonIn(parameters, "extensions");
  const isWhole = (isRecord(variables) || variables === null) && (isRecord(extensions) || extensions === null);
  const documentId = parameters.get("documentId");
  const asked = { query, documentId, operationName: parameters.get("operationName"), extensions } as Asked;
  return isWhole && namesDocument(asked) ? { ...asked, variables } : null;
}

function jsonIn(parameters: URLSearchParams, name: "variables" | "extensions"): unknown {
  try {
    return JSON.parse(parameters.get(name) ?? "null");
  } catch {
    throw invalidInput(name, "must be a JSON object.");
  }
}

const bodyKeys = new Set(["query", "documentId", "operationName", "variables", "extensions"]);

/** The value in a body. INVALID_INPUT for what is not JSON. */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new DomainError("INVALID_INPUT", "The body must be JSON.");
  }
}

/** What a value of a body asks for; null where something is wrong with it. */
export function askedIn(value: unknown): Asked | null {
  if (!isRecord(value) || !Object.keys(value).every((key) => bodyKeys.has(key))) return null;
  const { query, operationName, variables, extensions } = value;
  const isWhole =
    (query === undefined || typeof query === "string") &&
    (operationName == null || typeof operationName === "string") &&
    (variables == null || isRecord(variables)) &&
    (extensions == null || isRecord(extensions));
  const asked = value as unknown as Asked; // every part was checked above
  return isWhole && namesDocument(asked) ? asked : null;
}
