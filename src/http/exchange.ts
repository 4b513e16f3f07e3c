// One HTTP exchange: the request, the response and what the log line of it will say; sending answers on node:http.
import { hash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { type DomainError, errorBody, type ErrorCode, RateLimitedError, retryAfter } from "#src/base/errors.ts";
import { inTurns } from "#src/runtime/yielding.ts";
import type { Context } from "#src/domain/context.ts";
import { StatementCounter } from "#src/db/connection/database.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import type { ByteWriter } from "#src/plan/byte-writer.ts";
import { type Compression, compressionFor } from "#src/http/compression.ts";
import { hasVersion } from "#src/http/ranges.ts";
import { unreadAnswers } from "#src/http/backpressure.ts";
import { Watched, type Watchers } from "#src/http/request-record.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path of the request without the query, which may hold secrets. */
  readonly path: string;
  readonly requestId: string;
  readonly meter: StatementCounter;
  /** Name of the GraphQL operation that ran, once known. */
  operationName: string | undefined;
  readonly watched: Watched;
  /** Who asks, once known: ids, for the log. */
  asker: { readonly tokenId: string; readonly userId: string } | undefined;
  /** The times of what is asked for, once known, of each operation of a batch: they end when the caller is gone. */
  readonly limits: Set<TimeLimit>;
  /** The document that is run, once known: the log tells its hash where it was slow. */
  document: string | undefined;
  /** The code of the error that was answered outside of GraphQL, once known. */
  refusal: ErrorCode | undefined;
}

/** Answers a request of one path. */
export type Handler = (exchange: Exchange) => Promise<void>;

/** The context of a request, by its Authorization header. Throws UNAUTHENTICATED. */
export type ContextOf = (exchange: Exchange) => Promise<Context>;

/** Opens the exchange of a request: the answer has its id, and its span begins. */
export function openExchange(request: IncomingMessage, response: ServerResponse, watchers: Watchers = {}): Exchange {
  const requestId = saneRequestId(request.headers["x-request-id"]) ?? randomUUID();
  response.setHeader("x-request-id", requestId);
  const { method = "GET", headers } = request;
  const watched = new Watched({ transport: "other", method, traceparent: headers["traceparent"] }, watchers);
  const path = pathOf(request);
  return {
    request,
    response,
    path,
    requestId,
    meter: new StatementCounter(),
    operationName: undefined,
    watched,
    asker: undefined,
    document: undefined,
    refusal: undefined,
    limits: new Set(),
  };
}

/** The path of a request without the query. Cut as text: the target of a request need not be a valid URL. */
export function pathOf({ url = "/" }: IncomingMessage): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** What follows the question mark of a request; empty if missing. */
export function searchOf({ url = "" }: IncomingMessage): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}

function saneRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" && /^[\w.:-]{1,100}$/.test(header) ? header : undefined;
}

/**
 * Sends a whole answer: compressed where the client takes that and it pays, and 304 without a body for who has it
 * already.
 */
export function send(response: ServerResponse, status: number, contentType: string, body: string | Uint8Array): void {
  if (status === 200 && isKnown(response, body)) return sendEmpty(response, 304);
  const length = Buffer.byteLength(body);
  const compression = compressionFor(response, length);
  if (compression) return sendCompressed(response, compression, { status, contentType, bytes: Buffer.from(body) });
  response.writeHead(status, { "content-type": contentType, "content-length": length });
  response.end(body); // text is written with the head in one piece, which saves a system call
  unreadAnswers.add(response, length);
}

/** Below this an answer goes out with its head in one piece, which costs a copy and saves a system call. */
const smallAnswer = 16_384;

/** From here on an answer goes out in slices, as it is read: giving the system all of it at once takes long. */
const [longAnswer, sliceLength] = [1_048_576, 262_144];

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += sliceLength) yield bytes.subarray(start, start + sliceLength);
}

