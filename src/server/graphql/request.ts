// A GraphQL request of any transport: the parameters of the specification, checked for their types, and its
// extensions, which set how it runs.
import type { IncomingMessage } from "node:http";
import { requireUtf8 } from "#src/base/charset.ts";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import type { Context } from "#src/domain/context.ts";
import { readCostAsked } from "#src/domain/cost.ts";
import { readIdempotency } from "#src/domain/idempotency.ts";
import { type DocumentSent, namesDocument } from "#src/graph/documents/sent-documents.ts";
import type { Variables } from "#src/graph/run/execute.ts";
import { receiveForm, type Receiving, type UploadForm } from "#src/server/graphql/uploads.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import { readBody } from "#src/http/request-body.ts";
import type { PromiseOrValue } from "#src/runtime/waiting.ts";
import { markReplayed } from "#src/server/http/request-contexts.ts";

export interface GraphQLRequest extends DocumentSent {
  readonly operationName?: string | null;
  readonly variables?: Variables | null;
}

export interface Sent {
  /** The parameters, not checked yet; in a batch a list of them. */
  readonly value: unknown;
  /** The files of a multipart request, which are still to be received. */
  readonly form: UploadForm | null;
}

/** Throws UNSUPPORTED_MEDIA_TYPE unless it is JSON or multipart in UTF-8, INVALID_INPUT for invalid JSON. */
export function receiveRequest(request: IncomingMessage, receiving: Receiving): PromiseOrValue<Sent> {
  if (request.method === "GET") return { value: parametersIn(searchOf(request)), form: null };
  if (request.method !== "POST") return { value: undefined, form: null };
  const { "content-type": contentType = "", "content-encoding": encoding = "identity" } = request.headers;
  if (encoding.toLowerCase() !== "identity") throw new DomainError("UNSUPPORTED_MEDIA_TYPE", notCompressed);
  requireUtf8(contentType);
  if (isJsonType(contentType)) return readBody(request).then((body) => ({ value: parse(body), form: null }));
  return receiveForm(request, receiving).then((form) => {
    if (!form) throw new DomainError("UNSUPPORTED_MEDIA_TYPE", noBodyType);
    return { value: form.operation, form };
  });
}

export const isJsonType = (contentType = ""): boolean => /^application\/(graphql\+)?json *(;|$)/i.test(contentType);

const noBodyType =
  "The body must be JSON, with Content-Type: application/json, or multipart/form-data if it contains files.";

const notCompressed = "The body must not be compressed: omit Content-Encoding.";

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new DomainError("INVALID_INPUT", "The body must be JSON.");
  }
}

function parametersIn(search: string): object {
  const parameters = new URLSearchParams(search);
  const text = (name: string) => parameters.get(name) ?? undefined;
  const json = (name: "variables" | "extensions"): unknown => {
    try {
      return JSON.parse(parameters.get(name) ?? "null");
    } catch {
      throw invalidInput(name, "must be a JSON object.");
    }
  };
  return {
    query: text("query"),
    documentId: text("documentId"),
    operationName: text("operationName"),
    variables: json("variables"),
    extensions: json("extensions"),
  };
}

const names = new Set(["query", "documentId", "operationName", "variables", "extensions"]);

/** The request of some parameters; null if they are invalid. */
export function requestIn(value: unknown): GraphQLRequest | null {
  if (!isRecord(value) || !Object.keys(value).every((name) => names.has(name) || value[name] === null)) return null;
  const { query, operationName, variables, extensions } = value;
  const isWhole =
    (query === undefined || typeof query === "string") &&
    (operationName == null || typeof operationName === "string") &&
    (variables == null || isRecord(variables)) &&
    (extensions == null || isRecord(extensions));
  const request = value as unknown as GraphQLRequest; // every part was checked above
  return isWhole && namesDocument(request) ? request : null;
}

/**
 * The context of a request whose extensions may set more than its headers do. With `exchange`, for a single operation,
 * a header marks a repeated response. Throws INVALID_INPUT for an invalid key or cost.
 */
export function withExtensions(
  context: Context,
  extensions: GraphQLRequest["extensions"],
  exchange?: Exchange,
): Context {
  if (!extensions) return context;
  const tellReplayed = exchange && (() => markReplayed(exchange));
  const { idempotencyKey, cost } = extensions;
  return {
    ...context,
    idempotency: readIdempotency("extension", idempotencyKey, tellReplayed) ?? context.idempotency,
    costAsked: readCostAsked("extensions.cost", cost) ?? context.costAsked,
  };
}
