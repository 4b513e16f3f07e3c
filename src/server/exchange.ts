// One HTTP exchange: the request, the response and what the log line of it will say; reading bodies and sending answers on node:http.
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { DomainError } from "#src/base/errors.ts";
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

/** Largest request body in bytes (1 MB). */
export const bodyLimit = 1_000_000;

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

/** Reads the whole body. Throws TOO_LARGE beyond {@link bodyLimit}, without reading on. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers["content-length"] ?? 0) > bodyLimit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function tooLarge(): DomainError {
  return new DomainError("TOO_LARGE", `The body must be at most ${bodyLimit} bytes.`);
}

/** Sends a whole answer. */
export function send(response: ServerResponse, status: number, contentType: string, body: string): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, { "content-type": contentType, "content-length": bytes.length });
  response.end(bytes);
}

export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, "application/json; charset=utf-8", JSON.stringify(value));
}

/** The address of a request as node:http has it, for what needs a whole URL. */
export function urlOf(request: IncomingMessage): string {
  return `http://${request.headers.host ?? "localhost"}${request.url ?? "/"}`;
}
