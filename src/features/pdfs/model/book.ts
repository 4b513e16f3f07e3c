// What a PDF is made of, in a form that can be sent to a thread: pages with their texts, and the files that these show.
import type { Addresses } from "#src/base/public-urls.ts";
import type { PageState } from "#src/features/content/model/page.ts";

/** A page to print. */
export interface BookPage {
  readonly pageId: string;
  readonly type: PageState["type"];
  readonly title: string;
  /** Its path in the content, by which texts may name it. */
  readonly path: string;
  /** 1 for those at the top of the book. */
  readonly level: number;
  readonly description: string | null;
  /** The id of the file of its picture. */
  readonly cover: string | null;
  /** Where a link page leads, as texts have it. */
  readonly target: string | null;
  /** The specification of a computed page that has no text yet. */
  readonly spec: string | null;
  /** As it was written. */
  readonly markdown: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** A file of the content that texts show or link to. */
export interface BookFile {
  readonly name: string;
  /** Where it can be downloaded; null where that is not for everybody. */
  readonly url: string | null;
  /** The picture that it is, where it is one that may be printed. */
  readonly image: BookImage | null;
}

/** The bytes of a PNG or JPEG, and its size in pixels as it is shown. */
export interface BookImage {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** What a PDF shows beside its pages; PDFs of equal ones are equal. */
export interface BookCover {
  /** That of the space. */
  readonly title: string;
  readonly changeRequest: { readonly id: string; readonly number: number; readonly subject: string } | null;
  readonly spaceId: string;
  readonly revisionId: string;
  /** When the revision was made. */
  readonly createdAt: string;
  /** The page that was asked for; null for all. */
  readonly pageId: string | null;
  /** Whether it is that page alone. */
  readonly only: boolean;
  /** Where links lead to that do not stay in the PDF. */
  readonly addresses: Addresses;
}

/** A whole PDF to be. */
export interface Book extends BookCover {
  /** Each before those below it. */
  readonly pages: readonly BookPage[];
  /** Values of variables, and texts of reusable contents by their ids. */
  readonly variables: Readonly<Record<string, string>>;
  readonly reusableContents: Readonly<Record<string, string>>;
  /** By their ids. */
  readonly files: Readonly<Record<string, BookFile>>;
}
