// Static websites whose pages are in the order of their folders: Hugo and Zola, Jekyll, Nextra, and Starlight, whose
// sidebar counts as far as it is plain data.
import { folderOf } from "#src/features/imports/model/files.ts";
import { join } from "#src/features/imports/model/paths.ts";
import {
  at,
  findFile,
  folderItem,
  hasFolder,
  item,
  itemsOf,
  ofFolders,
  type RepositoryForm,
  type Survey,
  textAt,
} from "#src/features/imports/model/repositories/form.ts";
import { literalOf } from "#src/features/imports/model/repositories/vitepress.ts";
import type { SummaryItem } from "#src/features/imports/model/summary.ts";

const inFolder = (survey: Survey, site: string, folders: readonly string[]): string | undefined =>
  folders.flatMap((folder) => join(site, folder) ?? []).find((folder) => hasFolder(survey, folder));

export const hugo: RepositoryForm = {
  tool: "Hugo",
  async read(survey) {
    const config = findFile(survey, /^(?:hugo|config)\.(?:toml|ya?ml|json)$/, 4);
    if (config === undefined) return null;
    const site = folderOf(config).replace(/(?:^|\/)config(?:\/_default)?$/, "");
    const data = await survey.data(config);
    const language = textAt(data, "defaultContentLanguage") ?? textAt(data, "default_language") ?? "en";
    const own = textAt(data, "contentDir") ?? textAt(data, "languages", language, "contentDir");
    const root = inFolder(survey, site, [...(own === null ? [] : [own]), `content/${language}`, "content"]);
    return root === undefined
      ? null
      : ofFolders(
          "Hugo",
          root,
          ["static", "assets"].flatMap((folder) => join(site, folder) ?? []),
        );
  },
};

export const jekyll: RepositoryForm = {
  tool: "Jekyll",
  async read(survey) {
    const config = findFile(survey, /^_config\.ya?ml$/);
    if (config === undefined) return null;
    const root = join(folderOf(config), textAt(await survey.data(config), "source") ?? "") ?? "";
    return ofFolders("Jekyll", root);
  },
};

export const nextra: RepositoryForm = {
  tool: "Nextra or Fumadocs",
  async read(survey) {
    const config = findFile(survey, /^next\.config\.[cm]?[jt]s$/);
    if (config === undefined) return null;
    const site = folderOf(config);
    const root = inFolder(survey, site, [
      "content/docs",
      "content",
      "src/content",
      "pages",
      "src/pages",
      "app",
      "src/app",
    ]);
    return root === undefined ? null : ofFolders("Nextra", root, [join(site, "public") ?? "public"]);
  },
};

export const starlight: RepositoryForm = {
  tool: "Starlight",
  async read(survey) {
    const config = findFile(survey, /^astro\.config\.[cm]?[jt]s$/);
    const root = config === undefined ? undefined : inFolder(survey, folderOf(config), ["src/content/docs"]);
    if (config === undefined || root === undefined) return null;
    const folders = ofFolders("Starlight", root, [join(folderOf(config), "public") ?? "public"]);
    const items = sidebarItems(literalOf(await survey.text(config), "sidebar"), root);
    return items.length === 0
      ? folders
      : { ...folders, contents: { path: config, folder: root, items }, others: "hidden" };
  },
};

const sidebarItems = (sidebar: unknown, root: string): SummaryItem[] =>
  itemsOf(sidebar, (value, below) => {
    if (typeof value === "string") return [item(null, `/${value}`)];
    const folder = textAt(value, "autogenerate", "directory") ?? textAt(value, "directory");
    const link = textAt(value, "link") ?? textAt(value, "slug");
    const url = link === null || /^https?:|^\//.test(link) ? link : `/${link}`;
    const items = folder === null ? below(at(value, "items")) : [folderItem(join(root, folder) ?? root)];
    return [item(textAt(value, "label"), url, items)];
  });
