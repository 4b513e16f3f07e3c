// The one way out to other servers, since addresses come from outside.
import type { Agent, fetch, Response } from "undici";
import { currentSpan, type Span } from "#src/runtime/spans.ts";
import { AllowedAddresses } from "#src/net/allowed-addresses.ts";
import { guardedConnector, type Resolve, resolveBySystem } from "#src/net/guarded-connector.ts";
import { FetchError, fetchErrorOf } from "#src/net/fetch-error.ts";

/** What a request may do; the limits are those of the whole, with every redirect in it. */
export interface FetchOptions {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** They are sent to the host that is asked; one to which it redirects gets `accept` alone. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The most bytes of the answer, counted as they come out of any compression; 5 MB by default. */
  readonly maxBytes?: number;
  /** How long, in milliseconds, from the first look at the address to the last byte; 10 s by default. */
  readonly timeoutMs?: number;
  /** How many redirects are followed, 5 by default. Only those of GET and HEAD are: others get their answer. */
  readonly maxRedirects?: number;
  /** The first answer alone, whatever it is: without its body, and no redirect is followed. */
  readonly headOnly?: true;
  /** Of who waits: the request ends when they are gone, and throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Fetched {
  /** Where the answer is from, after all redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: { get(name: string): string | null; entries?(): Iterable<[string, string]> };
  readonly body: Buffer;
}

/** Asks a server. Throws a {@link FetchError} when it may not be asked, does not answer, or not within the limits. */
export type SafeFetch = (url: string | URL, options?: FetchOptions) => Promise<Fetched>;

/**
 * Makes the safe fetch: to http and https and to public addresses only, checked as each connection is made, except
 * `allowedHosts` (as {@link AllowedAddresses} takes them). It sends no credentials on, and keeps no cookies.
 */
export function createSafeFetch(of: { allowedHosts?: readonly string[]; resolve?: Resolve } = {}): SafeFetch {
  const { allowedHosts = [], resolve = resolveBySystem } = of;
  const allowed = new AllowedAddresses(allowedHosts);
  let way: Promise<Way> | undefined;
  return async (url, options = {}) => {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? 10_000);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    let span: Span | undefined;
    try {
      const first = checkedUrl(String(url));
      way ??= openWay(allowed, resolve);
      const { method = "GET", headers } = options;
      span = currentSpan()?.begin(method, "client", { "server.address": first.hostname });
      const passed = span && { headers: { traceparent: span.traceparent, ...headers } };
      const fetched = await follow(await way, first, { ...options, ...passed, signal });
      span?.end({ attributes: { "http.response.status_code": fetched.status } });
      return fetched;
    } catch (error) {
      span?.end({ failure: "FetchError" });
      if (options.signal?.aborted) throw options.signal.reason;
      throw fetchErrorOf(error, timeout.aborted);
    }
  };
}

interface Way {
  readonly agent: Agent;
  readonly fetch: typeof fetch;
}

/** The client is loaded for the first request: most gateways are asked for long before they ask others. */
async function openWay(allowed: AllowedAddresses, resolve: Resolve): Promise<Way> {
  const { Agent, buildConnector, fetch } = await import("undici");
  const connect = guardedConnector(buildConnector, allowed, resolve);
  return { agent: new Agent({ connect, connections: 16, pipelining: 1, maxOrigins: 1000 }), fetch };
}

/** Asks, and asks on where the answer leads to. */
async function follow(way: Way, first: URL, options: FetchOptions & { signal: AbortSignal }): Promise<Fetched> {
  const { method = "GET", headOnly, maxRedirects = 5, maxBytes = 5_000_000 } = options;
  let url = first;
  for (let redirects = 0; ; redirects += 1) {
    const response = await ask(way, url, first, options);
    const { status, headers } = response;
    if (headOnly) {
      await response.body?.cancel();
      return { url: url.href, status, headers, body: Buffer.alloc(0) };
    }
    const isRedirect = ["GET", "HEAD"].includes(method) && [301, 302, 303, 307, 308].includes(status);
    const location = isRedirect ? headers.get("location") : null;
    if (location === null) return { url: url.href, status, headers, body: await readBody(response, maxBytes) };
    await response.body?.cancel();
    if (redirects === maxRedirects) throw new FetchError("redirects");
    url = checkedUrl(location, url);
  }
}

function ask(
  { agent, fetch }: Way,
  url: URL,
  first: URL,
  { method = "GET", headers = {}, body, signal }: FetchOptions & { signal: AbortSignal },
): Promise<Response> {
  const { accept = "*/*" } = headers;
  const sent = url.origin === first.origin ? headers : {};
  return fetch(url, {
    method,
    // No compression: what is sent is then what is read. A server that does not listen is held to the same limit.
    headers: { ...sent, accept, "accept-encoding": "identity", "user-agent": "docgraph" },
    ...(body !== undefined && { body }),
    redirect: "manual",
    credentials: "omit",
    dispatcher: agent,
    signal,
  });
}

/** The address, if a request may go there at all; its host is checked when the connection is made. */
function checkedUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  if (!url) throw new FetchError("address");
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new FetchError("scheme");
  if (url.username !== "" || url.password !== "") throw new FetchError("credentials");
  url.hash = "";
  return url;
}

async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  if (response.body === null) return Buffer.alloc(0);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new FetchError("size"); // leaving the loop ends the transfer
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
