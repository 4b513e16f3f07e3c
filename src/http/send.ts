// Sends responses on node:http: compressed if worthwhile, and as 304 to clients that have them.
import { hash } from "node:crypto";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { pipeline, Readable, type Transform } from "node:stream";
import { type DomainError, errorBody, RateLimitedError, retryAfter } from "#src/base/errors.ts";
import type { ByteWriter } from "#src/plan/byte-writer.ts";
import { countedLength, unreadAnswers } from "#src/runtime/unread-answers.ts";
import { inTurns } from "#src/runtime/yielding.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { setEarlyHeader } from "#src/http/early-headers.ts";
import { addVary } from "#src/http/negotiation.ts";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from "node:zlib";
import Negotiator from "negotiator";

/** The weak entity tag of a body (RFC 9110, section 8.8.3). */
const etagOf = (body: string | Uint8Array): string => `W/"${hash("sha1", body, "base64url")}"`;

/** A body that is sent again and again: its bytes, entity tag and compressed forms are made once. */
export class KeptBody {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly #compressed = new Map<string, Promise<Buffer>>();

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.etag = etagOf(this.bytes);
  }

  /** A compression that returns the form of this body that was made before. */
  keepForm(compression: Compression): Compression {
    const { name } = compression;
    const compress = (bytes: Uint8Array): Promise<Buffer> => {
      let form = this.#compressed.get(name);
      if (!form) {
        this.#compressed.set(name, (form = compression.compress(bytes)));
        form.catch(() => this.#compressed.delete(name)); // out of memory
      }
      return form;
    };
    return { ...compression, compress };
  }
}

/** Sends a whole response: compressed if accepted and worthwhile, or as 304 to a client that has it. */
export function send(
  response: ServerResponse,
  status: number,
  contentType: string,
  given: string | Uint8Array | KeptBody,
): void {
  if (status === 200 && isGet(response) && isKnown(response, given)) return sendEmpty(response, 304);
  const kept = given instanceof KeptBody ? given : null;
  const body = given instanceof KeptBody ? given.bytes : given;
  const length = Buffer.byteLength(body);
  const compression = length < leastCompressed ? null : compressionFor(response);
  if (compression) {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    return sendCompressed(response, kept?.keepForm(compression) ?? compression, { status, contentType, bytes });
  }
  response.writeHead(status, { "content-type": contentType, "content-length": length });
  response.end(body); // text is written with the head in one piece, which saves a system call
  if (length >= countedLength) unreadAnswers.add(response, length);
}

/** Below this size a response is sent with its head in one piece, which costs a copy and saves a system call. */
const smallAnswer = 16_384;

/** From this size on a response is sent in slices, as it is read: passing all of it to the system takes long. */
const [longAnswer, sliceLength] = [1_048_576, 262_144];

/** One that is compressed is in shorter ones: the threads that do it take slices of all responses in turn. */
const compressedSlice = 65_536;

function* slicesOf(bytes: Uint8Array, length = sliceLength): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

/** The same for a response that was written as bytes, which are freed once they are sent. */
export function sendOut(response: ServerResponse, contentType: string, out: ByteWriter): void {
  const length = out.at;
  if (isGet(response) && isKnown(response, out.bytes)) {
    out.free();
    return sendEmpty(response, 304);
  }
  const compression = length < leastCompressed ? null : compressionFor(response);
  if (compression) {
    if (length >= longAnswer) return stream(response, compression, { contentType, out });
    return sendCompressed(response, compression, {
      status: 200,
      contentType,
      bytes: out.bytes,
      free: () => out.free(),
    });
  }
  response.writeHead(200, { "content-type": contentType, "content-length": length });
  if (length < smallAnswer) {
    // Latin-1 maps each byte to a character and back: the UTF-8 is unchanged.
    response.end(out.buffer.toString("latin1", 0, length), "latin1");
    out.free();
  } else if (length < longAnswer) response.end(out.bytes, () => out.free());
  else pipeline(readableOf(slicesOf(out.bytes)), response, () => out.free());
  if (length >= countedLength) unreadAnswers.add(response, length);
}

