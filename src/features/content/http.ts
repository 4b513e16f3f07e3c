// Downloads of files. The URL contains a secret key or a signature instead of a token, so that pages can embed images.
import { percentDecoded } from "#src/base/url-text.ts";
import { isFormerAddress, readAddress } from "#src/features/content/model/download-address.ts";
import { findOpenFile, findSignedFile } from "#src/features/content/reads/files.ts";
import type { Gateway } from "#src/features/feature.ts";
import { type HttpRoute, withoutKey } from "#src/http/route.ts";
import { downloadHeaders, sendBlob } from "#src/http/send-blob.ts";

/** Public files are cached for a day. */
const forAll = { "cache-control": "public, max-age=86400" };

/** The longest time that a browser may cache a private file, in seconds. */
const longestPrivate = 3600;

/** `/files/…`: 404 unless the URL of a file is exact, and 410 for an expired or former URL. */
export const contentHttp = (gateway: Gateway): HttpRoute[] => [
  {
    path: "/files/",
    loggedPath: withoutKey,
    handle: (exchange) => sendBlob(exchange, gateway, () => findFile(gateway, exchange.path)),
  },
];

async function findFile({ database, viewers, clock }: Gateway, path: string) {
  const address = readAddress(path);
  if (!address) return isFormerAddress(path) ? "expired" : null;
  const file =
    "key" in address
      ? await findOpenFile(database, address)
      : await findSignedFile(database, address, await viewers.byTokenId(address.tokenId));
  if (!file || percentDecoded(address.name) !== file.name) return null;
  if ("key" in address) return { ...file, headers: { ...forAll, ...downloadHeaders(file) } };
  const secondsLeft = Math.floor(address.until - clock.now().getTime() / 1000);
  if (secondsLeft < 0) return "expired";
  const caching = { "cache-control": `private, max-age=${Math.min(secondsLeft, longestPrivate)}` };
  return { ...file, headers: { ...caching, ...downloadHeaders(file) } };
}
