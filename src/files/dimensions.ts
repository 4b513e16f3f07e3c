// The dimensions of images, read from their first bytes in threads, which are ended if hostile bytes keep them busy.
import { ThreadPool } from "#src/runtime/threads.ts";

/** Pixels. */
export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

/** The first bytes of an image with the content type by which they are parsed. */
export interface Image {
  readonly contentType: string;
  readonly head: Uint8Array;
}

/** How many bytes of each type of image are read: enough for what real ones have before their size. */
const headSizes: Readonly<Record<string, number>> = {
  "image/png": 64,
  "image/jpeg": 256 * 1024,
  "image/gif": 64,
  "image/webp": 64,
  "image/avif": 8 * 1024,
  "image/bmp": 64,
  "image/svg+xml": 8 * 1024,
};

const limits = { threads: 2, megabytes: 64 };
const pool = new ThreadPool<Image, Dimensions | null>(new URL("measure-thread.ts", import.meta.url), limits);

/** Thousands of times what a real image takes. */
const timeLimitMs = 1_000;

/** Width and height of an image; null if unknown or too costly. May take a second: not for a transaction. */
export async function dimensionsOf(contentType: string, head: Buffer): Promise<Dimensions | null> {
  const size = Object.hasOwn(headSizes, contentType) ? headSizes[contentType] : undefined;
  if (size === undefined) return null;
  const image = { contentType, head: new Uint8Array(head.subarray(0, size)) };
  const { answers } = await pool.run([image], timeLimitMs);
  return answers[0] ?? null;
}
