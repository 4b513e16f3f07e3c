// The whole PDF, as pdfmake takes it: cover, contents, pages, and what is on every sheet.
import type { Content, DocumentDefinition, Margin, TextNode } from "pdfmake";
import type { Book } from "#src/features/pdfs/model/book.ts";
import { type Chapter, readChapters } from "#src/features/pdfs/model/chapters.ts";
import { contentOfChapter } from "#src/features/pdfs/model/chapter-content.ts";
import { contentsOf, coverOf, headOf } from "#src/features/pdfs/model/cover.ts";
import { bodySize, colours, lineHeight, sheet, smallSize, titleSizes } from "#src/features/pdfs/model/look.ts";
import { plainLook, runsOf } from "#src/features/pdfs/model/phrases.ts";
import { Pictures } from "#src/features/pdfs/model/pictures.ts";
import { Library, Surroundings } from "#src/features/pdfs/model/surroundings.ts";

/** The PDF of a book, and the pictures that it names. Throws INVALID_INPUT as {@link readChapters} does. */
export function definitionOf(book: Book): { document: Omit<DocumentDefinition, "images">; pictures: Pictures } {
  const chapters = readChapters(book);
  const pictures = new Pictures();
  const library = new Library(book, chapters);
  const titles = titlesOf(chapters, book.only);
  const pages = Array.from(titles, ([chapter, title]) =>
    contentOfChapter(chapter, {
      title,
      around: new Surroundings(library, chapter),
      pictures,
      beginsSheet: chapter.page.level === 1 && !book.only,
    }),
  ).flat();
  const before = book.only ? [headOf(book)] : [coverOf(book), ...(chapters.length > 1 ? [contentsOf()] : [])];
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

/** The titles of pages. pdfmake writes into them where they are, which the heads of sheets go by. */
function titlesOf(chapters: readonly Chapter[], isAlone: boolean): ReadonlyMap<Chapter, TextNode> {
  const above: Chapter[] = [];
  const titles = new Map<Chapter, TextNode>();
  for (const chapter of chapters) {
    const { title, level } = chapter.page;
    while ((above.at(-1)?.page.level ?? 0) >= level) above.pop();
    const parent = above.at(-1);
    above.push(chapter);
    const isTop = level === 1;
    const runs = runsOf(title, plainLook);
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

/** Longer titles are cut in the heads of sheets. */
const longest = 90;

const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** The last title of the first level up to a sheet, but not where it stands itself. */
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

/** The number of the sheet on which a title is, once pdfmake has laid it out. */
const sheetOf = ({ positions }: TextNode): number => positions?.[0]?.pageNumber ?? 0;

function footerOf(number: number, { title, changeRequest, only }: Book): Content | null {
  if (number === 1 && !only) return null;
  const name = changeRequest ? `${cut(title)}  ·  Change request #${changeRequest.number}` : cut(title);
  return {
    columns: [
      { text: runsOf(name, plainLook), width: "*" },
      { text: String(number), width: 40, alignment: "right" },
    ],
    fontSize: smallSize,
    color: colours.muted,
    margin: [sheet.left, 24, sheet.right, 0],
  };
}
