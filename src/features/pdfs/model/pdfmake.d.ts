// Declarations of pdfmake and fontkit for the parts used here: pdfmake's own ones need browser types, fontkit has none.

declare module "pdfmake" {
  /** Left, top, right and bottom. */
  export type Margin = [left: number, top: number, right: number, bottom: number];

  interface Base {
    margin?: Margin;
    fontSize?: number;
    bold?: boolean;
    color?: string;
    lineHeight?: number;
    alignment?: "left" | "center" | "right";
    preserveLeadingSpaces?: boolean;
    /** Of a cell. */
    fillColor?: string;
    /** Of a column. */
    width?: number;
    /** Kept on one sheet; content higher than a sheet is cut off. */
    unbreakable?: true;
    pageBreak?: "before";
    absolutePosition?: { readonly x: number; readonly y: number };
  }

  interface Linked {
    link?: string;
    linkToDestination?: string;
  }

  export interface TextNode extends Base {
    text: string | readonly object[];
    /** The name of the destination of links. */
    id?: string;
    tocItem?: true;
    tocStyle?: Base;
    tocMargin?: Margin;
    outline?: true;
    outlineText?: string;
    /** The `id` of the parent node. */
    outlineParentId?: string;
    /** Its position once the PDF is laid out. */
    positions?: readonly { readonly pageNumber: number }[];
  }

  /** Parts drawn over each other; as high as the lowest of them. */
  interface CanvasNode extends Base {
    canvas: readonly object[];
  }

  export interface TableNode extends Base {
    table: { widths: number[]; body: Content[][]; headerRows?: number; dontBreakRows?: boolean };
    layout: {
      hLineWidth: (index: number) => number;
      vLineWidth: (index: number) => number;
      hLineColor?: () => string;
      vLineColor?: () => string;
      paddingLeft: () => number;
      paddingRight: () => number;
      paddingTop: () => number;
      paddingBottom: () => number;
      fillColor?: () => string;
    };
  }

  export type Content =
    | TextNode
    | CanvasNode
    | TableNode
    | (Base & { stack: Content[] })
    | (Base & { columns: Content[] })
    | (Base & Linked & { image: string; fit: [width: number, height: number] })
    | (Base & { toc: { title: Content; numberStyle: Base } });

  export interface DocumentDefinition {
    content: Content[];
    images: Record<string, string>;
    pageSize: { width: number; height: number };
    pageMargins: Margin;
    defaultStyle: Base & { font: string };
    info: { title: string; creator: string; producer: string; creationDate: Date; modDate: Date };
    header: (sheet: number) => Content | null;
    footer: (sheet: number) => Content | null;
  }

  const pdfmake: {
    /** Files in memory, from which images are read. */
    virtualfs: { storage: Record<string, Buffer> };
    setFonts(fonts: Record<string, Record<"normal" | "bold" | "italics" | "bolditalics", string>>): void;
    setUrlAccessPolicy(isAllowed: (url: string) => boolean): void;
    setLocalAccessPolicy(isAllowed: (path: string) => boolean): void;
    createPdf(definition: DocumentDefinition): { getBuffer(): Promise<Buffer> };
  };
  // oxlint-disable-next-line import/no-default-export -- a CommonJS module
  export default pdfmake;
}

declare module "fontkit" {
  export function create(bytes: Uint8Array): { readonly characterSet: readonly number[] };
}
