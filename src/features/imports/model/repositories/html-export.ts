// Exports as HTML files, such as those of Confluence and Notion: the start page lists the others.
import { folderOf, isHtml, nameOf } from "#src/features/imports/model/files.ts";
import { findFile, ofFolders, type RepositoryForm } from "#src/features/imports/model/repositories/form.ts";
import type { SummaryItem } from "#src/features/imports/model/summary.ts";

export const htmlExport: RepositoryForm = {
  tool: "HTML export",
  async read(survey) {
    const path = findFile(survey, /^index\.html?$/i);
    if (path === undefined || !survey.files.hasHtmlPages) return null;
    const folder = folderOf(path);
    const items = (await survey.items(path, survey.pages.get(path)?.text ?? "")).flatMap(pagesOf);
    const folders = ofFolders("HTML export", folder);
    const start = { title: "", url: nameOf(path), line: 1, items: [] };
    return items.length < 2 && items[0]?.items.length === 0
      ? folders
      : { ...folders, contents: { path: "", folder, items: [start, ...items] } };
  },
};

/** Items that lead to pages of the export; headings around lists are left out. */
function pagesOf(item: SummaryItem): SummaryItem[] {
  const items = item.items.flatMap(pagesOf);
  const isPage = item.url !== null && isHtml(item.url.replace(/[?#].*$/s, "")) && !/^[a-z]+:/i.test(item.url);
  return isPage ? [{ ...item, items }] : items;
}
