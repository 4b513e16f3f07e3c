// The forms of repositories, in the order in which they are tried; the last is a folder of files.
import { book } from "#src/features/imports/model/repositories/book.ts";
import { docusaurus } from "#src/features/imports/model/repositories/docusaurus.ts";
import {
  ofFolders,
  type Repository,
  type RepositoryForm,
  type Survey,
} from "#src/features/imports/model/repositories/form.ts";
import { htmlExport } from "#src/features/imports/model/repositories/html-export.ts";
import { mintlify } from "#src/features/imports/model/repositories/mintlify.ts";
import { mkdocs } from "#src/features/imports/model/repositories/mkdocs.ts";
import { hugo, jekyll, nextra, starlight } from "#src/features/imports/model/repositories/sites.ts";
import { toc } from "#src/features/imports/model/repositories/toc.ts";
import { vitepress } from "#src/features/imports/model/repositories/vitepress.ts";
import { wiki } from "#src/features/imports/model/repositories/wiki.ts";

/** To add a tool, copy a file of this folder and name it here. */
const forms: readonly RepositoryForm[] = [
  mkdocs,
  book,
  docusaurus,
  vitepress,
  starlight,
  mintlify,
  hugo,
  nextra,
  jekyll,
  wiki,
  toc,
  htmlExport,
];

export async function readRepository(survey: Survey): Promise<Repository> {
  for (const form of forms) {
    const repository = await form.read(survey);
    if (repository && hasPages(survey, repository)) return repository;
  }
  return ofFolders("Folder", "");
}

/** Whether pages are in the folder of the repository, or its table of contents names them. */
function hasPages({ pages }: Survey, { root, contents }: Repository): boolean {
  return contents !== null || [...pages.keys()].some((path) => root === "" || path.startsWith(`${root}/`));
}
