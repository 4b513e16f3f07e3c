// The book behind a PDF, in a form that can be sent to a thread: pages with their texts, and files.
import type { Addresses } from "#src/base/public-urls.ts";
import type { PageState } from "#src/features/content/model/page.ts";

export interface BookPage {
  readonly pageId: string;
  readonly type: PageState["type"];
  readonly title: string;
  /** Its path in the content, which texts may use. */
  readonly path: string;
  /** 1 for those at the top of the book. */
  readonly level: number;
  readonly description: string | null;
  readonly cover: string | null;
  /** The address of a link page, in the form of texts. */
  readonly target: string | null;
  /** The specification of a computed page without a text. */
  readonly spec: string | null;
  readonly markdown: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** A file of the content that texts show or link to. */
export interface BookFile {
  readonly name: string;
  /** The download address; null if the file is not public. */
  readonly url: string | null;
  readonly image: BookImage | null;
}

/** The bytes of a PNG or JPEG, and its displayed size in pixels. */
export interface BookImage {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The parts of a PDF besides its pages; equal covers and pages make equal PDFs. */
export interface BookCover {
  readonly title: string;
  readonly changeRequest: { readonly id: string; readonly number: number; readonly subject: string } | null;
  readonly spaceId: string;
  readonly revisionId: string;
  readonly createdAt: string;
  /** The requested page; null for all pages. */
  readonly pageId: string | null;
  /** Whether to print only `pageId`, without the pages below it. */
  readonly only: boolean;
  readonly addresses: Addresses;
}

export interface Book extends BookCover {
  /** Parents before their children. */
  readonly pages: readonly BookPage[];
  readonly variables: Readonly<Record<string, string>>;
  readonly reusableContents: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, BookFile>>;
}
