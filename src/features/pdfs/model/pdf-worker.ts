// The worker that makes PDFs: cover, contents, pages, headers and footers. It can be terminated
// when a hostile text or image takes too long.
import pdfmake, { type Content, type DocumentDefinition, type Margin, type TextNode } from "pdfmake";
import { DomainError } from "#src/base/errors.ts";
import { serveTasks } from "#src/runtime/threads.ts";
import type { Book, BookPage } from "#src/features/pdfs/model/book.ts";
import { fontFiles, isFontFile, scriptsWithoutFont } from "#src/features/pdfs/model/fonts.ts";
import { type Chapter, type Note, readChapters } from "#src/features/pdfs/model/chapters.ts";
import { keptWithNext } from "#src/features/pdfs/model/layout.ts";
import {
  bodySize,
  colours,
  keptWithHeading,
  lineHeight,
  room,
  sheet,
  smallSize,
  titleSizes,
} from "#src/features/pdfs/model/look.ts";
import { libraryOf, plainLook, ReferenceResolver, runsOf } from "#src/features/pdfs/model/phrases.ts";
import { imageOf, Pictures } from "#src/features/pdfs/model/images.ts";
import { referenceOfAddress } from "#src/documents/references.ts";
import { BlockWriter } from "#src/features/pdfs/model/blocks.ts";

export type PdfAnswer = { readonly pdf: Uint8Array } | { readonly problem: string };

pdfmake.setFonts(fontFiles);
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy(isFontFile);

serveTasks(async (book: Book): Promise<PdfAnswer> => {
  try {
    const { document, pictures } = definitionOf(book);
    const { shown } = pictures;
    pdfmake.virtualfs.storage = Object.fromEntries(Array.from(shown, ([name, { bytes }]) => [name, bytes]));
    const images = Object.fromEntries(Array.from(shown.keys(), (name) => [name, name]));
    const made = await pdfmake.createPdf({ ...document, images }).getBuffer();
    return { pdf: new Uint8Array(made) };
  } catch (error) {
    if (error instanceof DomainError) return { problem: error.message };
    if (error instanceof RangeError) return { problem: "Its texts are nested too deeply." }; // the call stack is full
    throw error;
  }
});

/** The pdfmake document of a book, and its pictures. Throws INVALID_INPUT as {@link readChapters} does. */
function definitionOf(book: Book): { document: Omit<DocumentDefinition, "images">; pictures: Pictures } {
  const chapters = readChapters(book);
  const pictures = new Pictures();
  const library = libraryOf(book, chapters);
  const titles = titlesOf(chapters, book.only);
  const pages = Array.from(titles, ([chapter, title]) =>
    contentOfChapter(chapter, {
      title,
      resolver: new ReferenceResolver(library, chapter),
      pictures,
      beginsSheet: chapter.page.level === 1 && !book.only,
    }),
  ).flat();
  const before = book.only
    ? [headOf(book), ...missingFontsOf(book)]
    : [coverOf(book), ...(chapters.length > 1 ? [contentsOf()] : [])];
  const created = new Date(book.createdAt);
  const document: Omit<DocumentDefinition, "images"> = {
    content: [...before, ...pages],
    pageSize: { width: sheet.width, height: sheet.height },
    pageMargins: [sheet.left, sheet.top, sheet.right, sheet.bottom],
    defaultStyle: { font: "Sans", fontSize: bodySize, lineHeight, color: colours.text },
    info: { title: book.title, creator: "docgraph", producer: "docgraph", creationDate: created, modDate: created },
    header: (number) => headerOf(number, titles),
    footer: (number) => footerOf(number, book),
  };
  return { document, pictures };
}

/** The start of a word that may be wider than the table of contents, in which pdfmake does not break words. */
const longWord = /[^\s\u200b\u2e80-\u{3ffff}]{24}(?=\S)/gu;

/** The titles of pages. pdfmake writes their positions into these objects, which the headers of sheets read. */
function titlesOf(chapters: readonly Chapter[], isAlone: boolean): ReadonlyMap<Chapter, TextNode> {
  const above: Chapter[] = [];
  const titles = new Map<Chapter, TextNode>();
  for (const chapter of chapters) {
    const { title, level } = chapter.page;
    while ((above.at(-1)?.page.level ?? 0) >= level) above.pop();
    const parent = above.at(-1);
    above.push(chapter);
    const isTop = level === 1;
    const runs = runsOf(title, plainLook).map((run) => ({ ...run, text: run.text.replaceAll(longWord, "$&\u200b") }));
    titles.set(chapter, {
      text: runs.length > 0 ? runs : "-",
      id: chapter.id,
      ...(!isAlone && { tocItem: true }),
      tocStyle: { bold: isTop, color: isTop ? colours.strong : colours.text },
      tocMargin: [Math.min(level - 1, 6) * 14, isTop ? 6 : 0, 0, 0],
      outline: true,
      outlineText: title,
      ...(parent && { outlineParentId: parent.id }),
      bold: true,
      color: colours.strong,
      fontSize: titleSizes[Math.min(level, titleSizes.length) - 1] ?? bodySize,
      lineHeight: 1.05,
      margin: [0, isTop ? 0 : 26, 0, 8],
    });
  }
  return titles;
}

