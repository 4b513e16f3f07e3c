// Measures images by their first bytes, in threads that can be ended: hostile bytes may loop for ever.
import { BMP } from "image-size/types/bmp";
import { GIF } from "image-size/types/gif";
import { HEIF } from "image-size/types/heif";
import type { IImage } from "image-size/types/interface";
import { JPG } from "image-size/types/jpg";
import { PNG } from "image-size/types/png";
import { SVG } from "image-size/types/svg";
import { WEBP } from "image-size/types/webp";
import type { Dimensions } from "#src/files/dimensions.ts";

const readers: Readonly<Record<string, IImage>> = {
  "image/png": PNG,
  "image/jpeg": JPG,
  "image/gif": GIF,
  "image/webp": WEBP,
  "image/avif": HEIF,
  "image/bmp": BMP,
  "image/svg+xml": SVG,
};

/** The longest plausible side, in pixels: beyond it the size is wrong or malicious. */
const sideLimit = 1_000_000;

/** EXIF orientations from here on rotate the image by 90 degrees. */
const firstTurned = 5;

/** Width and height of an image as shown, by its type and first bytes; null if they do not say. Never throws. */
export function measure(contentType: string, head: Uint8Array): Dimensions | null {
  const image = Object.hasOwn(readers, contentType) ? readers[contentType] : undefined;
  if (!image) return null;
  try {
    const { width, height, orientation = 1 } = image.calculate(alone(head));
    if (!isSide(width) || !isSide(height)) return null;
    return orientation >= firstTurned ? { width: height, height: width } : { width, height };
  } catch {
    return null; // truncated or contradictory bytes
  }
}

/** Bytes in a buffer of exactly their size, since the readers look beyond a view. */
function alone(bytes: Uint8Array): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer);
}

function isSide(pixels: number): boolean {
  return Number.isInteger(pixels) && pixels > 0 && pixels <= sideLimit;
}
