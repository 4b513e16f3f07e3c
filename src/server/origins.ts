// Which pages of other origins may call from a browser: by configuration, for HTTP (CORS) and WebSocket alike.
import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Whether a request may come from the origin that it names: the gateway's own, an allowed one, or none, as from
 * programs that are not browser.
 */
export type IsAllowedOrigin = (request: IncomingMessage) => boolean;

/** The rule of a configuration: a list of origins such as `https://docs.example.com`, or `*` for any. */
export function originRule(allowed: readonly string[], publicUrl: () => string): IsAllowedOrigin {
  const listed = new Set(allowed);
  return ({ headers: { origin, host } }) => {
    if (origin === undefined || listed.has("*") || listed.has(origin)) return true;
    if (!URL.canParse(origin)) return false;
    return new URL(origin).host === host || new URL(origin).origin === new URL(publicUrl()).origin;
  };
}

const allowedMethods = "GET, POST, PUT, PATCH, DELETE, OPTIONS";
const allowedHeaders = "authorization, content-type, accept, last-event-id, x-request-id";

/**
 * Gives an allowed page of another origin its headers (CORS). True for a preflight request, which is answered by this.
 * Tokens come in a header that no page can send for somebody else, so there are no credentials to guard.
 */
export function answerCors(request: IncomingMessage, response: ServerResponse, isAllowed: IsAllowedOrigin): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return false;
  response.setHeader("vary", "origin");
  if (!isAllowed(request)) return false;
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", "x-request-id, www-authenticate, retry-after");
  const isPreflight = request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
  if (!isPreflight) return false;
  response.setHeader("access-control-allow-methods", allowedMethods);
  response.setHeader("access-control-allow-headers", allowedHeaders);
  response.setHeader("access-control-max-age", "86400");
  response.writeHead(204).end();
  return true;
}
