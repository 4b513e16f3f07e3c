// The HTML of a text before its links are resolved: made once for a text, and filled for each reader in a moment.
import { percentDecoded } from "#src/base/url-text.ts";
import { namesToTry } from "#src/documents/sections/anchors.ts";

/** A heading with names for links. */
export interface TextHeading {
  /** The fragment of addresses that lead to it. */
  readonly anchor: string;
  /** Its other names, in lower case. */
  readonly aliases: readonly string[];
  readonly title: string;
  readonly level: number;
}

/** The places between which the HTML of a section is. */
interface SectionEdges {
  readonly from: number;
  readonly to: number;
}

export type SectionHeading = TextHeading & SectionEdges;

/** A missing part that depends on an address: an attribute, for images with their size, or the title of the page. */
type AddressPlace =
  | { readonly attribute: "href" | "src" | "srcset"; readonly address: string; readonly needsSize?: true }
  | { readonly attribute: null; readonly address: string; readonly otherwise: string };

/** A place for what depends on an address, or the edge of a section, which is empty. */
export type Place = AddressPlace | { readonly edge: true };

/** HTML in pieces: after each piece but the last is a place. */
export interface HtmlTemplate {
  readonly pieces: readonly string[];
  readonly places: readonly Place[];
  readonly headings: readonly SectionHeading[];
}

/** The addresses of a template, each once. */
export const addressesIn = ({ places }: Pick<HtmlTemplate, "places">): string[] => [
  ...new Set(places.flatMap((place) => ("edge" in place ? [] : [place.address]))),
];

/** The heading with this name, in any of the forms that links use; undefined if the text does not have it. */
export function headingNamed({ headings }: HtmlTemplate, name: string): SectionHeading | undefined {
  const names = namesToTry(percentDecoded(name) ?? name);
  return names
    .map((one) => headings.find(({ anchor, aliases }) => anchor.toLowerCase() === one || aliases.includes(one)))
    .find((found) => found !== undefined);
}

/** The part of a template under a heading, up to the next heading of its level or above. */
export const sectionIn = ({ pieces, places }: HtmlTemplate, { from, to }: SectionHeading): HtmlTemplate => ({
  pieces: pieces.slice(from + 1, to + 1),
  places: places.slice(from + 1, to),
  headings: [],
});

/** Where an address leads, with the title of a page or the size of an image; null leads nowhere. */
export type Target = {
  readonly url: string;
  readonly title?: string;
  readonly width?: number | null;
  readonly height?: number | null;
} | null;

/** The HTML with the targets of its addresses. A link without a target stays as its text. */
export function fillTemplate({ pieces, places }: HtmlTemplate, targetOf: (address: string) => Target): string {
  let html = pieces[0] ?? "";
  for (const [index, place] of places.entries()) {
    html += ("edge" in place ? "" : partOf(place, targetOf(place.address))) + (pieces[index + 1] ?? "");
  }
  return html;
}

function partOf(place: AddressPlace, target: Target): string {
  if (place.attribute === null) return escaped(target?.title ?? place.otherwise);
  if (!target) return "";
  const size =
    place.needsSize && target.width && target.height ? ` width="${target.width}" height="${target.height}"` : "";
  return ` ${place.attribute}="${escaped(target.url)}"${size}`;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
