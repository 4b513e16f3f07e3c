// Repositories with a SUMMARY.md: GitBook (`.gitbook.yaml`, `book.json`) and mdBook (`book.toml`).
import { folderOf } from "#src/features/imports/model/files.ts";
import { join } from "#src/features/imports/model/paths.ts";
import {
  entriesOf,
  at,
  type RepositoryForm,
  type Survey,
  textAt,
} from "#src/features/imports/model/repositories/form.ts";

/** Configuration files, and where each says what the root and the table of contents are. */
const settings = [
  { name: ".gitbook.yaml", root: ["root"], summary: ["structure", "summary"], otherwise: "" },
  { name: ".gitbook.yml", root: ["root"], summary: ["structure", "summary"], otherwise: "" },
  { name: "book.json", root: ["root"], summary: ["structure", "summary"], otherwise: "" },
  { name: "book.toml", root: ["book", "src"], summary: [], otherwise: "src" },
] as const;

const places = ["", "src", "docs", "doc", "book"];

export const book: RepositoryForm = {
  tool: "GitBook or mdBook",
  async read(survey) {
    const configured = await configuredSummary(survey);
    const found = configured?.path ?? places.flatMap((folder) => findSummary(survey, folder) ?? [])[0];
    if (found === undefined) return null;
    const items = await survey.items(found, await survey.text(found));
    if (items.length === 0) {
      const isAlone = survey.pages.size === 0;
      if (!isAlone) survey.files.warnings.add(found, null, "It does not list any page and is ignored.", "contents");
      return null;
    }
    const folder = folderOf(found);
    const redirects = configured ? { redirects: configured.redirects } : {};
    const contents = { path: found, folder, items };
    return { tool: "book", root: folder, statics: [], contents, others: "omitted", isNumbered: false, ...redirects };
  },
};

function findSummary({ files }: Survey, folder: string): string | undefined {
  return ["SUMMARY.md", "summary.md", "Summary.md"]
    .map((name) => join(folder, name) ?? "")
    .find((path) => files.has(path));
}

async function configuredSummary(
  survey: Survey,
): Promise<{ path: string | undefined; redirects: Map<string, string> } | null> {
  for (const { name, root, summary, otherwise } of settings) {
    if (!survey.files.has(name)) continue;
    const data = await survey.data(name);
    const folder = join("", textAt(data, ...root) ?? otherwise) ?? "";
    const own = summary.length > 0 ? textAt(data, ...summary) : null;
    const path =
      own === null ? null : [join(folder, own), join("", own)].find((one) => one !== null && survey.files.has(one));
    const redirects = entriesOf(at(data, "redirects")).flatMap(([from, to]): [string, string][] =>
      typeof to === "string" ? [[from, join(folder, to) ?? to]] : [],
    );
    return { path: path ?? findSummary(survey, folder), redirects: new Map(redirects) };
  }
  return null;
}
