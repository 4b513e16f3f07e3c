// Images in texts: printed as pictures, or named where they cannot be printed.
import type { Content } from "pdfmake";
import type { BookFile } from "#src/features/pdfs/model/book.ts";
import { readReference } from "#src/documents/references.ts";
import { placeholder } from "#src/features/pdfs/model/layout.ts";
import { colours, room, smallSize } from "#src/features/pdfs/model/look.ts";
import { plainLook, type ReferenceResolver, runsOf, type ShownImage } from "#src/features/pdfs/model/phrases.ts";
import { crc32, deflateSync, inflateSync } from "node:zlib";

interface Picture {
  readonly bytes: Buffer;
  /** The size of the original image in pixels. */
  readonly width: number;
  readonly height: number;
}

/** The pictures of one PDF: each file is converted once, even if shown several times. */
export class Pictures {
  readonly #known = new Map<string, Picture | null>();

  get shown(): ReadonlyMap<string, Picture> {
    return new Map([...this.#known].filter((entry): entry is [string, Picture] => entry[1] !== null));
  }

  /** The picture of a file; null for other types than PNG and JPEG, and for damaged files. */
  of({ id, file: { image } }: { readonly id: string; readonly file: BookFile }): Picture | null {
    let picture = this.#known.get(id);
    if (picture === undefined) {
      const own = image && Buffer.from(image.bytes.buffer, image.bytes.byteOffset, image.bytes.byteLength);
      const bytes = own && (printablePng(own) ?? (isPrintableJpeg(own) ? own : null));
      picture = image && bytes && { bytes, width: image.width, height: image.height };
      this.#known.set(id, picture);
    }
    return picture;
  }
}

function isPrintableJpeg(bytes: Buffer): boolean {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return false;
  for (let at = 2; at + 10 <= bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker < 0xc0 || marker > 0xcf || marker === 0xc4) continue; // not a frame (ITU-T T.81, table B.1)
    const [bits, channels = 0] = [bytes[at + 4], bytes[at + 9]];
    const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
    return bits === 8 && [1, 3, 4].includes(channels) && width > 0 && height > 0;
  }
  return false;
}

interface Place {
  readonly resolver: ReferenceResolver;
  readonly pictures: Pictures;
  readonly width: number;
}

const pixel = 0.75;

/** Higher images are scaled down, to leave room for text above and below them. */
const highest = 0.8 * room.height;

export function imageOf({ ref, alt, title, target }: ShownImage, { resolver, pictures, width }: Place): Content {
  const own = resolver.fileOf(ref);
  const picture = own && pictures.of(own);
  if (!picture) {
    const name = alt || own?.file.name || lastPartOf(ref);
    return placeholder(name, { ...resolver.targetOf(ref), ...target }, width);
  }
  const scale = Math.min(pixel, width / picture.width, highest / picture.height);
  const image: Content = {
    image: own.id,
    fit: [picture.width * scale, picture.height * scale],
    ...target,
    margin: [0, 4, 0, title === "" ? 10 : 4],
  };
  if (title === "") return image;
  const caption = runsOf(title, { ...plainLook, color: colours.muted });
  return { stack: [image, { text: caption, fontSize: smallSize, margin: [0, 0, 0, 10] }] };
}

function lastPartOf(ref: unknown): string {
  const reference = readReference(ref);
  const address = "kind" in reference && reference.kind === "url" ? reference.url : "";
  return /([^/?#]+)\/*(?:[?#].*)?$/s.exec(address)?.[1]?.slice(0, 100) || "without a name";
}

/** The limit of decoded pixels, which take some hundred megabytes. */
const pixelLimit = 25_000_000;

/** The limit of the width in pixels: more than printers resolve on a sheet. */
const sideLimit = 2_000;

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** The parts of a PNG; the names are those of the standard (ISO/IEC 15948). */
interface Parts {
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly type: number;
  readonly isInterlaced: boolean;
  readonly palette: Buffer;
  readonly transparency: Buffer | null;
  readonly data: Buffer;
}

const types: Readonly<Record<number, { readonly samples: number; readonly bits: readonly number[] }>> = {
  0: { samples: 1, bits: [1, 2, 4, 8, 16] },
  2: { samples: 3, bits: [8, 16] },
  3: { samples: 1, bits: [1, 2, 4, 8] },
  4: { samples: 2, bits: [8, 16] },
  6: { samples: 4, bits: [8, 16] },
};

/** The passes of an interlaced image: x and y of the first pixel, and the steps between pixels. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/**
 * The image on white, without interlacing, not larger than printing needs; null if damaged, too large, or not a
 * PNG. Never throws. pdfmake's own reader checks nothing: a damaged image would end its thread, and a tiny one can
 * claim gigabytes. Why not fast-png: it inflates without a bound (389 kB took 1.1 GB), and misreads interlaced and tiny
 * images.
 */
export function printablePng(bytes: Buffer): Buffer | null {
  try {
    const parts = readParts(bytes);
    if (!parts) return null;
    const lines = linesOf(parts);
    const raw = inflateSync(parts.data, { maxOutputLength: lines.size });
    if (raw.length < lines.size) return null;
    const isPlain = !parts.isInterlaced && !parts.transparency && parts.type < 4 && parts.width <= sideLimit;
    return isPlain ? written(parts) : encoded(shrunk(decoded(parts, lines.passes, raw)));
  } catch {
    return null; // the data is damaged, or longer than declared
  }
}

function readParts(bytes: Buffer): Parts | null {
  if (!bytes.subarray(0, 8).equals(signature)) return null;
  const chunks = new Map<string, Buffer[]>();
  for (let at = 8; at + 12 <= bytes.length && !chunks.has("IEND");) {
    const size = bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (at + 12 + size > bytes.length) return null;
    chunks.set(name, [...(name === "IDAT" ? (chunks.get(name) ?? []) : []), bytes.subarray(at + 8, at + 8 + size)]);
    at += 12 + size;
  }
  const [head] = chunks.get("IHDR") ?? [];
  if (head?.length !== 13 || !chunks.has("IEND")) return null;
  const [width, height, bits = 0, type = 0] = [head.readUInt32BE(0), head.readUInt32BE(4), head[8], head[9]];
  const palette = chunks.get("PLTE")?.[0] ?? Buffer.alloc(0);
  const isKnown = types[type]?.bits.includes(bits) === true && (type !== 3 || palette.length >= 3);
  if (!isKnown || width === 0 || height === 0 || width * height > pixelLimit) return null;
  const transparency = chunks.get("tRNS")?.[0] ?? null;
  const data = Buffer.concat(chunks.get("IDAT") ?? []);
  return { width, height, bits, type, isInterlaced: head[12] === 1, palette, transparency, data };
}

interface Pass {
  readonly at: (typeof passes)[number] | readonly [0, 0, 1, 1];
  readonly width: number;
  readonly height: number;
  /** Bytes of a line, without the byte of its filter. */
  readonly line: number;
}

/** The passes of the data that have pixels, and the bytes of all their lines. */
function linesOf({ width, height, bits, type, isInterlaced }: Parts): { passes: readonly Pass[]; size: number } {
  const pixel = bits * (types[type]?.samples ?? 0);
  const all = (isInterlaced ? passes : ([[0, 0, 1, 1]] as const)).map((at): Pass => {
    const [x, y, dx, dy] = at;
    const [columns, rows] = [Math.ceil((width - x) / dx), Math.ceil((height - y) / dy)];
    return { at, width: columns, height: rows, line: Math.ceil((columns * pixel) / 8) };
  });
  const some = all.filter((pass) => pass.width > 0 && pass.height > 0);
  return { passes: some, size: some.reduce((sum, pass) => sum + pass.height * (1 + pass.line), 0) };
}

interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each entry. */
  readonly rgb: Buffer;
}

function decoded(parts: Parts, of: readonly Pass[], raw: Buffer): Pixels {
  const { width, height } = parts;
  const rgb = Buffer.alloc(width * height * 3);
  const step = Math.max(1, (parts.bits * (types[parts.type]?.samples ?? 0)) >> 3);
  const colourOf = colourReader(parts);
  let from = 0;
  for (const pass of of) {
    const [x, y, dx, dy] = pass.at;
    let before: Buffer = Buffer.alloc(pass.line);
    for (let row = 0; row < pass.height; row++) {
      const line = raw.subarray(from + 1, from + 1 + pass.line);
      unfilter(raw[from] ?? 0, line, before, step);
      for (let column = 0; column < pass.width; column++)
        colourOf(line, column, rgb, ((y + row * dy) * width + x + column * dx) * 3);
      before = line;
      from += 1 + pass.line;
    }
  }
  return { width, height, rgb };
}

function unfilter(filter: number, line: Buffer, before: Buffer, step: number): void {
  for (let index = 0; index < line.length; index++) {
    const left = index < step ? 0 : (line[index - step] ?? 0);
    const up = before[index] ?? 0;
    const corner = index < step ? 0 : (before[index - step] ?? 0);
    const guess = [0, left, up, (left + up) >> 1][filter] ?? paeth(left, up, corner);
    line[index] = ((line[index] ?? 0) + guess) & 255;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** A function that writes the colour of a pixel of a line to `rgb`, on white if it is transparent. */
function colourReader({ bits, type, palette, transparency }: Parts) {
  const samples = types[type]?.samples ?? 0;
  const size = bits >> 3;
  const most = 2 ** bits - 1;
  const whole = (line: Buffer, index: number): number =>
    bits === 16 ? line.readUInt16BE(index * 2) : bits === 8 ? (line[index] ?? 0) : part(line, index, bits);
  const clear =
    transparency && type !== 3 ? Array.from({ length: samples }, (_, at) => transparency.readUInt16BE(at * 2)) : null;
  return (line: Buffer, pixel: number, rgb: Buffer, at: number): void => {
    const first = pixel * samples;
    const value = (sample: number): number =>
      bits < 8 ? Math.round((part(line, first + sample, bits) * 255) / most) : (line[(first + sample) * size] ?? 0);
    const index = type === 3 ? whole(line, first) : 0;
    let alpha = type === 3 ? (transparency?.[index] ?? 255) : type === 4 ? value(1) : type === 6 ? value(3) : 255;
    if (clear?.every((sample, place) => whole(line, first + place) === sample)) alpha = 0;
    for (let channel = 0; channel < 3; channel++) {
      const own = type === 3 ? (palette[index * 3 + channel] ?? 0) : value(samples < 3 ? 0 : channel);
      rgb[at + channel] = (own * alpha + 255 * (255 - alpha)) / 255;
    }
  };
}

/** A sample of less than a byte. */
function part(line: Buffer, index: number, bits: number): number {
  const from = index * bits;
  return ((line[from >> 3] ?? 0) >> (8 - bits - (from & 7))) & (2 ** bits - 1);
}

/** Reduces the size by averaging squares of pixels. */
function shrunk({ width, height, rgb }: Pixels): Pixels {
  const by = Math.ceil(width / sideLimit);
  if (by === 1 || height < by) return { width, height, rgb };
  const small = { width: Math.floor(width / by), height: Math.floor(height / by) };
  const means = Buffer.alloc(small.width * small.height * 3);
  for (let at = 0; at < means.length; at++) {
    const [pixel, channel] = [Math.floor(at / 3), at % 3];
    const [left, top] = [(pixel % small.width) * by, Math.floor(pixel / small.width) * by];
    let sum = 0;
    for (let y = top; y < top + by; y++)
      for (let x = left; x < left + by; x++) sum += rgb[(y * width + x) * 3 + channel] ?? 0;
    means[at] = sum / (by * by);
  }
  return { ...small, rgb: means };
}

/** Encodes pixels as a PNG, with the filter "up". */
function encoded({ width, height, rgb }: Pixels): Buffer {
  const size = width * 3;
  const raw = Buffer.alloc(height * (1 + size));
  for (let row = 0; row < height; row++) {
    const at = row * (1 + size);
    raw[at] = 2;
    for (let index = 0; index < size; index++) {
      const up = row === 0 ? 0 : (rgb[(row - 1) * size + index] ?? 0);
      raw[at + 1 + index] = (rgb[row * size + index] ?? 0) - up;
    }
  }
  return written({ width, height, bits: 8, type: 2, palette: Buffer.alloc(0), data: deflateSync(raw) });
}

function written({ width, height, bits, type, palette, data }: Omit<Parts, "isInterlaced" | "transparency">): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([bits, type], 8);
  const colours = palette.subarray(0, Math.min(256, Math.floor(palette.length / 3)) * 3);
  return Buffer.concat([
    signature,
    chunk("IHDR", head),
    ...(type === 3 ? [chunk("PLTE", colours)] : []),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  whole.set(body, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
