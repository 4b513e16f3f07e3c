// Frames, list items, and groups kept on one sheet: each needs a workaround for pdfmake.
import type { Content, TableNode } from "pdfmake";
import { plainLook, runsOf, type Target } from "#src/features/pdfs/model/phrases.ts";
import { nodesIn, type RichNode, textOfNode } from "#src/documents/document.ts";
import { type HtmlPart, htmlParts } from "#src/features/pdfs/model/html.ts";
import { colours, lineOf, smallSize } from "#src/features/pdfs/model/look.ts";

interface Frame {
  readonly wash: string | null;
  readonly line: { readonly width: number; readonly colour: string } | null;
  readonly padding: readonly [horizontal: number, vertical: number];
}

/** `isShort` keeps the content on one sheet, and must not be set for higher content. */
interface Framed {
  readonly stack: Content[];
  readonly isShort: boolean;
  /** Of the content: in a frame without a width, pdfmake does not break long words. */
  readonly width: number;
}

/** The width of the content of a frame. */
export const widthInside = (width: number, { line, padding: [horizontal] }: Frame): number =>
  width - 2 * horizontal - (line?.width ?? 0);

export function framed(
  { stack, isShort, width }: Framed,
  { wash, line, padding: [horizontal, vertical] }: Frame,
): Content {
  const layout: TableNode["layout"] = {
    hLineWidth: () => 0,
    vLineWidth: (index) => (index === 0 ? (line?.width ?? 0) : 0),
    vLineColor: () => line?.colour ?? "",
    paddingLeft: () => horizontal,
    paddingRight: () => horizontal,
    paddingTop: () => vertical,
    paddingBottom: () => vertical,
    ...(wash !== null && { fillColor: () => wash }),
  };
  return { table: { widths: [width], body: [[{ stack }]], dontBreakRows: isShort }, layout, margin: [0, 2, 0, 10] };
}

/** Content with at least `height` points of the following content on the same sheet; it may begin a sheet. */
export function keptWithNext(content: Content, height: number, beginsSheet = false): Content[] {
  return [
    { unbreakable: true, stack: [content, { canvas: [unseen(height)] }], ...(beginsSheet && { pageBreak: "before" }) },
    { canvas: [], margin: [0, -height, 0, 0] },
  ];
}

const unseen = (height: number) =>
  ({ type: "rect", x: 0, y: 0, w: 0.1, h: height, color: "white", fillOpacity: 0 }) as const;

/** Shown instead of an image that cannot be printed. */
export function placeholder(name: string, target: Target, width: number): Content {
  const runs = runsOf(name, { ...plainLook, ...target, ...(target.link !== undefined && { color: colours.link }) });
  const label = runsOf("Image: ", { ...plainLook, color: colours.muted });
  const stack: Content[] = [{ text: [...label, ...runs], fontSize: smallSize }];
  const frame: Frame = { wash: colours.wash, line: null, padding: [10, 8] };
  return framed({ stack, isShort: true, width: widthInside(width, frame) }, frame);
}

/** Before an item: a number, a point, or the box of a task. */
export type Marker = number | "point" | "done" | "open";

export const indentOf = (markers: readonly Marker[]): number =>
  markers.reduce<number>(
    (most, marker) => Math.max(most, typeof marker === "number" ? 10 + 6 * String(marker).length : 16),
    16,
  );

/** An item of a list: the content starts on the line of the marker, so that no page break separates them. */
export function itemOf(marker: Marker, stack: Content[], { indent, size }: { indent: number; size: number }): Content {
  const line = lineOf(size);
  return { stack: [drawn(marker, size), { stack, margin: [indent, -line, 0, 0] }] };
}

function drawn(marker: Marker, size: number): Content {
  const line = lineOf(size);
  if (typeof marker === "number")
    return { text: `${marker}.`, fontSize: size, color: colours.muted, margin: [2, 0, 0, 0] };
  if (marker === "point") {
    const point = { type: "ellipse", x: 6, y: 0.5 * line, r1: 0.17 * size, r2: 0.17 * size, color: colours.muted };
    return { canvas: [unseen(line), point] };
  }
  const side = 0.85 * size;
  const [x, y] = [2, 0.19 * line];
  const box = { type: "rect", x, y, w: side, h: side, r: 1.5, lineWidth: 0.8 };
  const points = [
    { x: x + 0.22 * side, y: y + 0.52 * side },
    { x: x + 0.43 * side, y: y + 0.74 * side },
    { x: x + 0.8 * side, y: y + 0.27 * side },
  ];
  const tick = { type: "polyline", points, lineWidth: 1.2, lineColor: "white" };
  const { accent, faint } = colours;
  const shown =
    marker === "done" ? [{ ...box, color: accent, lineColor: accent }, tick] : [{ ...box, lineColor: faint }];
  return { canvas: [unseen(line), ...shown] };
}

/** The mean width of a character, in points. */
export const characterWidth = 5.6;

/** Upper bounds, in points: pdfmake cuts off an unbreakable part that exceeds a sheet. */
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
