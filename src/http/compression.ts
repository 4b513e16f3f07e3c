// Compressed answers: which encoding a client takes, and where that pays (RFC 9110, section 12.5.3).
import type { ServerResponse } from "node:http";
import type { Transform } from "node:stream";
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
import { addVary } from "#src/http/negotiation.ts";

/** One way to make bytes shorter: those that are there as a whole, and those that come one after the other. */
interface Encoding {
  readonly compress: (bytes: Uint8Array) => Promise<Buffer>;
  readonly stream: () => Transform;
}

const [asZstd, asBrotli, asGzip] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)];

/** Levels at which answers are made while somebody waits. */
const levels = {
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: 3 } },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  gzip: { level: 4 },
} as const;

/** The best first. */
const encodings: Readonly<Record<string, Encoding>> = {
  zstd: { compress: (bytes) => asZstd(bytes, levels.zstd), stream: () => createZstdCompress(levels.zstd) },
  br: { compress: (bytes) => asBrotli(bytes, levels.br), stream: () => createBrotliCompress(levels.br) },
  gzip: { compress: (bytes) => asGzip(bytes, levels.gzip), stream: () => createGzip(levels.gzip) },
};

/** Below so many bytes an answer fits into one packet anyway. */
const leastLength = 1024;

export interface Compression extends Encoding {
  /** As the header Content-Encoding has it. */
  readonly name: string;
}

/**
 * How an answer of so many bytes is made shorter; null where it goes out as it is, as for clients that say nothing.
 * Says to caches that it depends on the client.
 */
export function compressionFor(response: ServerResponse, length: number): Compression | null {
  if (length < leastLength) return null;
  addVary(response, "accept-encoding");
  if (response.req.headers["accept-encoding"] === undefined) return null;
  const preferred = Object.keys(encodings);
  // Its types lack what is preferred among what the client takes as gladly.
  const negotiator = new Negotiator(response.req) as unknown as {
    encoding(available: readonly string[], options: object): string | undefined;
  };
  const name = negotiator.encoding([...preferred, "identity"], { preferred });
  const encoding = name === undefined ? undefined : encodings[name];
  return name !== undefined && encoding ? { name, ...encoding } : null;
}
