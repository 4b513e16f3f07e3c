// The HTML of a text before its links are resolved: made once for a text, and filled for each reader in a moment.

/** A heading with a name for links. */
export interface TextHeading {
  /** The fragment of addresses that lead to it. */
  readonly anchor: string;
  readonly title: string;
  readonly level: number;
}

/** A missing attribute for an address that only the reader's place knows. */
export interface Place {
  readonly attribute: "href" | "src" | "srcset";
  readonly address: string;
  /** Whether the size of the image is to be added. */
  readonly needsSize: boolean;
}

/** HTML in pieces: after each piece but the last is a place. */
export interface HtmlTemplate {
  readonly pieces: readonly string[];
  readonly places: readonly Place[];
  readonly headings: readonly TextHeading[];
}

/** Where an address leads, and the size of an image; null leads nowhere. */
export type Target = { readonly url: string; readonly width?: number | null; readonly height?: number | null } | null;

/** The HTML with the targets of its addresses. A link without a target stays as its text. */
export function fillTemplate({ pieces, places }: HtmlTemplate, targetOf: (address: string) => Target): string {
  let html = pieces[0] ?? "";
  for (const [index, place] of places.entries()) {
    const target = targetOf(place.address);
    if (target) html += ` ${place.attribute}="${escaped(target.url)}"`;
    if (target?.width && target.height && place.needsSize) html += ` width="${target.width}" height="${target.height}"`;
    html += pieces[index + 1] ?? "";
  }
  return html;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
