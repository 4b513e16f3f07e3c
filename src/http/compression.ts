// Compressed answers: the encoding that a client accepts (RFC 9110, section 12.5.3).
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

/** A shorter answer, in bytes, fits into one packet anyway. */
export const leastCompressed = 1024;

export interface Compression extends Encoding {
  /** As the header Content-Encoding has it. */
  readonly name: string;
}

/** The encoding of an answer by the header Accept-Encoding, and `Vary`; null where it is sent as it is. */
export function compressionFor(response: ServerResponse): Compression | null {
  addVary(response, "accept-encoding");
  if (response.req.headers["accept-encoding"] === undefined) return null;
  const preferred = Object.keys(encodings);
  // Its types lack the preference among encodings that the client weighs alike.
  const negotiator = new Negotiator(response.req) as unknown as {
    encoding(available: readonly string[], options: object): string | undefined;
  };
  const name = negotiator.encoding([...preferred, "identity"], { preferred });
  const encoding = name === undefined ? undefined : encodings[name];
  return name !== undefined && encoding ? { name, ...encoding } : null;
}
