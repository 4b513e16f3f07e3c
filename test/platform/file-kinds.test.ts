// Detection of file types and image dimensions, for real files and for crafted bytes.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contentTypeOf, isRasterImage } from "#src/files/content-type.ts";
import { dimensionsOf } from "#src/files/dimensions.ts";
import { measure } from "#src/files/measure.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
/** A number of bytes in big-endian order. */
const big = (value: number, bytes: 2 | 4) => Buffer.from(value.toString(16).padStart(2 * bytes, "0"), "hex");
const little = (value: number, bytes: 2 | 4) => Buffer.from(big(value, bytes).toReversed());
const join = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? latin1(part) : part)));
const box = (name: string, ...parts: (string | Buffer)[]) => {
  const body = join(...parts);
  return join(big(body.length + 8, 4), name, body);
};

const images: Readonly<Record<string, Buffer>> = {
  "image/png": join("\x89PNG\r\n\x1a\n", big(13, 4), "IHDR", big(320, 4), big(200, 4), "\x08\x06\0\0\0"),
  "image/gif": join("GIF89a", little(320, 2), little(200, 2), "\0\0\0"),
  "image/jpeg": join(
    "\xff\xd8\xff\xe0",
    big(16, 2),
    "JFIF\0\x01\x01\0\0\x01\0\x01\0\0",
    "\xff\xc0",
    big(11, 2),
    "\x08",
    big(200, 2),
    big(320, 2),
    "\x01\x01\x11\0",
  ),
  "image/webp": join("RIFF", little(30, 4), "WEBPVP8X", little(10, 4), "\0\0\0\0", "\x3f\x01\0", "\xc7\0\0"),
  "image/bmp": join(
    "BM",
    little(70, 4),
    "\0\0\0\0",
    little(54, 4),
    little(40, 4),
    little(320, 4),
    little(200, 4),
    "\0\0",
  ),
  "image/avif": join(
    box("ftyp", "avif\0\0\0\0"),
    box("meta", "\0\0\0\0", box("iprp", box("ipco", box("ispe", "\0\0\0\0", big(320, 4), big(200, 4))))),
  ),
  "image/svg+xml": join(
    `<?xml version="1.0"?><!-- a <svg> --><svg xmlns="http://www.w3.org/2000/svg" width="320" height="200"/>`,
  ),
};

describe("the dimensions of an image", () => {
  test.each(Object.entries(images))("detects %s by its bytes, with its dimensions", async (type, bytes) => {
    expect(contentTypeOf(bytes, "misleading.html")).toBe(type);
    expect(await dimensionsOf(type, bytes)).toEqual({ width: 320, height: 200 });
  });

  test("are missing if reading them would never end", async () => {
    const endless = join(big(0, 4), "ispe", "\0\0\0\0", big(16, 4), big(16, 4), "\0".repeat(104));
    const bytes = join(box("ftyp", "avif\0\0\0\0"), box("meta", "\0\0\0\0", box("iprp", box("ipco", endless))));
    expect([bytes.length, contentTypeOf(bytes, "a.avif")]).toEqual([168, "image/avif"]);
    expect(await dimensionsOf("image/avif", bytes)).toBeNull();
    expect(await dimensionsOf("image/avif", images["image/avif"] ?? latin1(""))).toEqual({ width: 320, height: 200 });
  });

  test("respect the EXIF orientation", () => {
    const orientation = join(
      "\xff\xd8\xff\xe1",
      big(34, 2),
      "Exif\0\0",
      "MM\0*",
      big(8, 4),
      big(1, 2),
      big(0x0112, 2),
      big(3, 2),
      big(1, 4),
      big(6, 2),
      big(0, 2),
      big(0, 4),
    );
    const turned = join(orientation, (images["image/jpeg"] ?? latin1("")).subarray(20));
    expect(measure("image/jpeg", turned)).toEqual({ width: 200, height: 320 });
  });

  test.each([
    ["cut off", "image/png", (images["image/png"] ?? latin1("")).subarray(0, 20)],
    ["without pixels", "image/gif", join("GIF89a", little(0, 2), little(200, 2))],
    ["endless", "image/png", join("\x89PNG\r\n\x1a\n", big(13, 4), "IHDR", big(0xffffffff, 4), big(1, 4))],
    ["of percents", "image/svg+xml", latin1(`<svg width="100%" height="100%"/>`)],
    ["of words", "image/svg+xml", latin1(`<svg width="wide" height="high" viewBox="a b c d"/>`)],
    ["no image", "text/plain", latin1("text")],
    ["of no known type", "constructor", latin1("text")],
  ])("are missing if it is %s", (_what, type, bytes) => {
    expect(measure(type, bytes)).toBeNull();
  });
});

test.each([
  ["%PDF-1.7\n\xe2\xe3", "a.txt", "application/pdf"],
  ["PK\x03\x04\x14", "a.zip", "application/zip"],
  ["PK\x03\x04\x14", "a.DOCX", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["PK\x03\x04\x14", "a.html", "application/zip"],
  ["PK\x03\x04\x14", "a.constructor", "application/zip"],
  ["\x1f\x8b\x08\0", "a.tar.gz", "application/gzip"],
  ["\0\0\0\x18ftypisom", "a.mp4", "video/mp4"],
  ["\x1a\x45\xdf\xa3", "a.mkv", "video/x-matroska"],
  ["ID3\x03", "a.mp3", "audio/mpeg"],
  ["# Title\n", "a.md", "text/markdown"],
  ['{"a":1}', "a.json", "application/json"],
  ["a,b\r\n", "a.csv", "text/csv"],
  ["BMW is not a bitmap", "a.txt", "text/plain"],
  ["<p>", "noname", "text/plain"],
  ["<p>", "a.html", "text/html"],
  ["<p>", ".html", "text/html"],
  ["", "a.css", "text/css"],
  ["", "", "text/plain"],
  ["text with \0", "a.txt", "application/octet-stream"],
  ["caf\xe9", "a.txt", "application/octet-stream"],
  ["<!DOCTYPE html><svg>", "a.html", "image/svg+xml"],
  ["<html><svg>", "a.html", "text/html"],
])("%j named %s has the type %s", (text, name, type) => {
  expect(contentTypeOf(latin1(text), name)).toBe(type);
});

test("detects text even when the sniffed prefix splits a UTF-8 sequence", () => {
  for (const start of ["", "a", "ab", "abc"])
    expect(contentTypeOf(Buffer.from(`${start}${"日本".repeat(1000)}`), "a.txt")).toBe("text/plain");
});

test("only raster images are served inline", () => {
  expect(Object.keys(images).filter((type) => !isRasterImage(type))).toEqual(["image/svg+xml"]);
  for (const type of ["text/html", "application/pdf", "constructor", ""]) expect(isRasterImage(type)).toBe(false);
});

test("any bytes have a type and plausible or no dimensions", () => {
  const starts = Object.values(images).map((bytes) => [...bytes]);
  const bytes = fc
    .tuple(fc.constantFrom([], ...starts), fc.nat(60), fc.uint8Array({ maxLength: 200 }))
    .map(([start, at, rest]) => Buffer.from([...start.slice(0, at), ...rest]));
  fc.assert(
    fc.property(bytes, fc.constantFrom(...Object.keys(images)), (head, type) => {
      expect(contentTypeOf(head, "name")).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/);
      const dimensions = measure(type, head);
      if (dimensions === null) return;
      for (const side of Object.values(dimensions)) expect(side > 0 && side <= 1_000_000).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
