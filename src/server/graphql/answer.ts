// Responses of GraphQL over HTTP: their media type, and how results and errors are sent in it, whole or in parts
// (multipart/mixed, RFC 2046), as Apollo's clients expect them.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ExecutionResult } from "graphql";
import type { DomainError } from "#src/base/errors.ts";
import { longJson } from "#src/runtime/long-json.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { eventStreamHead, send, sendPieces, setRetryAfter } from "#src/http/send.ts";
import { takeResponseMemory } from "#src/runtime/memory.ts";
import { currentTenant } from "#src/runtime/tenant.ts";
import { unreadAnswers } from "#src/runtime/unread-answers.ts";
import { notAcceptable, Offer } from "#src/http/negotiation.ts";
import { inTurns } from "#src/runtime/yielding.ts";
import type { Receiver } from "#src/graph/run/execute.ts";

const boundary = "graphql";

const mixedParts = `multipart/mixed; boundary="${boundary}"`;

export const deferredParts = `${mixedParts}; deferSpec=20220824`;

export const subscriptionParts = `${mixedParts}; subscriptionSpec="1.0"`;

const head = "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n";
const delimiter = `\r\n--${boundary}`;

/** Starts a response in parts. Each ends with the delimiter of the next one, so that it can be parsed at once. */
export function beginParts(response: ServerResponse, type: typeof deferredParts | typeof subscriptionParts): void {
  response.writeHead(200, {
    "content-type": type,
    "cache-control": "private, no-store, no-transform",
    "x-accel-buffering": "no", // disables buffering in nginx
  });
  response.write(`--${boundary}`);
}

export const partOf = (json: string): string => head + json + delimiter;

export const endOfParts = "--\r\n";

/** Waits until the client has read what was written, or has disconnected. */
function taken(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  const { socket } = response.req; // a response waiting behind another one has no socket
  return new Promise((resolve) => {
    const over = () => {
      response.off("drain", over).off("close", over);
      socket.off("close", over);
      resolve();
    };
    response.on("drain", over).on("close", over);
    socket.on("close", over);
  });
}

/** Ends when the last part is sent, or the client has disconnected. Throws errors of `run` before the first part. */
export async function sendInParts(
  { response, watched }: Exchange,
  run: (receiver: Receiver) => Promise<void>,
): Promise<void> {
  let isBegun = false;
  await run({
    send: async (delivery) => {
      const pieces = await longJson(delivery);
      if (!isBegun) beginParts(response, deferredParts);
      isBegun = true;
      watched.takePiece(delivery);
      unreadAnswers.add(
        response,
        pieces.reduce((sum, piece) => sum + piece.length, 0),
      );
      const [only, ...others] = pieces;
      const written = only && others.length === 0 ? [partOf(only.toString())] : [head, ...pieces, delimiter];
      for await (const piece of inTurns(written)) {
        if (!response.write(piece)) await taken(response);
        unreadAnswers.noteRead();
      }
      unreadAnswers.add(response, 0);
    },
    isOver: () => response.destroyed,
  });
  response.end(endOfParts);
}

const json = "application/json; charset=utf-8";
const responseJson = "application/graphql-response+json; charset=utf-8";
export const html = "text/html; charset=utf-8";
export const events = eventStreamHead["content-type"];

export const offers = {
  one: new Offer([responseJson, json], json),
  deferring: new Offer([deferredParts, responseJson, json], json),
  subscription: new Offer([events, subscriptionParts]),
  /** Responses to clients that may be browsers. */
  page: new Offer([html, responseJson, json], json),
} as const;

/** Streams of one part, for clients that only accept streams. */
const streams = new Offer([events, mixedParts]);

/** The type of a response of one part. Throws NOT_ACCEPTABLE. */
export function requireType({ headers }: IncomingMessage): string {
  const type = offers.one.choose(headers.accept) ?? streams.choose(headers.accept);
  if (type === null) throw notAcceptable([responseJson, json]);
  return type;
}

export const isStream = (type: string): boolean => type === events || type === mixedParts;

/** The media type of a response of one part, including errors: those are JSON whatever the client accepts. */
const typeFor = ({ headers }: IncomingMessage): string => offers.one.choose(headers.accept) ?? json;

/** 200, but 400 for a request error (without `data`) with the response media type. */
export const statusOf = (result: ExecutionResult, type: string): number =>
  result.data === undefined && type === responseJson ? 400 : 200;

export function sendResult(exchange: Exchange, result: ExecutionResult): void {
  exchange.watched.take(result.errors);
  const type = typeFor(exchange.request);
  send(exchange.response, statusOf(result, type), type, JSON.stringify(result));
}

/**
 * Sends a response that may be long, with pauses while it is serialized. Few are at once, in turns of users: all
 * together, they would exceed the memory of unread responses.
 */
export async function sendLong(exchange: Exchange, value: unknown): Promise<void> {
  const free = await takeResponseMemory(currentTenant().user, () => undefined);
  try {
    if (exchange.response.destroyed) return; // the client closed the request
    sendJson(exchange, await longJson(value));
  } finally {
    free();
  }
}

/** Sends JSON in pieces. */
export function sendJson({ request, response }: Exchange, pieces: readonly Buffer[]): void {
  const type = typeFor(request);
  if (pieces.length > 1) sendPieces(response, type, pieces);
  else send(response, 200, type, pieces[0] ?? "");
}

export function sendRefusal({ request, response, watched }: Exchange, error: DomainError): void {
  watched.code = error.code;
  setRetryAfter(response, error);
  if (error.code === "UNAUTHENTICATED") response.setHeader("www-authenticate", "Bearer");
  request.resume();
  const errors = [{ message: error.message, extensions: { code: error.code } }];
  send(response, error.status, typeFor(request), JSON.stringify({ errors }));
}
