// The dimensions of images, read from their first bytes, whatever somebody has put there.
import { BMP } from "image-size/types/bmp";
import { GIF } from "image-size/types/gif";
import { HEIF } from "image-size/types/heif";
import type { IImage } from "image-size/types/interface";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { SVG } from "image-size/types/svg";
import { WEBP } from "image-size/types/webp";

/** Pixels. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/**
 * How to read each type of image, and how many bytes the reader gets: enough for what real images have in front of their size. Some readers take
 * time by the square of that for bytes made to keep them busy.
 */
const readers: Readonly<Record<string, readonly [image: IImage, bytes: number]>> = {
  "image/png": [PNG, 64],
  "image/jpeg": [JPG, 256 * 1024],
  "image/gif": [GIF, 64],
  "image/webp": [WEBP, 64],
  "image/avif": [HEIF, 8 * 1024],
  "image/bmp": [BMP, 64],
  "image/svg+xml": [SVG, 8 * 1024],
};

/** The largest number of pixels of a side that counts as one: beyond, it is a mistake or a trick. */
const sideLimit = 1_000_000;

/** EXIF orientations from here on turn the image by a quarter. */
const firstTurned = 5;

/** Width and height of an image as it is shown, by its content type and first bytes; null when they do not tell. Never throws. */
export function dimensionsOf(contentType: string, head: Buffer): Dimensions | null {
  const reader = Object.hasOwn(readers, contentType) ? readers[contentType] : undefined;
  if (!reader) return null;
  const [image, bytes] = reader;
  try {
    const { width, height, orientation = 1 } = image.calculate(alone(head.subarray(0, bytes)));
    if (!isSide(width) || !isSide(height)) return null;
    return orientation >= firstTurned ? { width: height, height: width } : { width, height };
  } catch {
    return null; // the bytes end too early, or lie
  }
}

/** Bytes with nothing around them in memory: the readers look beyond the end of a view. A Buffer, of which they cut pieces without copying. */
function alone(bytes: Buffer): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer);
}

function isSide(pixels: number): boolean {
  return Number.isInteger(pixels) && pixels > 0 && pixels <= sideLimit;
}
