// The content of one chapter: its title, picture, description, text and footnotes.
import type { Content, Margin, TextNode } from "pdfmake";
import { referenceOfAddress } from "#src/documents/references.ts";
import { BlockWriter } from "#src/features/pdfs/model/blocks.ts";
import type { BookPage } from "#src/features/pdfs/model/book.ts";
import type { Chapter, Note } from "#src/features/pdfs/model/chapters.ts";
import { keptWithNext } from "#src/features/pdfs/model/layout.ts";
import { imageOf, type Pictures } from "#src/features/pdfs/model/images.ts";
import { colours, keptWithHeading, room, smallSize } from "#src/features/pdfs/model/look.ts";
import { plainLook, runsOf } from "#src/features/pdfs/model/phrases.ts";
import type { ReferenceResolver } from "#src/features/pdfs/model/reference-resolver.ts";

interface Parts {
  readonly title: TextNode;
  readonly resolver: ReferenceResolver;
  readonly pictures: Pictures;
  readonly beginsSheet: boolean;
}

export function contentOfChapter(
  { page, blocks, notes }: Chapter,
  { title, resolver, pictures, beginsSheet }: Parts,
): Content[] {
  const writer = new BlockWriter(resolver, pictures);
  const ref = { kind: "file", file: page.cover };
  const cover = resolver.fileOf(ref);
  const hasCover = cover !== null && pictures.of(cover) !== null;
  const image = { ref, alt: "", title: "", target: {} };
  return [
    ...keptWithNext(title, keptWithHeading, beginsSheet),
    ...(hasCover ? [imageOf(image, { resolver, pictures, width: room.width })] : []),
    ...aboutOf(page, resolver),
    ...writer.write(blocks),
    ...notesOf([...notes.values()], writer),
  ];
}

function aboutOf({ description, target, spec }: BookPage, resolver: ReferenceResolver): Content[] {
  const about: Content[] = [];
  const margin: Margin = [0, 0, 0, 12];
  const muted = { ...plainLook, color: colours.muted };
  if (description !== null) about.push({ text: runsOf(description, muted), fontSize: 11.5, margin });
  if (target !== null) {
    const leads = resolver.targetOf(referenceOfAddress(target));
    const name = runsOf(leads.link ?? "another page", { ...plainLook, ...leads, color: colours.link });
    about.push({ text: [...runsOf("Leads to ", muted), ...name], margin });
  }
  if (spec !== null) about.push({ text: runsOf(`Made from the specification ${spec}.`, muted), margin });
  return about;
}

function notesOf(notes: readonly Note[], writer: BlockWriter): Content[] {
  if (notes.length === 0) return [];
  const line = { type: "line", x1: 0, y1: 0, x2: 120, y2: 0, lineWidth: 0.75, lineColor: colours.line } as const;
  const stack = notes.map(({ number, id, block }): Content => ({
    columns: [
      { text: String(number), id, width: 18, color: colours.muted },
      { stack: writer.write(block.nodes, { width: room.width - 18, level: 1, gap: 3, size: smallSize }), width: "*" },
    ],
  }));
  return [
    { canvas: [line], margin: [0, 14, 0, 6] },
    { stack, fontSize: smallSize },
  ];
}
