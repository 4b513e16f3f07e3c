// What caches that several people use may keep, such as those of a CDN: published content that anybody may read, asked
// for by a request that says nothing of who asks. What goes by a token or a key is kept out of them.
import type { Exchange } from "#src/http/exchange.ts";
import { addVary } from "#src/http/negotiation.ts";

/** The headers by which a request says who asks, or as which visitor. */
const credentials = ["authorization", "cookie", "x-visitor-token"] as const;

/**
 * Lets every cache keep an answer for a minute, of content that anybody may read; others who ask at the same address
 * may get another answer. It stays private for a request with credentials, or with a query, which may hold a key.
 */
export function letCachesKeep({ request, response }: Exchange): void {
  addVary(response, "origin", ...credentials);
  const saysNothing = credentials.every((name) => request.headers[name] === undefined);
  if (saysNothing && !request.url?.includes("?")) response.setHeader("cache-control", "public, max-age=60");
}

/**
 * Keeps answers to requests without an API token out of caches that several people use: what they say goes by the
 * token of the visitor, which such a cache knows nothing of.
 */
export function keepFromSharedCaches({ response }: Exchange): void {
  response.setHeader("cache-control", "private, no-cache");
}
