// One HTTP exchange: the request, the response and what the log line of it will say; sending answers on node:http.
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { StatementMeter } from "#src/db/database.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path of the request without the query, which may hold secrets. */
  readonly path: string;
  readonly requestId: string;
  readonly meter: StatementMeter;
  /** Name of the GraphQL operation that ran, once known. */
  operationName: string | undefined;
}

export function openExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const requestId = saneRequestId(request.headers["x-request-id"]) ?? randomUUID();
  response.setHeader("x-request-id", requestId);
  return { request, response, path: pathOf(request), requestId, meter: { statements: 0 }, operationName: undefined };
}

/** The path of a request without the query. Cut as text: a target from outside need not be a URL that parses. */
export function pathOf({ url = "/" }: IncomingMessage): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

function saneRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" && /^[\w.:-]{1,100}$/.test(header) ? header : undefined;
}

/** Sends a whole answer. As text it is written with the head in one piece, which saves a system call's worth of work. */
export function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(body) });
  response.end(body);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, "application/json; charset=utf-8", JSON.stringify(value));
}

/** The address of a request whose path was matched, for what needs a whole URL. The host is ours: the header may hold anything. */
export function urlOf(request: IncomingMessage): string {
  return `http://localhost${request.url ?? "/"}`;
}
