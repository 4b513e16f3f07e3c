// Sends bytes of the file storage: whole, in ranges (RFC 9110, section 14), or as 304 to clients that have them.
import type { IncomingHttpHeaders } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import { isRasterImage } from "#src/files/content-type.ts";
import type { ByteRange, FileStore } from "#src/files/file-store.ts";
import { DomainError, type ErrorCode } from "#src/base/errors.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { offerOf } from "#src/http/negotiation.ts";
import { hasVersion, sendError } from "#src/http/send.ts";

interface SentBlob {
  readonly blob: string;
  readonly size: number;
  readonly headers: Readonly<Record<string, string>> & { readonly "content-type": string };
}

/** The headers of bytes that everybody with the address may read, also pages of any origin; nothing runs in them. */
export const openHeaders = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
};

/** Headers of a download. Browsers show raster images only, and download everything else, sandboxed without origin. */
export function downloadHeaders({ name, contentType }: { readonly name: string; readonly contentType: string }) {
  const isShown = isRasterImage(contentType);
  return {
    "content-type": contentType.startsWith("text/") ? `${contentType}; charset=utf-8` : contentType,
    "content-disposition": `${isShown ? "inline" : "attachment"}; ${fileNameParameters(name)}`,
    // Browsers show an image that is opened by itself in a page with their own style.
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ...openHeaders,
  };
}

/** The name of a file in a header: by RFC 8187, and in plain characters for clients that do not support that. */
function fileNameParameters(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, "_");
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Responds to a GET or HEAD with the result of `find`: 404 for null, and 410 for an expired address of a blob. */
export async function sendBlob(
  { request, response, requestId }: Exchange,
  { files, log }: { files: FileStore; log: Logger },
  find: () => Promise<SentBlob | "expired" | null>,
): Promise<void> {
  const { method, headers } = request;
  const refuse = (code: ErrorCode, message?: string) => sendError(response, new DomainError(code, message));
  const found = await find();
  if (found === "expired" || !found)
    return found ? refuse("GONE") : refuse("NOT_FOUND", "No file exists at this address.");
  const { size, blob } = found;
  offerOf(found.headers["content-type"]).require(request);
  const [etag, head] = [`"${blob}"`, { etag: `"${blob}"`, ...found.headers }];
  if (hasVersion(headers, etag)) return void response.writeHead(304, head).end();
  const range = method === "GET" ? rangeIn(headers, { size, etag }) : null;
  if (range === "unsatisfiable") {
    response.setHeader("content-range", `bytes */${size}`);
    return refuse("RANGE_NOT_SATISFIABLE");
  }
  const address = method === "GET" && (await files.addressOf?.(blob, found.headers));
  if (address)
    return void response.writeHead(307, { ...openHeaders, location: address, "cache-control": "no-store" }).end();
  const bytes = await files.open(blob, range ?? undefined);
  if (!bytes) {
    log.error({ requestId, blob }, "The bytes of a file are missing in the storage");
    return refuse("NOT_FOUND", "No file exists at this address.");
  }
  const length = range ? range.end - range.start + 1 : size;
  const part = range && { "content-range": `bytes ${range.start}-${range.end}/${size}` };
  const known = { ...head, "accept-ranges": "bytes", ...part, "content-length": length };
  response.writeHead(range ? 206 : 200, known);
  if (method === "HEAD") {
    bytes.destroy();
    response.end();
  } else await pipeline(bytes, response).catch(unlessCutOff);
}

/** Clients may close the connection before the end; everything else is an error. */
function unlessCutOff(error: unknown): void {
  const isCutOff = error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
  if (!isCutOff) throw error;
}

/** The requested range; null: the whole file, or a header to ignore; `unsatisfiable`: outside of the file. */
function rangeIn(
  { range, "if-range": condition }: IncomingHttpHeaders,
  { size, etag }: { size: number; etag: string },
): ByteRange | null | "unsatisfiable" {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if (from === undefined || to === undefined || from + to === "") return null;
  if (condition !== undefined && condition !== etag) return null;
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return null; // malformed, so it is ignored
  return start > end ? "unsatisfiable" : { start, end };
}
