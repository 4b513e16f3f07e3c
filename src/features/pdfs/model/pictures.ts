// The pictures of a PDF: each file is made ready once, however often it is shown.
import type { BookFile } from "#src/features/pdfs/model/book.ts";
import { printablePng } from "#src/features/pdfs/model/png.ts";

/** An image that can be printed as it is. */
export interface Picture {
  readonly bytes: Buffer;
  /** Pixels, of the image as it was given. */
  readonly width: number;
  readonly height: number;
}

/** The pictures that are shown in one PDF. */
export class Pictures {
  readonly #known = new Map<string, Picture | null>();

  /** Those shown so far, by their names. */
  get shown(): ReadonlyMap<string, Picture> {
    return new Map([...this.#known].filter((entry): entry is [string, Picture] => entry[1] !== null));
  }

  /** The picture of a file, which is named by the id; null for what is no PNG or JPEG, and for damaged ones. */
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

/** Whether PDFs can hold a JPEG as it is. */
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
