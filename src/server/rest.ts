// /v1 on node:http: hands requests to the REST adapter, and sends what it answers.
import type { IncomingMessage } from "node:http";
import { Out } from "#src/plan/out.ts";
import { readBody } from "#src/server/request-body.ts";
import type { Rest } from "#src/rest/rest.ts";
import { type ContextOf, type Handler, sendEmpty, sendJsonText, sendOut } from "#src/server/exchange.ts";

/** The handler of every path under `/v1`. */
export function createRestHandler(rest: Rest, contextOf: ContextOf): Handler {
  return async (exchange) => {
    const { request, response, path } = exchange;
    const { status, headers, body } = await rest({
      method: request.method ?? "GET",
      path,
      search: searchOf(request),
      headers: request.headers,
      readBody: () => readBody(request),
      contextFor(operationId) {
        exchange.operationName = operationId;
        return contextOf(exchange);
      },
    });
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (body === undefined) sendEmpty(response, status);
    else if (body instanceof Out) sendOut(response, "application/json; charset=utf-8", body);
    else sendJsonText(response, status, body);
  };
}

function searchOf({ url = "" }: IncomingMessage): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}