const sideMargin: Margin = [sheet.left, 32, sheet.right, 0];

/** The limit of characters of a title in headers and footers. */
const longest = 90;

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** The last top-level title up to a sheet; null on the sheet of that title. */
function headerOf(number: number, titles: ReadonlyMap<Chapter, TextNode>): Content | null {
  const tops = Array.from(titles).flatMap(([{ page }, title]) => (page.level === 1 ? [title] : []));
  const title = tops.findLast((one) => sheetOf(one) <= number);
  if (!title || sheetOf(title) === number) return null;
  return {
    text: runsOf(cut(title.outlineText ?? ""), plainLook),
    fontSize: smallSize,
    color: colours.muted,
    margin: sideMargin,
  };
}

/** The number of the sheet of a title once pdfmake has laid it out; 0 before. */
const sheetOf = ({ positions }: TextNode): number => positions?.[0]?.pageNumber ?? 0;

/** Of the number of a sheet, in points. */
const numberWidth = 40;

function footerOf(number: number, { title, changeRequest, only }: Book): Content | null {
  if (number === 1 && !only) return null;
  const name = changeRequest ? `${cut(title)}  ·  Change request #${changeRequest.number}` : cut(title);
  return {
    columns: [
      { text: runsOf(name, plainLook), width: room.width - numberWidth },
      { text: String(number), width: numberWidth, alignment: "right" },
    ],
    fontSize: smallSize,
    color: colours.muted,
    margin: [sheet.left, 24, sheet.right, 0],
  };
}

const longDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

const dateOf = ({ createdAt }: Book): string => longDate.format(new Date(createdAt));

/** Says which texts readers cannot read here. */
function missingFontsOf({ title, pages, reusableContents }: Book): Content[] {
  const texts = [title, ...pages.flatMap((page) => [page.title, page.markdown]), ...Object.values(reusableContents)];
  const scripts = scriptsWithoutFont(texts);
  if (scripts.length === 0) return [];
  const text = `This PDF has no fonts for ${scripts.join(", ")}: such letters are shown as \ufffd.`;
  return [{ text: runsOf(text, plainLook), color: colours.muted, fontSize: smallSize, margin: [0, 6, 0, 6] }];
}

function coverOf(book: Book): Content {
  const { title, changeRequest, pageId, pages, revisionId } = book;
  const part = pageId === null ? undefined : pages[0];
  const stack: Content[] = [
    { canvas: [{ type: "rect", x: 0, y: 0, w: 56, h: 5, color: colours.accent }], margin: [0, 170, 0, 26] },
    {
      text: runsOf(title, plainLook),
      bold: true,
      color: colours.strong,
      fontSize: title.length > 50 ? 26 : 36,
      lineHeight: 1,
    },
  ];
  if (part)
    stack.push({ text: runsOf(part.title, plainLook), fontSize: 18, color: colours.text, margin: [0, 10, 0, 0] });
  if (changeRequest) {
    const { number, subject } = changeRequest;
    stack.push({
      text: `Change request #${number}`,
      bold: true,
      color: colours.accent,
      fontSize: 11,
      margin: [0, 26, 0, 2],
    });
    stack.push({ text: runsOf(subject, plainLook), fontSize: 15 });
  }
  stack.push(
    { text: dateOf(book), color: colours.muted, fontSize: 11, margin: [0, 22, 0, 0] },
    ...missingFontsOf(book),
  );
  const revision: Content = { text: `Revision ${revisionId}`, color: colours.faint, fontSize: smallSize };
  return {
    stack: [...stack, { ...revision, absolutePosition: { x: sheet.left, y: sheet.height - sheet.bottom - 20 } }],
  };
}

function contentsOf(): Content {
  const title: Content = { text: "Contents", bold: true, color: colours.strong, fontSize: 20, margin: [0, 0, 0, 14] };
  return { toc: { title, numberStyle: { color: colours.muted } }, pageBreak: "before" };
}

function headOf(book: Book): Content {
  const { title, changeRequest } = book;
  const request = changeRequest && `Change request #${changeRequest.number}: ${changeRequest.subject}`;
  const text = [title, request, dateOf(book)].filter((part) => part !== null).join("  ·  ");
  return {
    stack: [
      { text: runsOf(text, plainLook), color: colours.muted, fontSize: smallSize },
      {
        canvas: [{ type: "line", x1: 0, y1: 0, x2: room.width, y2: 0, lineWidth: 0.75, lineColor: colours.line }],
        margin: [0, 6, 0, 10],
      },
    ],
  };
}

interface Parts {
  readonly title: TextNode;
  readonly resolver: ReferenceResolver;
  readonly pictures: Pictures;
  readonly beginsSheet: boolean;
}

function contentOfChapter(
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
  const width = room.width - 18;
  const stack = notes.map(({ number, id, block }): Content => ({
    columns: [
      { text: String(number), id, width: 18, color: colours.muted },
      { stack: writer.write(block.nodes, { width, level: 1, gap: 3, size: smallSize }), width },
    ],
  }));
  return [
    { canvas: [line], margin: [0, 14, 0, 6] },
    { stack, fontSize: smallSize },
  ];
}
