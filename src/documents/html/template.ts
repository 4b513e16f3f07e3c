// The HTML of a text before its links are resolved: made once for a text, and filled for each reader in a moment.

/** A heading with a name for links. */
export interface TextHeading {
  /** The fragment of addresses that lead to it. */
  readonly anchor: string;
  readonly title: string;
  readonly level: number;
}

/** A missing part that depends on an address: an attribute, for images with their size, or the title of the page. */
export type Place =
  | { readonly attribute: "href" | "src" | "srcset"; readonly address: string; readonly needsSize?: true }
  | { readonly attribute: null; readonly address: string; readonly otherwise: string };

/** HTML in pieces: after each piece but the last is a place. */
export interface HtmlTemplate {
  readonly pieces: readonly string[];
  readonly places: readonly Place[];
  readonly headings: readonly TextHeading[];
}

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
    html += partOf(place, targetOf(place.address)) + (pieces[index + 1] ?? "");
  }
  return html;
}

function partOf(place: Place, target: Target): string {
  if (place.attribute === null) return escaped(target?.title ?? place.otherwise);
  if (!target) return "";
  const size =
    place.needsSize && target.width && target.height ? ` width="${target.width}" height="${target.height}"` : "";
  return ` ${place.attribute}="${escaped(target.url)}"${size}`;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
