// What stands before the pages: the cover and the contents, or a line above a single page.
import type { Content } from "pdfmake";
import type { Book } from "#src/features/pdfs/model/book.ts";
import { colours, room, sheet, smallSize } from "#src/features/pdfs/model/look.ts";
import { plainLook, runsOf } from "#src/features/pdfs/model/phrases.ts";

const longDate = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

const dateOf = ({ createdAt }: Book): string => longDate.format(new Date(createdAt));

/** The sheet before all others. */
export function coverOf(book: Book): Content {
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
  stack.push({ text: dateOf(book), color: colours.muted, fontSize: 11, margin: [0, 22, 0, 0] });
  const revision: Content = { text: `Revision ${revisionId}`, color: colours.faint, fontSize: smallSize };
  return {
    stack: [...stack, { ...revision, absolutePosition: { x: sheet.left, y: sheet.height - sheet.bottom - 20 } }],
  };
}

/** The list of all pages, each with the number of its sheet. */
export function contentsOf(): Content {
  const title: Content = { text: "Contents", bold: true, color: colours.strong, fontSize: 20, margin: [0, 0, 0, 14] };
  return { toc: { title, numberStyle: { color: colours.muted } }, pageBreak: "before" };
}

/** What says above a single page where it is from. */
export function headOf(book: Book): Content {
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
