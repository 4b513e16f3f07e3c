// Images in texts: printed as pictures, or named where they cannot be printed.
import type { Content } from "pdfmake";
import type { BookFile } from "#src/features/pdfs/model/book.ts";
import { printablePng } from "#src/features/pdfs/model/png.ts";
import { readReference } from "#src/documents/references.ts";
import { placeholder } from "#src/features/pdfs/model/layout.ts";
import { colours, room, smallSize } from "#src/features/pdfs/model/look.ts";
import { plainLook, runsOf, type ShownImage } from "#src/features/pdfs/model/phrases.ts";
import type { ReferenceResolver } from "#src/features/pdfs/model/reference-resolver.ts";

export interface Picture {
  readonly bytes: Buffer;
  /** Pixels, of the image as it was given. */
  readonly width: number;
  readonly height: number;
}

/** The pictures of one PDF: each file is converted once, however often it is shown. */
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

interface Place {
  readonly resolver: ReferenceResolver;
  readonly pictures: Pictures;
  readonly width: number;
}

/** Points of a pixel, as browsers have them. */
const pixel = 0.75;

/** Higher images are scaled down, to leave room for text above and below them. */
const highest = 0.8 * room.height;

/** An image in its natural size, or as large as there is room for. */
export function imageOf({ ref, alt, title, target }: ShownImage, { resolver, pictures, width }: Place): Content {
  const own = resolver.fileOf(ref);
  const picture = own && pictures.of(own);
  if (!picture) return placeholder(alt || own?.file.name || lastPartOf(ref), { ...resolver.targetOf(ref), ...target });
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

/** The name of what is at an address. */
function lastPartOf(ref: unknown): string {
  const reference = readReference(ref);
  const address = "kind" in reference && reference.kind === "url" ? reference.url : "";
  return /([^/?#]+)\/*(?:[?#].*)?$/s.exec(address)?.[1]?.slice(0, 100) || "without a name";
}
