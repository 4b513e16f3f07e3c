// Books of PDFs for tests.
import { newId } from "#src/base/ids.ts";
import type { Book } from "#src/features/pdfs/model/book.ts";

/** A book of one page with this text. */
export const bookOf = (markdown: string): Book => ({
  title: "Too much",
  changeRequest: null,
  spaceId: newId("Space"),
  revisionId: newId("Revision"),
  createdAt: "2026-11-20T10:00:00.000Z",
  pageId: null,
  only: false,
  addresses: { publicUrl: "http://localhost" },
  pages: [
    {
      pageId: newId("Page"),
      type: "document",
      title: "Page",
      path: "page",
      level: 1,
      description: null,
      cover: null,
      target: null,
      spec: null,
      markdown,
      variables: {},
    },
  ],
  variables: {},
  reusableContents: {},
  files: {},
});
