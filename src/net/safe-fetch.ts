// The only HTTP client for other servers, since their addresses come from users.
import type { Agent, fetch, Response } from "undici";
import { currentSpan, type Span } from "#src/runtime/spans.ts";
import { AllowedAddresses } from "#src/net/allowed-addresses.ts";
import { guardedConnector, type Resolve, resolveBySystem } from "#src/net/guarded-connector.ts";
import { FetchError, fetchErrorOf } from "#src/net/fetch-error.ts";

/** The options of a request; limits apply to the whole, including every redirect. */
export interface FetchOptions {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent to the first host; hosts that it redirects to only get `accept`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The most bytes of the response, counted after decompression; by default 5 MB. */
  readonly maxBytes?: number;
  /** The time limit in milliseconds, from the lookup of the address to the last byte; by default 10 s. */
  readonly timeoutMs?: number;
  /** How many redirects are followed, by default 5. Only those of GET and HEAD are: others return the redirect. */
  readonly maxRedirects?: number;
  /** Returns the first response, whatever it is: without its body, and without following redirects. */
  readonly headOnly?: true;
  /** Of the caller: aborting it ends the request, and throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Fetched {
  /** The address of the response, after all redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: { get(name: string): string | null; entries?(): Iterable<[string, string]> };
  readonly body: Buffer;
}

/** Sends a request. Throws a {@link FetchError} if it is not allowed, fails, or exceeds the limits. */
export type SafeFetch = (url: string | URL, options?: FetchOptions) => Promise<Fetched>;

/**
 * Makes the safe fetch: to http and https and to public addresses only, checked as each connection is made, except
 * `allowedHosts` (as {@link AllowedAddresses} takes them). It forwards no credentials, and keeps no cookies.
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

/** The client is loaded at the first request: most gateways need it late or never. */
async function openWay(allowed: AllowedAddresses, resolve: Resolve): Promise<Way> {
  const { Agent, buildConnector, fetch } = await import("undici");
  const connect = guardedConnector(buildConnector, allowed, resolve);
  return { agent: new Agent({ connect, connections: 16, pipelining: 1, maxOrigins: 1000 }), fetch };
}

/** Sends the request, and follows redirects. */
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
    // Without compression the bytes sent are the bytes read. A server that compresses anyway has the same limit.
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
    if (bytes > maxBytes) throw new FetchError("size"); // leaving the loop aborts the transfer
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
