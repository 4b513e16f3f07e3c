// Which pages of other origins may call from a browser: by configuration, for HTTP (CORS) and WebSocket alike. And what
// proves that a request which a browser sent with the cookie of a session was meant by the person.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { DomainError } from "#src/base/errors.ts";
import { isLoopbackName } from "#src/http/loopback.ts";
import { addVary } from "#src/http/negotiation.ts";

type Question = (request: IncomingMessage) => boolean;

/** What a configuration says of the origins of requests. */
export interface Origins {
  /**
   * Whether a request may come from the origin that it names: the gateway's own, an allowed one, or none, as from
   * programs that are not browser.
   */
  readonly isAllowed: Question;
  /** Whether it names the gateway's own origin, or one that the list has by name: pages of these may act for people. */
  readonly isTrusted: Question;
  /** Notes that a request was refused for its origin, and says why. */
  readonly refuse: (request: IncomingMessage) => string;
}

interface Rule {
  /** Origins such as `https://docs.example.com`, or `*` for any. */
  readonly allowed: readonly string[];
  readonly publicUrl: () => string;
  /** Whether pages of this machine may call, whatever their port: frontends that are being developed. */
  readonly allowsLoopback: boolean;
  /** Hears once of each origin that was refused. */
  readonly log: Pick<Logger, "warn">;
}

/** The most refused origins that are remembered: whoever comes with more is not worth a line of the log for each. */
const mostTold = 100;

/** The rule of a configuration. */
export function originRule({ allowed, publicUrl, allowsLoopback, log }: Rule): Origins {
  const listed = new Set(allowed);
  const told = new Set<string>();
  const isOwn: Question = ({ headers: { origin = "", host } }) => {
    if (!URL.canParse(origin)) return false;
    return new URL(origin).host === host || new URL(origin).origin === new URL(publicUrl()).origin;
  };
  const isSecureEnough = (origin: string) => !publicUrl().startsWith("https:") || origin.startsWith("https:");
  return {
    isAllowed: (request) => {
      const { origin } = request.headers;
      if (origin === undefined || listed.has("*") || listed.has(origin) || isOwn(request)) return true;
      return allowsLoopback && URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
    },
    isTrusted: (request) => {
      const { origin } = request.headers;
      return origin !== undefined && (listed.has(origin) || (isSecureEnough(origin) && isOwn(request)));
    },
    refuse: ({ headers: { origin = "" } }) => {
      const name = origin.slice(0, longestOrigin);
      const message = `Pages of ${name} may not call from a browser: list the origin in ALLOWED_ORIGINS.`;
      if (told.size < mostTold && !told.has(name)) log.warn({ origin: name }, message);
      if (told.size < mostTold) told.add(name);
      return message;
    },
  };
}

/** As much of an origin as is told, in characters: a host name has 253 at most. */
const longestOrigin = 300;

const allowedMethods = "GET, POST, PUT, PATCH, DELETE, OPTIONS";
const allowedHeaders =
  "authorization, content-type, accept, idempotency-key, if-none-match, last-event-id, traceparent, tracestate, x-request-id, x-requested-with, " +
  "x-visitor-token, x-docgraph-csrf, cost, x-docgraph-consistency, apollographql-client-name, apollographql-client-version, " +
  "apollo-require-preflight, graphql-preflight, x-apollo-operation-name, x-apollo-operation-id, baggage, sentry-trace";

/**
 * Gives an allowed page of another origin its headers (CORS). True for a preflight request, which is answered by this;
 * FORBIDDEN is thrown for one whose origin is not allowed. Other requests of such a page are served as those of
 * programs are, but without the headers, so that it cannot read the answer.
 * Only origins that are listed by name may send the cookie of a session; tokens come in a header that no page can send
 * for somebody else.
 */
export function answerCors(request: IncomingMessage, response: ServerResponse, origins: Origins): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return false;
  addVary(response, "origin");
  const isPreflight = request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
  if (!origins.isAllowed(request)) {
    const message = origins.refuse(request);
    if (isPreflight) throw new DomainError("FORBIDDEN", message);
    return false;
  }
  response.setHeader("access-control-allow-origin", origin);
  if (origins.isTrusted(request)) response.setHeader("access-control-allow-credentials", "true");
  response.setHeader(
    "access-control-expose-headers",
    "etag, idempotency-replayed, x-request-id, www-authenticate, retry-after, ratelimit, ratelimit-policy, cost, x-docgraph-consistency, x-docgraph-unknown-parameters",
  );
  if (!isPreflight) return false;
  response.setHeader("access-control-allow-methods", allowedMethods);
  response.setHeader("access-control-allow-headers", allowedHeaders);
  response.setHeader("access-control-max-age", "86400");
  response.writeHead(204).end();
  return true;
}

/**
 * Throws FORBIDDEN unless a request with the cookie of a session was meant by the person: browsers send the cookie with
 * requests that pages of others make, too, but let only ours, and those of listed origins, set the header
 * `x-docgraph-csrf` or be of the same site.
 */
export function requireMeant(request: IncomingMessage, { isTrusted }: Origins): void {
  const { origin, "sec-fetch-site": site, "x-docgraph-csrf": proof } = request.headers;
  if (origin !== undefined && !isTrusted(request)) throw new DomainError("FORBIDDEN", fromElsewhere);
  const isProven = (typeof proof === "string" && proof !== "") || site === "same-origin" || isOwnForm(request);
  if (!isProven) throw new DomainError("FORBIDDEN", notProven);
}

/** A form that a browser without `Sec-Fetch-Site` sent from a page of the same host. */
function isOwnForm({ headers: { origin, host, "sec-fetch-site": site } }: IncomingMessage): boolean {
  return site === undefined && origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}

const fromElsewhere =
  "Pages of this origin may not act for people who are signed in: list the origin in ALLOWED_ORIGINS by its name (not as *), or send an API token.";

const notProven =
  "A request with the cookie of a session has to show that it comes from a page that may send it: add the header 'x-docgraph-csrf: 1', or send an API token.";
