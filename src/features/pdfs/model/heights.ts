// Estimates the height of content before it is laid out: pdfmake cuts off an unbreakable part that exceeds a sheet.
import { nodesIn, type RichNode, textOfNode } from "#src/documents/document.ts";
import { type HtmlPart, htmlParts } from "#src/features/pdfs/model/html.ts";

/** The mean width of a character, in points. */
export const characterWidth = 5.6;

/** Upper bounds, in points. */
const heights = { line: 20, block: 45 } as const;

const wide = /[\u1100-\u11ff\u2e80-\ufaff\ufe30-\uff60\u{1f300}-\u{3ffff}]/gu;

/** The length of a line in characters; wide ones count twice. */
export const lineLength = (line: string): number => line.length + (line.match(wide)?.length ?? 0);

/** Assumes lines to be half full, since long words wrap. */
const heightOfText = (text: string, width: number): number =>
  text
    .split("\n")
    .reduce((sum, line) => sum + heights.line * Math.ceil((2 * lineLength(line) * characterWidth) / width), 0);

/** Whether nodes are surely at most `limit` points high at this width; false for images, whose height is unknown. */
export function isLow(nodes: readonly RichNode[], width: number, limit: number): boolean {
  let height = 0;
  for (const node of nodesIn({ nodes })) {
    height += heightOf(node, width);
    if (height > limit) return false;
  }
  return true;
}

function heightOf(node: RichNode, width: number): number {
  if (node.object === "text") return heightOfText(textOfNode(node), width);
  const { type, data } = node;
  if (type === "image" || type === "markdown") return Infinity;
  if (type === "break") return heights.line;
  if (type === "html")
    return htmlParts(String(data["source"])).reduce((sum, part) => sum + heightOfPart(part, width), 0);
  return node.object === "block" ? heights.block : 0;
}

function heightOfPart(part: HtmlPart, width: number): number {
  if ("text" in part) return heightOfText(part.text, width);
  return "isBreak" in part ? heights.line : Infinity;
}
