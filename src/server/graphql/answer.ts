// Answers of GraphQL over HTTP: which media type one has, and how results and refusals are sent in it.
import type { IncomingMessage } from "node:http";
import type { ExecutionResult } from "graphql";
import type { DomainError } from "#src/base/errors.ts";
import { longJson } from "#src/runtime/long-json.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { eventStreamHead, send, sendPieces, setRetryAfter } from "#src/http/send.ts";
import { deferredParts, mixedParts, subscriptionParts } from "#src/server/graphql/mixed-parts.ts";
import { notAcceptable, Offer } from "#src/http/negotiation.ts";

const json = "application/json; charset=utf-8";
const responseJson = "application/graphql-response+json; charset=utf-8";
export const html = "text/html; charset=utf-8";
export const events = eventStreamHead["content-type"];

/** What there is for each kind of request. */
export const offers = {
  /** Answers of one piece. */
  one: new Offer([responseJson, json], json),
  /** Answers to queries that defer. */
  deferring: new Offer([deferredParts, responseJson, json], json),
  subscription: new Offer([events, subscriptionParts]),
  /** Answers to what may be a browser. */
  page: new Offer([html, responseJson, json], json),
} as const;

/** Streams of one piece, for clients that take nothing but streams. */
const streams = new Offer([events, mixedParts]);

/** The type of an answer of one piece. Throws NOT_ACCEPTABLE. */
export function requireType({ headers }: IncomingMessage): string {
  const type = offers.one.choose(headers.accept) ?? streams.choose(headers.accept);
  if (type === null) throw notAcceptable([responseJson, json]);
  return type;
}

export const isStream = (type: string): boolean => type === events || type === mixedParts;

/** The media type of an answer of one piece, refusals included: those are JSON whatever the client accepts. */
const typeFor = ({ headers }: IncomingMessage): string => offers.one.choose(headers.accept) ?? json;

/** 200, but 400 for a request error, which has no `data`, where the response media type is asked for. */
export const statusOf = (result: ExecutionResult, type: string): number =>
  result.data === undefined && type === responseJson ? 400 : 200;

/** Answers an execution in JSON. */
export async function sendResult(exchange: Exchange, result: ExecutionResult, isLong = false): Promise<void> {
  exchange.watched.take(result.errors);
  const type = typeFor(exchange.request);
  const status = statusOf(result, type);
  if (isLong && status === 200) return sendLong(exchange, result);
  send(exchange.response, status, type, JSON.stringify(result));
}

/** Answers what may be long, with pauses while its text is made. */
export async function sendLong({ request, response }: Exchange, value: unknown): Promise<void> {
  const pieces = await longJson(value);
  const type = typeFor(request);
  if (pieces.length > 1) return sendPieces(response, type, pieces);
  send(response, 200, type, pieces[0] ?? "");
}

/** Refuses a request as a whole. */
export function sendRefusal({ request, response, watched }: Exchange, error: DomainError): void {
  watched.code = error.code;
  setRetryAfter(response, error);
  if (error.code === "UNAUTHENTICATED") response.setHeader("www-authenticate", "Bearer");
  request.resume();
  const errors = [{ message: error.message, extensions: { code: error.code } }];
  send(response, error.status, typeFor(request), JSON.stringify({ errors }));
}
