// PNG images converted for PDFs: each variant is rendered on white; damaged images and images with false
// declarations are refused.
import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { printablePng } from "#src/features/pdfs/model/images.ts";
import { pngOf } from "#test/features/pdfs/factory.ts";

/** The chunks of a PNG by name. */
function chunksOf(png: Buffer): Record<string, Buffer> {
  const chunks: Record<string, Buffer> = {};
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at);
    chunks[png.toString("latin1", at + 4, at + 8)] = png.subarray(at + 8, at + 8 + size);
    at += 12 + size;
  }
  return chunks;
}

/** The colours of a re-encoded image, line by line. */
function coloursOf(png: Buffer | null): number[][] {
  if (!png) throw new Error("The PNG was refused.");
  const { IHDR, IDAT } = chunksOf(png);
  if (!IHDR || !IDAT) throw new Error("It has no data.");
  expect([...IHDR.subarray(8)]).toEqual([8, 2, 0, 0, 0]);
  const size = IHDR.readUInt32BE(0) * 3;
  const raw = inflateSync(IDAT);
  const lines: number[][] = [];
  for (let at = 0; at < raw.length; at += size + 1) {
    const above = lines.at(-1);
    lines.push([...raw.subarray(at + 1, at + 1 + size)].map((byte, index) => (byte + (above?.[index] ?? 0)) & 255));
  }
  return lines;
}

const [red, green, white] = [
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 255],
];

describe("a PNG without transparency in a PDF", () => {
  test("keeps its data unchanged", () => {
    const png = pngOf([[...(red ?? []), ...(green ?? [])]], 2, { type: 2 });
    expect(chunksOf(printablePng(png) ?? Buffer.alloc(0))).toEqual(chunksOf(png));
  });

  test("keeps its palette", () => {
    const png = pngOf([[0b0110_0000]], 4, { type: 3, bits: 2, palette: [0, 0, 0, 255, 0, 0, 0, 255, 0] });
    expect(chunksOf(printablePng(png) ?? Buffer.alloc(0))).toEqual(chunksOf(png));
  });

  test("is downscaled if it has more pixels than print resolution", () => {
    const line = Array.from({ length: 2_400 * 3 }, (_, index) => (index % 6 < 3 ? 0 : 200));
    expect(coloursOf(printablePng(pngOf([line, line], 2_400, { type: 2 })))).toEqual([Array(3_600).fill(100)]);
  });
});

describe("a PNG with transparency in a PDF is on white", () => {
  test("for true colours", () => {
    const png = pngOf([[...(red ?? []), 255, ...(red ?? []), 0, 0, 0, 0, 128]], 3, { type: 6 });
    expect(coloursOf(printablePng(png))).toEqual([[...(red ?? []), ...(white ?? []), 127, 127, 127]]);
  });

  test("for grey in 16 bits", () => {
    const png = pngOf([[0, 0, 255, 255, 0, 0, 0, 0]], 2, { type: 4, bits: 16 });
    expect(coloursOf(printablePng(png))).toEqual([[0, 0, 0, ...(white ?? [])]]);
  });

  test("for a palette with less than a byte per pixel", () => {
    const palette = [...(red ?? []), ...(green ?? [])];
    const png = pngOf([[0b0100_0000]], 3, { type: 3, bits: 1, palette, transparency: [0] });
    expect(coloursOf(printablePng(png))).toEqual([[...(white ?? []), ...(green ?? []), ...(white ?? [])]]);
  });

  test("for one transparent colour", () => {
    const png = pngOf([[...(red ?? []), ...(green ?? [])]], 2, { type: 2, transparency: [0, 255, 0, 0, 0, 0] });
    expect(coloursOf(printablePng(png))).toEqual([[...(white ?? []), ...(green ?? [])]]);
  });
});

test.for([
  [1, [10, 20, 30, 255, 5, 5, 5, 0], [15, 25, 35]],
  [2, [10, 20, 30, 255, 5, 5, 5, 255], [5, 5, 5]],
  [3, [10, 20, 30, 255, 5, 5, 5, 128], [10, 15, 20]],
  [4, [10, 20, 30, 255, 5, 5, 5, 0], [15, 25, 35]],
] as const)("PNG filter %i of lines is undone", ([filter, line, second]) => {
  const png = pngOf([line], 2, { type: 6, filter });
  expect(coloursOf(printablePng(png))).toEqual([[10, 20, 30, ...second]]);
});

test("an interlaced PNG is deinterlaced", () => {
  // At 2 x 2 pixels the passes are the first pixel, the one beside it, and the line below.
  const png = pngOf([[1], [2], [3, 4]], 2, { type: 0, isInterlaced: true, claims: { width: 2, height: 2 } });
  expect(coloursOf(printablePng(png))).toEqual([
    [1, 1, 1, 2, 2, 2],
    [3, 3, 3, 4, 4, 4],
  ]);
});

describe("a PNG is refused for PDFs", () => {
  const whole = pngOf([[...(red ?? [])]], 1, { type: 2 });

  test.each(Array.from({ length: whole.length }, (_, length) => length))(
    "if truncated to its first %i bytes",
    (length) => {
      expect(printablePng(whole.subarray(0, length))).toBeNull();
    },
  );

  test.each([
    ["more data than it claims", pngOf(Array(1_000).fill([1, 2, 3]), 1, { type: 2, claims: { width: 1, height: 2 } })],
    ["less data than it claims", pngOf([[1, 2, 3]], 1, { type: 2, claims: { width: 1, height: 2 } })],
    ["more pixels than memory holds", pngOf([[1]], 1, { type: 0, claims: { width: 2 ** 31, height: 2 ** 31 } })],
    ["no pixels", pngOf([[1]], 1, { type: 0, claims: { width: 0, height: 1 } })],
    ["an invalid bit depth", pngOf([[1]], 1, { type: 2, bits: 4 })],
    ["a palette without colours", pngOf([[0]], 1, { type: 3 })],
    ["damaged data", Buffer.concat([whole.subarray(0, 44), Buffer.from([0xff, 0xff]), whole.subarray(46)])],
    ["another file signature", Buffer.from("GIF89a")],
  ])("if it has %s", (_, bytes) => {
    expect(printablePng(bytes)).toBeNull();
  });
});