/** Pieces of a long response, one after the other as they are taken: the client reads. */
function readableOf(pieces: Iterable<Uint8Array>): Readable {
  function* noted(): Generator<Uint8Array> {
    for (const piece of pieces) {
      yield piece;
      unreadAnswers.noteRead();
    }
  }
  return Readable.from(inTurns(noted()));
}

/** Sends a long response to a POST in pieces: each is sent when the previous one was taken. */
export function sendPieces(response: ServerResponse, contentType: string, pieces: readonly Uint8Array[]): void {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const compression = length < leastCompressed ? null : compressionFor(response);
  const extent = compression ? { "content-encoding": compression.name } : { "content-length": length };
  response.writeHead(200, { "content-type": contentType, ...extent });
  const stages = compression ? [compression.stream(), response] : [response];
  // The client may close the request before the end.
  pipeline([readableOf(pieces), ...stages], () => {});
  if (length >= countedLength) unreadAnswers.add(response, length);
}

interface Whole {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly free?: () => void;
}

function sendCompressed(response: ServerResponse, compression: Compression, whole: Whole): void {
  const { status, contentType, bytes, free } = whole;
  const compressed = compression.compress(bytes).finally(free);
  compressed.then(
    (shorter) => {
      if (response.destroyed) return; // the client closed the request
      const encoded = { "content-encoding": compression.name, "content-length": shorter.length };
      response.writeHead(status, { "content-type": contentType, ...encoded });
      response.end(shorter);
      if (shorter.length >= countedLength) unreadAnswers.add(response, shorter.length);
    },
    () => response.destroy(), // out of memory
  );
}

/**
 * Compresses a long response while it is read. If the client closes the request, a thread may still compress a slice:
 * then the bytes are left to the garbage collector.
 */
function stream(
  response: ServerResponse,
  compression: Compression,
  { contentType, out }: { readonly contentType: string; readonly out: ByteWriter },
): void {
  const { bytes } = out;
  response.writeHead(200, { "content-type": contentType, "content-encoding": compression.name });
  const slices = readableOf(slicesOf(bytes, compressedSlice));
  pipeline(slices, compression.stream(), response, (error) => (error ? out.abandon() : out.free()));
  unreadAnswers.add(response, bytes.length);
}

/** The longest response with an entity tag, in characters or bytes: computing it blocks the process. */
const longestVersioned = 4_000_000;

/** Whether a response is to a GET or HEAD: only those have an entity tag. */
const isGet = ({ req: { method } }: ServerResponse): boolean => method === "GET" || method === "HEAD";

/** Sets the entity tag of a response to a GET (RFC 9110, section 13.1.2). True if the client has this version. */
function isKnown(response: ServerResponse, body: string | Uint8Array | KeptBody): boolean {
  const { headers } = response.req;
  const cacheControl = response.getHeader("cache-control");
  if (cacheControl === undefined) setEarlyHeader(response, "cache-control", "private, no-cache");
  else if (String(cacheControl).includes("no-store")) return false;
  const isKept = body instanceof KeptBody;
  if (!isKept && body.length > longestVersioned) return false;
  const version = isKept ? body.etag : etagOf(body);
  setEarlyHeader(response, "etag", version);
  return hasVersion(headers, version);
}

/** Whether the client has this version: `If-None-Match` names it, or any. */
export const hasVersion = ({ "if-none-match": known }: IncomingHttpHeaders, etag: string): boolean =>
  (known ?? "").split(",").some((tag) => ["*", etag, `W/${etag}`].includes(tag.trim()));

/** Sends a value as JSON. */
export function sendJson(response: ServerResponse, status: number, value: unknown): void {
  sendJsonText(response, status, JSON.stringify(value));
}

