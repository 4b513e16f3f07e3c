// A row of the table of paths: who answers there, and what is decided before the handler runs.
import type { Offer } from "#src/http/negotiation.ts";
import type { Handler } from "#src/http/exchange.ts";

/** See the head of this file. Features name theirs in their registry record. */
export interface HttpRoute {
  /** A path, or the beginning of paths where it ends with a slash. */
  readonly path: string;
  /** Limits it to the paths that match. Such a row comes before all others that begin alike. */
  readonly pattern?: RegExp;
  /** Others are refused: METHOD_NOT_ALLOWED. By default GET and HEAD; null where the handler refuses them. */
  readonly methods?: readonly string[] | null;
  /** The media types of the answers; NOT_ACCEPTABLE for clients that accept none. */
  readonly answers?: Offer;
  readonly handle: Handler;
  readonly loggedPath?: (path: string) => string;
  /** Set where the handler itself says which pages of other origins may read its answers. */
  readonly hasOwnCors?: true;
  /** Set where it is also answered at the host of `INTEGRATIONS_URL`, at which nothing else is. */
  readonly isIsolated?: true;
}

/** A path of files or pages for the access log: all behind the id may be a secret key. */
export const withoutKey = (path: string): string => path.replace(/^(\/\w+\/\w*).*$/s, "$1");

/** Whether a value of the header Host names the host of a URL, at any port. */
export function namesHostOf(host: string | undefined, url: string | undefined): boolean {
  if (host === undefined || url === undefined) return false;
  return URL.parse(`http://${host}`)?.hostname === new URL(url).hostname;
}
