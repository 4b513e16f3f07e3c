// Lists: numbers, points, and boxes of tasks.
import type { Content } from "pdfmake";
import { unseen } from "#src/features/pdfs/model/frames.ts";
import { colours, lineOf } from "#src/features/pdfs/model/look.ts";

/** What stands before an item: a number, a point, or the box of a task that is done or not. */
export type Marker = number | "point" | "done" | "open";

/** The room before the items of a list. */
export const indentOf = (markers: readonly Marker[]): number =>
  markers.reduce<number>(
    (most, marker) => Math.max(most, typeof marker === "number" ? 10 + 6 * String(marker).length : 16),
    16,
  );

/**
 * An item of a list: its marker takes the room of the first line, and the content goes back over it, so that a sheet
 * never ends between them, and the text says the number first.
 */
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
