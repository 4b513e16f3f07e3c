// Downloads of files and PDFs: the secret key or the signature in the address takes the place of a token, so that pages
// can show images. Browsers show raster images only, and run nothing that was uploaded: everything else is only saved,
// in a sandbox without origin.
import type { Logger } from "pino";
import { isIdOf } from "#src/base/ids.ts";
import { type Clock, systemClock } from "#src/base/time.ts";
import { percentDecoded } from "#src/base/percent.ts";
import type { Database } from "#src/db/database.ts";
import { findFileByKey, type StoredFile } from "#src/features/content/reads/files.ts";
import { findSignedPdf } from "#src/features/pdfs/reads/pdfs.ts";
import { isRasterImage } from "#src/files/content-type.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { Handler } from "#src/server/exchange.ts";
import { openHeaders, sendBlob } from "#src/server/send-blob.ts";

interface Options {
  readonly database: Database;
  readonly files: FileStore;
  readonly log: Logger;
  readonly clock?: Clock;
}

/** `/files/<id>/<key>/<name>`. */
const address = /^\/files\/(\w+)\/([\w-]{22})\/([^/]+)$/;
/** `/files/<id>/<until when>-<signature>/<name>`. */
const signedAddress = /^\/files\/(\w+)\/(\d{1,11})-([\w-]{43})\/([^/]+)$/;

/** A path for the log: without the key of a file, of a share link or of an invitation, which are secrets. */
export function withoutKey(path: string): string {
  if (path.startsWith("/app/invites/")) return "/app/invites";
  return path.replace(/^(\/(?:files|published)\/\w*).*$/s, "$1");
}

/**
 * The handler of `/files/…`. Everything but the exact address of a file or PDF is 404, and that of a PDF 410 when its
 * time is over. Rights are not checked.
 */
export function createDownloads({ database, clock = systemClock, ...kept }: Options): Handler {
  return (exchange) =>
    sendBlob(exchange, kept, async () => {
      const file = await findFileAt(database, exchange.path);
      if (file) return { ...file, headers: { ...forEver, ...headersOf(file) } };
      const pdf = await findPdfAt(database, exchange.path);
      if (!pdf) return null;
      const secondsLeft = Math.floor(pdf.until - clock.now().getTime() / 1000);
      if (secondsLeft < 0) return "expired";
      return { ...pdf, headers: { "cache-control": `private, max-age=${secondsLeft}`, ...headersOf(pdf) } };
    });
}

const forEver = { "cache-control": "public, max-age=31536000, immutable" };

async function findFileAt(database: Database, path: string): Promise<StoredFile | null> {
  const [, id = "", key = "", name = ""] = address.exec(path) ?? [];
  const file = isIdOf("File", id) ? await findFileByKey(database, id, key) : null;
  return file && percentDecoded(name) === file.name ? file : null;
}

async function findPdfAt(database: Database, path: string) {
  const [, id = "", until = "", signature = "", name = ""] = signedAddress.exec(path) ?? [];
  const seconds = Number(until);
  const pdf = isIdOf("ContentPdf", id) ? await findSignedPdf(database, { id, seconds, signature }) : null;
  return pdf && percentDecoded(name) === pdf.name ? { ...pdf, contentType: "application/pdf", until: seconds } : null;
}

function headersOf({ name, contentType }: Pick<StoredFile, "name" | "contentType">): Record<string, string> {
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
