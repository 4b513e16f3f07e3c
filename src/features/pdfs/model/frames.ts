// Frames around content, and what keeps content together: the few tricks that pdfmake needs for them.
import type { Content, TableNode } from "pdfmake";
import { colours, smallSize } from "#src/features/pdfs/model/look.ts";
import { plainLook, runsOf } from "#src/features/pdfs/model/phrases.ts";
import type { Target } from "#src/features/pdfs/model/surroundings.ts";

/** How a frame looks: what is behind it, and the line on its left. */
interface Frame {
  readonly wash: string | null;
  readonly line: { readonly width: number; readonly colour: string } | null;
  readonly padding: readonly [horizontal: number, vertical: number];
}

/** Content in a frame; `isShort` keeps it on one sheet, and must not be set for what is higher than that. */
interface Framed {
  readonly stack: Content[];
  readonly isShort: boolean;
}

/** Content in a frame over the whole width. */
export function framed({ stack, isShort }: Framed, { wash, line, padding: [horizontal, vertical] }: Frame): Content {
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
  return { table: { widths: ["*"], body: [[{ stack }]], dontBreakRows: isShort }, layout, margin: [0, 2, 0, 10] };
}

/**
 * Content that is not shown alone at the end of a sheet: so much room is left below it for what follows. It may begin a
 * sheet.
 */
export function keptWithNext(content: Content, height: number, beginsSheet = false): Content[] {
  return [
    { unbreakable: true, stack: [content, { canvas: [unseen(height)] }], ...(beginsSheet && { pageBreak: "before" }) },
    { canvas: [], margin: [0, -height, 0, 0] },
  ];
}

/** Something that takes so much height, and is not seen. */
export const unseen = (height: number) =>
  ({ type: "rect", x: 0, y: 0, w: 0.1, h: height, color: "white", fillOpacity: 0 }) as const;

/** What stands for an image that cannot be printed. */
export function placeholder(name: string, target: Target): Content {
  const runs = runsOf(name, { ...plainLook, ...target, ...(target.link !== undefined && { color: colours.link }) });
  const label = runsOf("Image: ", { ...plainLook, color: colours.muted });
  const stack: Content[] = [{ text: [...label, ...runs], fontSize: smallSize }];
  return framed({ stack, isShort: true }, { wash: colours.wash, line: null, padding: [10, 8] });
}
