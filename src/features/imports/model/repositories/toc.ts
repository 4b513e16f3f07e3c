// Tables of contents in YAML: `toc.yml` of DocFX and `_toc.yml` of Jupyter Book.
import { folderOf } from "#src/features/imports/model/files.ts";
import {
  at,
  findFile,
  item,
  itemsOf,
  ofFolders,
  type RepositoryForm,
  textAt,
} from "#src/features/imports/model/repositories/form.ts";
import type { SummaryItem } from "#src/features/imports/model/summary.ts";

const parts = ["items", "chapters", "sections", "parts", "entries", "children"];

const tocItems = (toc: unknown): SummaryItem[] =>
  itemsOf(toc, (value, below) => {
    const url =
      ["href", "topicHref", "file", "url"].map((name) => textAt(value, name)).find((text) => text !== null) ?? null;
    const title = ["name", "title", "caption"].map((name) => textAt(value, name)).find((text) => text !== null) ?? null;
    const items = parts.flatMap((name) => below(at(value, name)));
    return url === null && items.length === 0 ? [] : [item(title, url, items)];
  });

export const toc: RepositoryForm = {
  tool: "DocFX or Jupyter Book",
  async read(survey) {
    const path = findFile(survey, /^_?toc\.ya?ml$/);
    if (path === undefined) return null;
    const data = await survey.data(path);
    const first = textAt(data, "root");
    const items = [
      first === null ? [] : item(null, first),
      tocItems(Array.isArray(data) ? data : [data]).flatMap((one) =>
        one.title === "" && one.url === null ? one.items : one,
      ),
    ].flat();
    const folder = folderOf(path);
    return items.length === 0
      ? null
      : { ...ofFolders("DocFX", folder), contents: { path, folder, items }, others: "hidden" };
  },
};