/** The same for an answer that was written as bytes, which it frees once they are sent. */
export function sendOut(response: ServerResponse, contentType: string, out: ByteWriter): void {
  const length = out.at;
  if (isKnown(response, out.bytes)) {
    out.free();
    return sendEmpty(response, 304);
  }
  const compression = compressionFor(response, length);
  if (compression) {
    const free = () => out.free();
    return sendCompressed(response, compression, { status: 200, contentType, bytes: out.bytes, free });
  }
  response.writeHead(200, { "content-type": contentType, "content-length": length });
  if (length < smallAnswer) {
    // One character for each byte, and back: the UTF-8 stays as it is.
    response.end(out.bytes.toString("latin1"), "latin1");
    out.free();
  } else if (length < longAnswer) response.end(out.bytes, () => out.free());
  else pipeline(Readable.from(inTurns(slicesOf(out.bytes))), response, () => out.free());
  unreadAnswers.add(response, length);
}

/** Sends a long answer to a POST, made in pieces: each goes out when the one before was taken. */
export function sendPieces(response: ServerResponse, contentType: string, pieces: readonly Uint8Array[]): void {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const compression = compressionFor(response, length);
  const extent = compression ? { "content-encoding": compression.name } : { "content-length": length };
  response.writeHead(200, { "content-type": contentType, ...extent });
  const stages = compression ? [compression.stream(), response] : [response];
  pipeline([Readable.from(inTurns(pieces)), ...stages], () => {}); // who is gone before the end is told nothing
  unreadAnswers.add(response, length);
}

interface Whole {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Called when the bytes are not needed any more. */
  readonly free?: () => void;
}

function sendCompressed(response: ServerResponse, compression: Compression, whole: Whole): void {
  const { status, contentType, bytes, free } = whole;
  const compressed = compression.compress(bytes).finally(free);
  compressed.then(
    (shorter) => {
      if (response.destroyed) return; // the client is gone
      const encoded = { "content-encoding": compression.name, "content-length": shorter.length };
      response.writeHead(status, { "content-type": contentType, ...encoded });
      response.end(shorter);
      unreadAnswers.add(response, shorter.length);
    },
    () => response.destroy(), // there was no memory for it
  );
}

/** The longest answer that has a version, in characters or bytes: working it out takes the process for itself. */
const longestVersioned = 4_000_000;

/**
 * Says which version an answer to a GET is, and that it is asked for again with that (RFC 9110, section 13.1.2). True
 * where the client has this version.
 */
function isKnown(response: ServerResponse, body: string | Uint8Array): boolean {
  const { method, headers } = response.req;
  if (method !== "GET" && method !== "HEAD") return false;
  if (!response.hasHeader("cache-control")) response.setHeader("cache-control", "private, no-cache");
  if (String(response.getHeader("cache-control")).includes("no-store")) return false;
  if (body.length > longestVersioned) return false;
  const version = `W/"${hash("sha1", body, "base64url")}"`;
  response.setHeader("etag", version);
  return hasVersion(headers, version);
}

/** Sends a value as JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendJsonText(response, status, JSON.stringify(value));
}

/** Sends a refusal outside of GraphQL. */
export function sendError(response: ServerResponse, error: DomainError): void {
  sendJson(response, error.status, errorBody(error));
}

/** Sends a text that is JSON. */
export function sendJsonText(response: ServerResponse, status: number, text: string): void {
  send(response, status, "application/json; charset=utf-8", text);
}

/** The head of a stream of server-sent events. */
export const eventStreamHead = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no", // nginx sends it on at once
} as const;

/** Sends an answer without a body. By RFC 9110 a 204 and a 304 have no length, and any other has 0. */
export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, status === 204 || status === 304 ? {} : { "content-length": 0 });
  response.end();
}

/** Sends a browser on to another address with cookies, and tells nobody where it comes from. */
export function sendOn(response: ServerResponse, location: string, cookies: readonly string[]): void {
  response.writeHead(303, {
    location,
    "set-cookie": [...cookies],
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-length": 0,
  });
  response.end();
}

/** Sets the header Retry-After for a status or an error that passes. Before the answer is sent. */
export function sayWhenAgain(response: ServerResponse, of: number | DomainError): void {
  const status = typeof of === "number" ? of : of.status;
  const seconds = of instanceof RateLimitedError ? of.retrySeconds : retryAfter(status);
  if (seconds !== null) response.setHeader("retry-after", seconds);
}
