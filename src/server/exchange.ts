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
  const url = request.url ?? "/";
  const query = url.indexOf("?");
  const path = query < 0 ? url : url.slice(0, query);
  return { request, response, path, requestId, meter: { statements: 0 }, operationName: undefined };
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

/** The address of a request as node:http has it, for what needs a whole URL. */
export function urlOf(request: IncomingMessage): string {
  return `http://${request.headers.host ?? "localhost"}${request.url ?? "/"}`;
}
