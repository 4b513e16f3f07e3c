// Mintlify: the navigation of docs.json or mint.json, whose pages are paths without their ending.
import { folderOf } from "#src/features/imports/model/files.ts";
import {
  at,
  findFile,
  item,
  itemsOf,
  listOf,
  ofFolders,
  type RepositoryForm,
  textAt,
} from "#src/features/imports/model/repositories/form.ts";
import type { SummaryItem } from "#src/features/imports/model/summary.ts";

const parts = ["pages", "groups", "tabs", "anchors", "dropdowns", "products", "versions", "languages", "items"];
const titles = ["group", "tab", "anchor", "dropdown", "product", "version", "language", "title"];

/** Pages by path, and groups, tabs, anchors and versions with more of them. */
const navigationItems = (navigation: unknown): SummaryItem[] =>
  itemsOf(navigation, (value, below) => {
    if (typeof value === "string") return [item(null, /^https?:/.test(value) ? value : `/${value}`)];
    const title = titles.map((name) => textAt(value, name)).find((text) => text !== null) ?? null;
    const root = textAt(value, "root");
    const items = parts.flatMap((name) => below(at(value, name)));
    return items.length === 0 ? [] : [item(title, root === null ? null : `/${root}`, items)];
  });

export const mintlify: RepositoryForm = {
  tool: "Mintlify",
  async read(survey) {
    const path = findFile(survey, /^(?:docs|mint)\.json$/);
    if (path === undefined) return null;
    const navigation = at(await survey.data(path), "navigation");
    const [only, ...others] = navigationItems(Array.isArray(navigation) ? navigation : [navigation]);
    const items = others.length === 0 && only?.title === "" ? only.items : [only ?? [], others].flat();
    if (items.length === 0 || listOf(items).length === 0) return null;
    const folder = folderOf(path);
    return { ...ofFolders("Mintlify", folder), contents: { path, folder, items }, others: "hidden" };
  },
};
