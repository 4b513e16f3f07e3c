// The documents and files of OpenAPI specifications at addresses that need no token.
import { specPathStart, findAddressed } from "#src/features/openapi/reads/addresses.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import type { Gateway } from "#src/features/feature.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { openHeaders, sendBlob } from "#src/http/send-blob.ts";

/** `/openapi/<id>/openapi.json`, and `/openapi/<id>/files/<path>`, which is percent-encoded as one part. */
const address = /^\/openapi\/(\w+)\/(?:openapi\.json|files\/([^/]+))$/;

/** Caches must revalidate each time, since a specification may become private. */
const headers = { "cache-control": "no-cache", ...openHeaders };
const documentHeaders = { ...headers, "content-type": "application/json; charset=utf-8" };
const fileHeaders = {
  ...headers,
  "content-type": "text/plain; charset=utf-8",
  "content-security-policy": "default-src 'none'; sandbox",
};

/** 404 for everything that the address does not open. */
export const specHttp = (gateway: Gateway): HttpRoute[] => [
  { path: specPathStart, handle: (exchange) => sendBlob(exchange, gateway, () => findDocument(gateway, exchange)) },
];

async function findDocument({ database, secrets, clock }: Gateway, { path, request }: Exchange) {
  const [, id = "", part] = address.exec(path) ?? [];
  const file = part === undefined ? undefined : (percentDecoded(part) ?? "");
  const query = new URLSearchParams(searchOf(request));
  const asked = { id, ...(file !== undefined && { file }) };
  const found = await findAddressed({ database, secrets }, asked, { query, now: clock.now() });
  return found && { ...found, headers: file === undefined ? documentHeaders : fileHeaders };
}