/** Sends an error outside of GraphQL. */
export function sendError(response: ServerResponse, error: DomainError): void {
  sendJson(response, error.status, errorBody(error));
}

/** Sends a text that is JSON. */
export function sendJsonText(response: ServerResponse, status: number, text: string): void {
  send(response, status, "application/json; charset=utf-8", text);
}

export const eventStreamHead = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no", // disables buffering in nginx
} as const;

/** Sends a response without a body. By RFC 9110 a 204 and a 304 have no length, and any other has 0. */
export function sendEmpty(response: ServerResponse, status: number): void {
  response.writeHead(status, status === 204 || status === 304 ? {} : { "content-length": 0 });
  response.end();
}

/** Redirects with `Set-Cookie` and without a referrer. */
export function redirect(response: ServerResponse, location: string, cookies: readonly string[]): void {
  response.writeHead(303, {
    location,
    "set-cookie": [...cookies],
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-length": 0,
  });
  response.end();
}

/** Sets `Retry-After` if the status is transient. Before the response is sent. */
export function setRetryAfter(response: ServerResponse, of: number | DomainError): void {
  const status = typeof of === "number" ? of : of.status;
  const seconds = of instanceof RateLimitedError ? of.retrySeconds : retryAfter(status);
  if (seconds !== null) response.setHeader("retry-after", seconds);
}

/** The headers that identify the caller of a request, or the visitor. */
const credentials = ["authorization", "cookie", "x-visitor-token"] as const;

/** Lets caches store public content for a minute, unless the request has credentials or a query (maybe a key). */
export function letCachesKeep({ request, response }: Exchange): void {
  addVary(response, "origin", ...credentials);
  const saysNothing = credentials.every((name) => request.headers[name] === undefined);
  if (saysNothing && !request.url?.includes("?")) setEarlyHeader(response, "cache-control", "public, max-age=60");
}

/** Keeps responses without an API token out of shared caches: they depend on a visitor token, unknown to caches. */
export function keepFromSharedCaches({ response }: Exchange): void {
  setEarlyHeader(response, "cache-control", "private, no-cache");
}

interface Encoding {
  readonly compress: (bytes: Uint8Array) => Promise<Buffer>;
  readonly stream: () => Transform;
}

const [asZstd, asBrotli, asGzip] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)];

/** How much the threads of the pool compress at a time, in bytes: by default a quarter, at four times the turns. */
const chunkSize = 65_536;

/** Compression levels for responses that a client waits for. */
const levels = {
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: 3 }, chunkSize },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 }, chunkSize },
  gzip: { level: 4, chunkSize },
} as const;

/** The best first. */
const encodings: Readonly<Record<string, Encoding>> = {
  zstd: { compress: (bytes) => asZstd(bytes, levels.zstd), stream: () => createZstdCompress(levels.zstd) },
  br: { compress: (bytes) => asBrotli(bytes, levels.br), stream: () => createBrotliCompress(levels.br) },
  gzip: { compress: (bytes) => asGzip(bytes, levels.gzip), stream: () => createGzip(levels.gzip) },
};

/** A shorter response, in bytes, fits into one packet anyway. */
const leastCompressed = 1024;

interface Compression extends Encoding {
  readonly name: string;
}

/** The encoding by Accept-Encoding (RFC 9110, section 12.5.3), and `Vary`; null if not compressed. */
export function compressionFor(response: ServerResponse): Compression | null {
  addVary(response, "accept-encoding");
  if (response.req.headers["accept-encoding"] === undefined) return null;
  const preferred = Object.keys(encodings);
  // Its types lack the preference among encodings with equal weights.
  const negotiator = new Negotiator(response.req) as unknown as {
    encoding(available: readonly string[], options: object): string | undefined;
  };
  const name = negotiator.encoding([...preferred, "identity"], { preferred });
  const encoding = name === undefined ? undefined : encodings[name];
  return name !== undefined && encoding ? { name, ...encoding } : null;
}
