// Compressed answers: which encoding a client takes, and where that pays (RFC 9110, section 12.5.3).
import type { ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import Negotiator from "negotiator";

type Compress = (bytes: Uint8Array) => Promise<Buffer>;

const [asZstd, asBrotli, asGzip] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)];

/** The encodings, the best first. Their levels are those at which answers are made while somebody waits. */
const encodings: Readonly<Record<string, Compress>> = {
  zstd: (bytes) => asZstd(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }),
  br: (bytes) => asBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: (bytes) => asGzip(bytes, { level: 4 }),
};

/** Below so many bytes an answer fits into one packet anyway. */
const leastLength = 1024;

export interface Compression {
  /** As the header Content-Encoding has it. */
  readonly name: string;
  readonly compress: Compress;
}

/**
 * How an answer of so many bytes is made shorter; null where it goes out as it is, as for clients that say nothing.
 * Says to caches that it depends on the client.
 */
export function compressionFor(response: ServerResponse, length: number): Compression | null {
  if (length < leastLength) return null;
  response.appendHeader("vary", "accept-encoding");
  if (response.req.headers["accept-encoding"] === undefined) return null;
  const preferred = Object.keys(encodings);
  // Its types lack what is preferred among what the client takes as gladly.
  const negotiator = new Negotiator(response.req) as unknown as {
    encoding(available: readonly string[], options: object): string | undefined;
  };
  const name = negotiator.encoding([...preferred, "identity"], { preferred });
  const compress = name === undefined ? undefined : encodings[name];
  return name !== undefined && compress ? { name, compress } : null;
}
