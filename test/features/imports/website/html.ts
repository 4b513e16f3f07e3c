// The Markdown of HTML from a website, with its addresses.
import { markdownOf } from "#src/features/imports/model/website/html/to-markdown.ts";

const convert = (html: string, drawsFormulas = false) => markdownOf({ html, select: () => {}, drawsFormulas });

/** The text of the main part of a page. */
export function markdownOfHtml(html: string, drawsFormulas = false): string {
  const { pieces, addresses } = convert(html, drawsFormulas);
  return pieces.map((piece, index) => piece + (addresses[index]?.url ?? "")).join("");
}

export const lossesOfHtml = (html: string): readonly string[] => convert(html).losses;

/** A text with one line end between blocks. */
export const compact = (markdown: string): string => markdown.trim().replaceAll(/\n{2,}/g, "\n");
