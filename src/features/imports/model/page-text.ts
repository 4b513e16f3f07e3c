// What an import reads from one Markdown file.
import type { PageFields } from "#src/features/content/model/page.ts";
import { readFrontMatter } from "#src/features/imports/model/front-matter.ts";
import { readMarkdown, type TextLink } from "#src/features/imports/model/markdown.ts";

export interface PageText {
  /** The one that it says itself; null for none. */
  readonly title: string | null;
  readonly heading: string | null;
  /** The picture above it, by its address; null for none. */
  readonly cover: { readonly url: string; readonly yPos: number | undefined } | null;
  readonly fields: PageFields;
  /** Where the text of the page begins in the file. */
  readonly start: number;
  /** With their places in the text of the page, and lines of the file. */
  readonly links: readonly TextLink[];
  /** What could not be imported, and why. */
  readonly problems: readonly string[];
}

export function readPageText(file: string): PageText {
  const { title = null, cover, coverY, fields, end, isText, problems } = readFrontMatter(file);
  const start = isText ? 0 : end;
  const linesBefore = file.slice(0, end).split("\n").length - 1;
  const { heading, links } = readMarkdown(file.slice(end));
  const inText = (link: TextLink): TextLink => ({
    url: link.url,
    start: link.start + end - start,
    end: link.end + end - start,
    line: link.line + linesBefore,
  });
  return {
    title,
    heading,
    cover: cover === undefined ? null : { url: cover, yPos: coverY },
    fields,
    start,
    links: links.map(inText),
    problems,
  };
}
