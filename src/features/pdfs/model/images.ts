// Images in texts: as pictures, or by their names where they cannot be printed.
import type { Content } from "pdfmake";
import { readReference } from "#src/documents/references.ts";
import { placeholder } from "#src/features/pdfs/model/frames.ts";
import { colours, room, smallSize } from "#src/features/pdfs/model/look.ts";
import { plainLook, runsOf, type ShownImage } from "#src/features/pdfs/model/phrases.ts";
import type { Pictures } from "#src/features/pdfs/model/pictures.ts";
import type { Surroundings } from "#src/features/pdfs/model/surroundings.ts";

interface Place {
  readonly around: Surroundings;
  readonly pictures: Pictures;
  readonly width: number;
}

/** Points of a pixel, as browsers have them. */
const pixel = 0.75;

/** Higher images are made smaller: what is above and below them has to find room, too. */
const highest = 0.8 * room.height;

/** An image as it was meant to be seen, or as large as there is room for. */
export function imageOf({ ref, alt, title, target }: ShownImage, { around, pictures, width }: Place): Content {
  const own = around.fileOf(ref);
  const picture = own && pictures.of(own);
  if (!picture) return placeholder(alt || own?.file.name || lastPartOf(ref), { ...around.targetOf(ref), ...target });
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
