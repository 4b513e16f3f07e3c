// Parts of PDFs in tests: images with valid bytes, and contents.
import { crc32, deflateSync } from "node:zlib";

/** The colour types of a PNG: samples per pixel. */
const samples = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const;

interface PngOptions {
  readonly type: keyof typeof samples;
  readonly bits?: number;
  readonly palette?: readonly number[];
  readonly transparency?: readonly number[];
  /** The filter of each line; 0 changes nothing. */
  readonly filter?: number;
  readonly isInterlaced?: boolean;
  /** The declared size instead of the true one. */
  readonly claims?: { readonly width: number; readonly height: number };
}

/** A PNG with these lines of data, before filtering. */
export function pngOf(lines: readonly (readonly number[])[], width: number, options: PngOptions): Buffer<ArrayBuffer> {
  const { type, bits = 8, palette, transparency, filter = 0, isInterlaced = false, claims } = options;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(claims?.width ?? width, 0);
  head.writeUInt32BE(claims?.height ?? lines.length, 4);
  head.set([bits, type, 0, 0, isInterlaced ? 1 : 0], 8);
  const data = Buffer.concat(lines.map((line) => Buffer.from([filter, ...line])));
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    ...(palette ? [chunk("PLTE", Buffer.from(palette))] : []),
    ...(transparency ? [chunk("tRNS", Buffer.from(transparency))] : []),
    chunk("IDAT", deflateSync(data)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer<ArrayBuffer> {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, sum]);
}

/** A grey JPEG of one pixel. */
export const smallJpeg = Buffer.from(
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////" +
    "wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=",
  "base64",
);
