// A row of the route table: its handler, and the checks before the handler runs.
import type { IncomingMessage } from "node:http";
import type { Offer } from "#src/http/negotiation.ts";
import type { Handler } from "#src/http/exchange.ts";

/** See the head of this file. Features list theirs in their registry record. */
export interface HttpRoute {
  /** A path, or a prefix of paths if it ends with a slash. */
  readonly path: string;
  /** Limits it to matching paths. Such a row precedes all others with the same prefix. */
  readonly pattern?: RegExp;
  /** Limits it further to requests of a kind, such as those of clients that prefer its media type. Needs a pattern. */
  readonly selects?: (request: Pick<IncomingMessage, "method" | "headers">) => boolean;
  /** Others are rejected: METHOD_NOT_ALLOWED. By default GET and HEAD; null if the handler rejects them. */
  readonly methods?: readonly string[] | null;
  /** The media types of the responses; NOT_ACCEPTABLE for clients that accept none. */
  readonly answers?: Offer;
  readonly handle: Handler;
  readonly loggedPath?: (path: string) => string;
  /** Set if the handler itself decides which pages of other origins may read its responses. */
  readonly hasOwnCors?: true;
  /** Set if it is also served at the host of `INTEGRATIONS_URL`, where other routes are not. */
  readonly isIsolated?: true;
}

/** A path of files or pages for the access log: everything after the id may be a secret key. */
export const withoutKey = (path: string): string => path.replace(/^(\/\w+\/\w*).*$/s, "$1");

/** Whether a value of the header Host is the host of a URL, at any port. */
export function namesHostOf(host: string | undefined, url: string | undefined): boolean {
  if (host === undefined || url === undefined) return false;
  return URL.parse(`http://${host}`)?.hostname === new URL(url).hostname;
}
