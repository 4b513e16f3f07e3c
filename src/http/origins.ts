// The origins of pages that may call from a browser, over HTTP (CORS) and WebSocket alike, and the protection against
// CSRF of requests with the cookie of a session.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { DomainError } from "#src/base/errors.ts";
import { isLoopbackName } from "#src/http/client-address.ts";
import { setEarlyHeader } from "#src/http/early-headers.ts";
import { addVary } from "#src/http/negotiation.ts";

interface Rule {
  /** Origins such as `https://docs.example.com`, or `*` for any. */
  readonly allowed: readonly string[];
  readonly publicUrl: () => string;
  /** Whether pages of this machine may call, on any port: frontends in development. */
  readonly allowsLoopback: boolean;
  readonly log: Pick<Logger, "warn">;
}

/** The most rejected origins that are remembered, so that they do not fill the log. */
const mostRefused = 100;

/** The longest origin in a message, in characters: a host name has 253 at most. */
const longestOrigin = 300;

const preflightHeaders = {
  "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE, OPTIONS",
  "access-control-allow-headers":
    "authorization, content-type, accept, idempotency-key, if-none-match, last-event-id, traceparent, tracestate, x-request-id, x-requested-with, " +
    "x-visitor-token, x-docgraph-csrf, cost, x-docgraph-consistency, mcp-protocol-version, mcp-session-id, apollographql-client-name, apollographql-client-version, " +
    "apollo-require-preflight, graphql-preflight, x-apollo-operation-name, x-apollo-operation-id, baggage, sentry-trace",
  "access-control-max-age": "86400",
};

const allowedHeaders = new Set(preflightHeaders["access-control-allow-headers"].split(", "));

/** The most headers of one request that are looked at. */
const mostHeaders = 50;

const exposedHeaders =
  "etag, idempotency-replayed, x-request-id, www-authenticate, retry-after, ratelimit, ratelimit-policy, cost, x-docgraph-consistency, x-docgraph-unknown-parameters";

/** The origins of a configuration. */
export class Origins {
  readonly #rule: Rule;
  readonly #listed: ReadonlySet<string>;
  readonly #refused = new Set<string>();
  readonly #headers = new Set<string>();

  constructor(rule: Rule) {
    this.#rule = rule;
    this.#listed = new Set(rule.allowed);
  }

  /** Whether a request has the gateway's own origin, an allowed one, or none, as programs do. */
  isAllowed(request: IncomingMessage): boolean {
    const { origin } = request.headers;
    if (origin === undefined || this.#listed.has("*") || this.#listed.has(origin) || this.#isOwn(request)) return true;
    return this.#rule.allowsLoopback && URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
  }

  /** Whether it has the gateway's own origin, or one that is listed by name: their pages may act for people. */
  isTrusted(request: IncomingMessage): boolean {
    const { origin } = request.headers;
    if (origin === undefined) return false;
    const isSecureEnough = !this.#rule.publicUrl().startsWith("https:") || origin.startsWith("https:");
    return this.#listed.has(origin) || (isSecureEnough && this.#isOwn(request));
  }

  refuse({ headers: { origin = "" } }: IncomingMessage): string {
    const name = origin.slice(0, longestOrigin);
    const message = `Pages of ${name} may not call from a browser: add the origin to ALLOWED_ORIGINS.`;
    if (this.#refused.size < mostRefused && !this.#refused.has(name)) {
      this.#rule.log.warn({ origin: name }, message);
      this.#refused.add(name);
    }
    return message;
  }

  /**
   * Sets the headers of CORS for a request with an origin. True for a preflight request, which is complete then, and
   * FORBIDDEN if its origin is not allowed. Other requests from there are served like those of programs, but without
   * the headers, so that the page cannot read the response. Only origins that are listed by name may send the cookie of
   * a session; tokens come in a header that pages cannot send for somebody else.
   */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { origin = "", "access-control-request-method": asked } = request.headers;
    addVary(response, "origin");
    const isPreflight = request.method === "OPTIONS" && asked !== undefined;
    if (!this.isAllowed(request)) {
      const message = this.refuse(request);
      if (isPreflight) throw new DomainError("FORBIDDEN", message);
      return false;
    }
    setEarlyHeader(response, "access-control-allow-origin", origin);
    if (this.isTrusted(request)) setEarlyHeader(response, "access-control-allow-credentials", "true");
    setEarlyHeader(response, "access-control-expose-headers", exposedHeaders);
    if (!isPreflight) return false;
    this.#noteHeaders(request);
    response.writeHead(204, preflightHeaders).end();
    return true;
  }

  /**
   * Throws FORBIDDEN unless a person meant a request with the cookie of a session: browsers also send the cookie with
   * requests of foreign pages, but only allow our pages, and those of listed origins, to set the header
   * `x-docgraph-csrf` or be of the same site.
   */
  requireMeant(request: IncomingMessage): void {
    const { origin, "sec-fetch-site": site, "x-docgraph-csrf": proof } = request.headers;
    if (origin !== undefined && !this.isTrusted(request)) throw new DomainError("FORBIDDEN", untrusted);
    const isProven = (typeof proof === "string" && proof !== "") || site === "same-origin" || isOwnForm(request);
    if (!isProven) throw new DomainError("FORBIDDEN", notProven);
  }

  /** Logs headers that the browser will not send, each once: the page sees only a failed request. */
  #noteHeaders({ headers: { origin = "", "access-control-request-headers": asked = "" } }: IncomingMessage): void {
    for (const part of asked.split(",", mostHeaders)) {
      const header = part.trim().toLowerCase();
      const isKnown = allowedHeaders.has(header) || this.#headers.has(header) || !/^[\w-]{1,100}$/.test(header);
      if (isKnown || this.#headers.size >= mostRefused) continue;
      this.#headers.add(header);
      const message = `Pages of ${origin.slice(0, longestOrigin)} may not send the header ${header}: leave it out.`;
      this.#rule.log.warn({ header }, message);
    }
  }

  #isOwn({ headers: { origin = "", host } }: IncomingMessage): boolean {
    if (!URL.canParse(origin)) return false;
    return new URL(origin).host === host || new URL(origin).origin === new URL(this.#rule.publicUrl()).origin;
  }
}

/** A form that a browser without `Sec-Fetch-Site` sent from a page of the same host. */
const isOwnForm = ({ headers: { origin, host, "sec-fetch-site": site } }: IncomingMessage): boolean =>
  site === undefined && origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;

const untrusted =
  "Pages of this origin may not act for signed-in users: list the origin in ALLOWED_ORIGINS by its name (not as *), or send an API token.";

const notProven =
  "A request with the cookie of a session must prove that it comes from an allowed page: add the header 'x-docgraph-csrf: 1', or send an API token.";
