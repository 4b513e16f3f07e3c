// MkDocs: `nav` of mkdocs.yml, whose links begin at `docs_dir`. Plugins order folders by files of their own.
import { folderOf } from "#src/features/imports/model/files.ts";
import { join } from "#src/features/imports/model/paths.ts";
import {
  at,
  entriesOf,
  findFile,
  folderItem,
  item,
  itemsOf,
  listOf,
  ofFolders,
  type RepositoryForm,
  textAt,
} from "#src/features/imports/model/repositories/form.ts";
import type { SummaryItem } from "#src/features/imports/model/summary.ts";

const isIndex = (url: string): boolean => /(?:^|\/)(?:index|readme)\.md$/i.test(url);

/** A page, a page with its title, or a section, which may begin with its own page. */
function navItems(nav: unknown, root: string): SummaryItem[] {
  const itemFor = (title: string | null, url: string) =>
    url.endsWith("/") || url === "."
      ? { ...folderItem(join(root, url) ?? root), title: title ?? "" }
      : item(title, url);
  return itemsOf(nav, (value, below) => {
    if (typeof value === "string") return [itemFor(null, value)];
    return entriesOf(value).map(([title, inner]) => {
      if (typeof inner === "string") return itemFor(title, inner);
      const [first] = listOf(inner);
      const own = typeof first === "string" && isIndex(first) ? first : null;
      return item(title, own, below(own === null ? inner : listOf(inner).slice(1)));
    });
  });
}

export const mkdocs: RepositoryForm = {
  tool: "MkDocs",
  async read(survey) {
    const path = findFile(survey, /^mkdocs\.ya?ml$/);
    if (path === undefined) return null;
    const data = await survey.data(path);
    const root = join(folderOf(path), textAt(data, "docs_dir") ?? "docs") ?? "";
    const redirects = listOf(at(data, "plugins")).flatMap((plugin) =>
      entriesOf(at(plugin, "redirects", "redirect_maps")).flatMap(([from, to]): [string, string][] =>
        typeof to === "string" ? [[from, join(root, to) ?? to]] : [],
      ),
    );
    const items = navItems(at(data, "nav") ?? at(data, "pages"), root);
    const folders = { ...ofFolders("MkDocs", root), redirects: new Map(redirects) };
    return items.length === 0 ? folders : { ...folders, contents: { path, folder: root, items }, others: "hidden" };
  },
};
