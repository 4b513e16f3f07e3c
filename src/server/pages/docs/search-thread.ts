// The thread that makes the index of the documentation.
import { readDoc } from "#src/base/documentation.ts";
import { serveTasks } from "#src/runtime/threads.ts";
import { parseDoc, sectionsOf } from "#src/server/pages/docs/markdown.ts";
import { type Findable, indexOf, type SearchIndex } from "#src/server/pages/docs/search-index.ts";

export interface IndexTask {
  readonly pages: readonly { readonly file: string; readonly path: string; readonly title: string }[];
  readonly rows: readonly Findable[];
}

serveTasks(async ({ pages, rows }: IndexTask): Promise<SearchIndex> => {
  const sections = pages.map(async ({ file, path, title: page }): Promise<Findable[]> => {
    const all = sectionsOf(parseDoc(await readDoc({ file })));
    return all.map(({ title, anchor, text }) => ({ href: `${path}#${anchor}`, page, title, text, isRow: false }));
  });
  return indexOf([...(await Promise.all(sections)).flat(), ...rows]);
});
