// The documents of OpenAPI specifications, and the files that they are made of, at addresses that need no token.
import type { Logger } from "pino";
import { percentDecoded } from "#src/base/url-text.ts";
import type { Secrets } from "#src/base/secrets.ts";
import type { Clock } from "#src/base/time.ts";
import type { Database } from "#src/db/connection/database.ts";
import { findAddressed } from "#src/features/openapi/reads/addresses.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { type Handler, searchOf } from "#src/http/exchange.ts";
import { openHeaders, sendBlob } from "#src/http/send-blob.ts";

/** `/openapi/<id>/openapi.json`, and `/openapi/<id>/files/<path>`, which is percent-encoded as one part. */
const address = /^\/openapi\/(\w+)\/(?:openapi\.json|files\/([^/]+))$/;

interface Options {
  readonly database: Database;
  readonly files: FileStore;
  readonly log: Logger;
  readonly clock: Clock;
  readonly secrets: Secrets;
}

/** The handler of `/openapi/…`. What is not open to the address is 404. */
export function createSpecDocuments({ database, clock, secrets, ...kept }: Options): Handler {
  return (exchange) =>
    sendBlob(exchange, kept, async () => {
      const [, id = "", part] = address.exec(exchange.path) ?? [];
      const file = part === undefined ? undefined : (percentDecoded(part) ?? "");
      const query = new URLSearchParams(searchOf(exchange.request));
      const asked = { id, ...(file !== undefined && { file }) };
      const found = await findAddressed({ database, secrets }, asked, { query, now: clock.now() });
      return found && { ...found, headers: file === undefined ? documentHeaders : fileHeaders };
    });
}

/** A specification may become private: caches ask each time whether they may still give it. */
const headers = { "cache-control": "no-cache", ...openHeaders };
const documentHeaders = { ...headers, "content-type": "application/json; charset=utf-8" };
const fileHeaders = {
  ...headers,
  "content-type": "text/plain; charset=utf-8",
  "content-security-policy": "default-src 'none'; sandbox",
};
