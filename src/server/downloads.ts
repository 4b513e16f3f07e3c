// Downloads of files and PDFs: the secret key or the signature in the address takes the place of a token, so that pages
// can show images. Browsers show raster images only, and run nothing that was uploaded: everything else is only saved,
// in a sandbox without origin.
import type { Logger } from "pino";
import { isIdOf } from "#src/base/ids.ts";
import { type Clock, systemClock } from "#src/base/time.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import type { Database } from "#src/db/connection/database.ts";
import { type OpenAddress, readAddress, type SignedAddress } from "#src/features/content/model/download-address.ts";
import { findOpenFile, findSignedFile, type StoredFile } from "#src/features/content/reads/files.ts";
import type { Viewers } from "#src/access/viewers.ts";
import { findSignedPdf } from "#src/features/pdfs/reads/pdfs.ts";
import { isRasterImage } from "#src/files/content-type.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { Handler } from "#src/http/exchange.ts";
import { openHeaders, sendBlob } from "#src/http/send-blob.ts";

interface Options {
  readonly database: Database;
  readonly viewers: Pick<Viewers, "byTokenId">;
  readonly files: FileStore;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** Of a PDF: `/files/<id>/<until when>-<signature>/<name>`. */
const pdfAddress = /^\/files\/(\w+)\/(\d{1,11})-([\w-]{43})\/([^/]+)$/;

/**
 * A path for the log: without the key of a file, of a share link or of an invitation, which are secrets, and without
 * what an integration's endpoint is asked for, which may hold one.
 */
export function withoutKey(path: string): string {
  if (path.startsWith("/app/invites/")) return "/app/invites";
  if (path.startsWith("/integrations/")) return path.split("/", 4).join("/");
  return path.replace(/^(\/(?:files|published)\/\w*).*$/s, "$1");
}

/**
 * The handler of `/files/…`. Everything but the exact address of a file or PDF is 404, and a signed one 410 when its
 * time is over.
 */
export function createDownloads({ database, viewers, clock = systemClock, ...kept }: Options): Handler {
  return (exchange) =>
    sendBlob(exchange, kept, async () => {
      const address = readAddress(exchange.path);
      const found = address ? await fileAt({ database, viewers }, address) : await findPdfAt(database, exchange.path);
      if (!found) return null;
      if (found.until === null) return { ...found, headers: { ...forAll, ...headersOf(found) } };
      const secondsLeft = Math.floor(found.until - clock.now().getTime() / 1000);
      if (secondsLeft < 0) return "expired";
      const maxAge = address ? Math.min(secondsLeft, longestPrivate) : secondsLeft;
      return { ...found, headers: { "cache-control": `private, max-age=${maxAge}`, ...headersOf(found) } };
    });
}

/** What anybody may read: a day. */
const forAll = { "cache-control": "public, max-age=86400" };

/** How long a browser may show a file that is for its user alone without asking again, in seconds. */
const longestPrivate = 3600;

/** The file, and until when the address is good, in seconds since 1970; null for an open one. */
async function fileAt(
  { database, viewers }: Pick<Options, "database" | "viewers">,
  address: OpenAddress | SignedAddress,
) {
  const file =
    "key" in address
      ? await findOpenFile(database, address)
      : await findSignedFile(database, address, await viewers.byTokenId(address.holder));
  if (!file || percentDecoded(address.name) !== file.name) return null;
  return { ...file, until: "key" in address ? null : address.until };
}

async function findPdfAt(database: Database, path: string) {
  const [, id = "", until = "", signature = "", name = ""] = pdfAddress.exec(path) ?? [];
  const seconds = Number(until);
  const pdf = isIdOf("ContentPdf", id) ? await findSignedPdf(database, { id, seconds, signature }) : null;
  return pdf && percentDecoded(name) === pdf.name ? { ...pdf, contentType: "application/pdf", until: seconds } : null;
}

function headersOf({ name, contentType }: Pick<StoredFile, "name" | "contentType">) {
  const isShown = isRasterImage(contentType);
  return {
    "content-type": contentType.startsWith("text/") ? `${contentType}; charset=utf-8` : contentType,
    "content-disposition": `${isShown ? "inline" : "attachment"}; ${fileNameParameters(name)}`,
    // Browsers show an image that is opened by itself in a page with a style of their own.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ...openHeaders,
  };
}

/** The name of a file in a header: by RFC 8187, and in plain characters for clients that do not know that. */
function fileNameParameters(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}
