// Sending bytes of the file storage: whole, in parts, or not again to those who have them.
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { FileStore } from "#src/files/file-store.ts";
import { DomainError, type ErrorCode } from "#src/base/errors.ts";
import { type Exchange, sendError } from "#src/http/exchange.ts";
import { offerOf } from "#src/http/negotiation.ts";
import { hasVersion, rangeIn } from "#src/http/ranges.ts";

interface SentBlob {
  readonly blob: string;
  readonly size: number;
  /** The headers of the answer. */
  readonly headers: Readonly<Record<string, string>> & { readonly "content-type": string };
}

/** The headers of what everybody who has its address may read, pages of any origin included; none of it is run. */
export const openHeaders = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
};

/**
 * Answers a GET or HEAD, and refuses every other method: `find` says what is there, null for nothing, and "expired" for
 * an address whose time is over.
 */
export async function sendBlob(
  { request, response, requestId }: Exchange,
  { files, log }: { files: FileStore; log: Logger },
  find: () => Promise<SentBlob | "expired" | null>,
): Promise<void> {
  const { method, headers } = request;
  const refuse = (code: ErrorCode, message?: string) => sendError(response, new DomainError(code, message));
  if (method !== "GET" && method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return refuse("METHOD_NOT_ALLOWED", "This path takes GET and HEAD.");
  }
  const found = await find();
  if (found === "expired" || !found)
    return found ? refuse("GONE") : refuse("NOT_FOUND", "There is no file at this address.");
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
    log.error({ requestId, blob }, "The bytes of a file are not in the store");
    return refuse("NOT_FOUND", "There is no file at this address.");
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
