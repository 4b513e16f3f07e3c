// VitePress and VuePress: the sidebar of their configuration as far as it is plain data.
import { folderOf } from "#src/features/imports/model/files.ts";
import { join } from "#src/features/imports/model/paths.ts";
import { LiteralReader } from "#src/features/imports/model/repositories/plain-data.ts";
import {
  at,
  entriesOf,
  findFile,
  item,
  itemsOf,
  ofFolders,
  type RepositoryForm,
  type Survey,
  textAt,
} from "#src/features/imports/model/repositories/form.ts";
import type { SummaryItem } from "#src/features/imports/model/summary.ts";

/** Items as `{ text, link, items }`, as `{ title, path, children }`, as `[link, title]`, or a link alone. */
function sidebarItems(sidebar: unknown, base: string): SummaryItem[] {
  const within = (link: string | null) =>
    link === null ? null : link.startsWith("/") || /^https?:/.test(link) ? link : `${base}${link}`;
  return itemsOf(sidebar, (value, below) => {
    if (typeof value === "string") return [item(null, within(value))];
    if (Array.isArray(value)) return [item(textAt(value, 1), within(textAt(value, 0)))];
    const own = textAt(value, "base");
    const link = textAt(value, "link") ?? textAt(value, "path");
    const inner = at(value, "items") ?? at(value, "children");
    const items = own === null ? below(inner) : sidebarItems(inner, own);
    const title = textAt(value, "text") ?? textAt(value, "title");
    return title === null && link === null ? items : [item(title, within(link), items)];
  });
}

/** One sidebar, or one for each folder. */
function allItems(sidebar: unknown): SummaryItem[] {
  if (Array.isArray(sidebar)) return sidebarItems(sidebar, "/");
  return entriesOf(sidebar).flatMap(([base, value]) =>
    sidebarItems(at(value, "items") ?? value, textAt(value, "base") ?? base),
  );
}

/** The literal of a property anywhere in a module, for configurations that are made by functions. */
export function literalOf(source: string, property: string): unknown {
  const start = new RegExp(`\\b${property}\\s*:\\s*(?=[[{])`).exec(source);
  return start ? new LiteralReader(source, { at: start.index + start[0].length }).value() : undefined;
}

async function sidebarOf(survey: Survey, config: string): Promise<unknown> {
  const data = await survey.data(config);
  return (
    at(data, "themeConfig", "sidebar") ??
    at(data, "theme", "sidebar") ??
    literalOf(await survey.text(config), "sidebar")
  );
}

export const vitepress: RepositoryForm = {
  tool: "VitePress or VuePress",
  async read(survey) {
    const inside = [...survey.files.paths].filter((path) => /(?:^|\/)\.vuepress\/|(?:^|\/)\.vitepress\//.test(path));
    const [first] = inside;
    if (first === undefined) return null;
    const site = first.slice(0, Math.max(0, /(?:^|\/)\.v(?:ue|ite)press\//.exec(first)?.index ?? 0));
    const config =
      inside.find((path) =>
        /(?:^|\/)\.v(?:ue|ite)press\/config(?:\/index)?\.(?:[cm]?[jt]s|json|ya?ml|toml)$/.test(path),
      ) ?? findFile(survey, /^\.vitepress$/);
    const data = config === undefined ? null : await survey.data(config);
    const root = join(site, textAt(data, "srcDir") ?? "") ?? site;
    const folders = ofFolders(
      "VitePress",
      root,
      [`${root}/public`, `${site}/.vuepress/public`].map((path) => path.replace(/^\//, "")),
    );
    const items = config === undefined ? [] : allItems(await sidebarOf(survey, config));
    if (config === undefined || items.length === 0) return folders;
    return { ...folders, contents: { path: config, folder: folderOf(`${root}/x`), items }, others: "hidden" };
  },
};
