// /v1 on node:http: passes requests to the REST adapter, and sends its responses.
import { ByteWriter } from "#src/plan/byte-writer.ts";
import { readBody } from "#src/http/request-body.ts";
import { type Handler, type RequestContexts, searchOf } from "#src/http/exchange.ts";
import type { Rest } from "#src/rest/rest.ts";
import {
  keepFromSharedCaches,
  letCachesKeep,
  sendEmpty,
  sendJsonText,
  sendOut,
  setRetryAfter,
} from "#src/http/send.ts";

export function createRestHandler(rest: Rest, contexts: Pick<RequestContexts, "ofRequest" | "ofAnyone">): Handler {
  return async (exchange) => {
    const { request, response, path, watched } = exchange;
    watched.transport = "rest";
    let isPublished = false;
    const { status, headers, body, refusal } = await rest({
      method: request.method ?? "GET",
      path,
      search: searchOf(request),
      headers: request.headers,
      readBody: (limit) => readBody(request, limit),
      contextFor({ method, path: pattern, operationId, openToVisitors, readsPublished = false }) {
        isPublished = readsPublished;
        exchange.operationName = operationId;
        watched.operation = `${method} ${pattern}`;
        watched.place = pattern;
        if (openToVisitors) keepFromSharedCaches(exchange);
        return openToVisitors ? contexts.ofAnyone(exchange) : contexts.ofRequest(exchange);
      },
    });
    exchange.refusal = refusal;
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    setRetryAfter(response, status);
    if (isPublished && status === 200) letCachesKeep(exchange);
    if (body === undefined) sendEmpty(response, status);
    else if (body instanceof ByteWriter) sendOut(response, "application/json; charset=utf-8", body);
    else sendJsonText(response, status, body);
  };
}
