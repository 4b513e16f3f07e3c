// Wikis of GitHub and GitLab, Gollum and docsify: the sidebar is a page with a list of links.
import { folderOf } from "#src/features/imports/model/files.ts";
import { findFile, ofFolders, type RepositoryForm } from "#src/features/imports/model/repositories/form.ts";

const wikiLink = /\[\[([^[\]\n|]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/g;

/** Both `[[Name]]` and `[[Text|Name]]`, which Gollum writes in this order, as links of Markdown. */
const asMarkdown = (text: string): string =>
  text.replaceAll(wikiLink, (_, first: string, second?: string) => `[${first}](<${second ?? first}>)`);

export const wiki: RepositoryForm = {
  tool: "Wiki",
  async read(survey) {
    const path = findFile(survey, /^_sidebar\.(?:md|markdown)$/i);
    if (path === undefined) return null;
    const folder = folderOf(path);
    const items = await survey.items(path, asMarkdown(await survey.text(path)));
    const folders = ofFolders("Wiki", folder);
    return items.length === 0 ? folders : { ...folders, contents: { path, folder, items } };
  },
};
