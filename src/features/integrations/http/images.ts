// The images of integrations. Their addresses have the hash of their bytes, so nobody guesses them: no token is needed.
import { imageAddress } from "#src/features/integrations/model/manifest/names.ts";
import { buffer } from "node:stream/consumers";
import type { Gateway } from "#src/features/feature.ts";
import { hasImage } from "#src/features/integrations/reads.ts";
import { contentTypeOf } from "#src/files/content-type.ts";
import { headSize } from "#src/files/file-store.ts";
import type { HttpRoute } from "#src/http/route.ts";
import { openHeaders, sendBlob } from "#src/http/send-blob.ts";

/** `/integrations/<id>/images/…`: 404 unless the image belongs to the current version of the integration. */
export const imageRoute = (gateway: Gateway): HttpRoute => ({
  path: "/integrations/",
  loggedPath: (path) => path.split("/", 4).join("/"),
  handle: (exchange) => sendBlob(exchange, gateway, () => findImage(gateway, exchange.path)),
});

async function findImage({ database, files }: Gateway, path: string) {
  const [, id, blob] = imageAddress.exec(path) ?? [];
  if (id === undefined || blob === undefined || !(await hasImage(database, id, blob))) return null;
  const found = await files.find(blob);
  const head = await files.open(blob, { start: 0, end: headSize - 1 });
  if (!found || !head) return null;
  const type = contentTypeOf(await buffer(head), "");
  return { blob, size: found.size, headers: { ...headers, "content-type": type } };
}

const headers = {
  "cache-control": "public, max-age=31536000, immutable",
  // Browsers show an image that is opened by itself in a page with a style of their own.
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  ...openHeaders,
};
