// The pictures in texts of a template: `![…](ref:name)` on a line of its own becomes the file that was given for it.
import type { NewPage } from "#src/features/content/model/page.ts";

const picture = /^(!\[[^\]\n]*\]\()ref:([a-z-]+)\)\n(\n?)/gm;

/** The pages with the ids of files in place of references, by name. Pictures that were not given are left out. */
export function withReferences(pages: readonly NewPage[], fileIds: ReadonlyMap<string, string>): NewPage[] {
  const withFiles = (text: string) =>
    text.replaceAll(picture, (_, start: string, name: string, end: string) => {
      const id = fileIds.get(name);
      return id === undefined ? "" : `${start}file:${id})\n${end}`;
    });
  return pages.map((page) => ({
    ...page,
    ...(page.text !== undefined && { text: withFiles(page.text) }),
    ...(page.pages && { pages: withReferences(page.pages, fileIds) }),
  }));
}
