// The images of integrations. Their addresses say the hash of their bytes, which nobody guesses: they need no token, so
// that pages can show them. Nothing in them is run.
import { buffer } from "node:stream/consumers";
import type { Logger } from "pino";
import type { Database } from "#src/db/connection/database.ts";
import { imageAddress } from "#src/features/integrations/model/manifest/names.ts";
import { hasImage } from "#src/features/integrations/reads.ts";
import { contentTypeOf } from "#src/files/content-type.ts";
import { type FileStore, headSize } from "#src/files/file-store.ts";
import type { Handler } from "#src/http/exchange.ts";
import { openHeaders, sendBlob } from "#src/http/send-blob.ts";

interface Options {
  readonly database: Database;
  readonly files: FileStore;
  readonly log: Logger;
}

/** The handler of `/integrations/<id>/images/…`. What is no image of the integration now is 404. */
export function createIntegrationImages({ database, ...kept }: Options): Handler {
  return (exchange) =>
    sendBlob(exchange, kept, async () => {
      const [, id, blob] = imageAddress.exec(exchange.path) ?? [];
      if (id === undefined || blob === undefined || !(await hasImage(database, id, blob))) return null;
      const found = await kept.files.find(blob);
      const head = await kept.files.open(blob, { start: 0, end: headSize - 1 });
      if (!found || !head) return null;
      const type = contentTypeOf(await buffer(head), "");
      return { blob, size: found.size, headers: { ...headers, "content-type": type } };
    });
}

const headers = {
  "cache-control": "public, max-age=31536000, immutable",
  // Browsers show an image that is opened by itself in a page with a style of their own.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  ...openHeaders,
};
