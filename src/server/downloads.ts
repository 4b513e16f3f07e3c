// Downloads of files: the secret key in the address takes the place of a token, so that pages can show images. Browsers
// show raster images only, and run nothing that was uploaded: everything else is only saved, in a sandbox without
// origin.
import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import { isIdOf } from "#src/base/ids.ts";
import { percentDecoded } from "#src/base/percent.ts";
import type { Database } from "#src/db/database.ts";
import { findFileByKey, type StoredFile } from "#src/features/content/reads/files.ts";
import { isRasterImage } from "#src/files/content-type.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { type Handler, sendJson } from "#src/server/exchange.ts";
import { hasVersion, rangeIn } from "#src/server/ranges.ts";

interface Options {
  readonly database: Database;
  readonly files: FileStore;
  readonly log: Logger;
}

/** `/files/<id>/<key>/<name>`. */
const address = /^\/files\/(\w+)\/([\w-]{22})\/([^/]+)$/;

/** A path for the log: without the key of a file, of a share link or of an invitation, which are secrets. */
export function withoutKey(path: string): string {
  if (path.startsWith("/app/invites/")) return "/app/invites";
  return path.replace(/^(\/(?:files|published)\/\w*).*$/s, "$1");
}

/** The handler of `/files/…`. Everything but the exact address of a file is 404. Rights are not checked. */
export function createDownloads({ database, files, log }: Options): Handler {
  return async ({ request, response, path, requestId }) => {
    const { method, headers } = request;
    if (method !== "GET" && method !== "HEAD") {
      response.setHeader("allow", "GET, HEAD");
      return refuse(response, 405, "This path takes GET and HEAD.");
    }
    const file = await findFileAt(database, path);
    if (!file) return refuse(response, 404, "There is no file at this address.");
    const { size, blob } = file;
    const etag = `"${blob}"`;
    const head = { etag, "cache-control": "public, max-age=31536000, immutable" };
    if (hasVersion(headers, etag)) return void response.writeHead(304, head).end();
    const range = method === "GET" ? rangeIn(headers, { size, etag }) : null;
    if (range === "unsatisfiable") {
      response.setHeader("content-range", `bytes */${size}`);
      return refuse(response, 416, "This range is outside of the file.");
    }
    const bytes = await files.open(blob, range ?? undefined);
    if (!bytes) {
      log.error({ requestId, fileId: file.fileId }, "The bytes of a file are not in the store");
      return refuse(response, 404, "There is no file at this address.");
    }
    const length = range ? range.end - range.start + 1 : size;
    const part = range && { "content-range": `bytes ${range.start}-${range.end}/${size}` };
    response.writeHead(range ? 206 : 200, { ...head, ...headersOf(file), ...part, "content-length": length });
    if (method === "HEAD") {
      bytes.destroy();
      response.end();
    } else await pipeline(bytes, response).catch(unlessCutOff);
  };
}

/** Clients may close the connection before the end; everything else is an error. */
function unlessCutOff(error: unknown): void {
  const isCutOff = error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
  if (!isCutOff) throw error;
}

async function findFileAt(database: Database, path: string): Promise<StoredFile | null> {
  const [, id = "", key = "", name = ""] = address.exec(path) ?? [];
  const file = isIdOf("File", id) ? await findFileByKey(database, id, key) : null;
  return file && percentDecoded(name) === file.name ? file : null;
}

function headersOf({ name, contentType }: StoredFile): Record<string, string> {
  const isShown = isRasterImage(contentType);
  return {
    "content-type": contentType.startsWith("text/") ? `${contentType}; charset=utf-8` : contentType,
    "content-disposition": `${isShown ? "inline" : "attachment"}; ${fileNameParameters(name)}`,
    // Browsers show an image that is opened by itself in a page with a style of their own.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    // Everybody who has the address may read it, also pages of any origin.
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
  };
}

/** The name of a file in a header: by RFC 8187, and in plain characters for clients that do not know that. */
function fileNameParameters(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function refuse(response: ServerResponse, code: number, message: string): void {
  sendJson(response, code, { error: { code, message } });
}
