// The pages of this documentation in their order: README.md, then the pages that its table of documentation names.
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export interface DocPage {
  /** The name of its file without `.md`, such as `getting-started`; null for README.md. */
  readonly name: string | null;
  readonly path: `/docs${string}`;
  /** The path of its file from the root of the project. */
  readonly file: string;
  readonly title: string;
  /** Its content in a few words; empty if unknown. */
  readonly about: string;
}

interface DocGroup {
  /** The readers of its pages. */
  readonly title: string;
  readonly pages: readonly DocPage[];
}

export interface Navigation {
  readonly start: DocPage;
  readonly groups: readonly DocGroup[];
  /** All pages in their order, with the start. */
  readonly pages: readonly DocPage[];
}

const root = new URL("../../", import.meta.url);

/** The absolute path of a file of the documentation. */
export const pathOfDoc = ({ file }: Pick<DocPage, "file">): string => fileURLToPath(new URL(file, root));

/** The text of a page as Markdown. */
export const readDoc = (page: Pick<DocPage, "file">): Promise<string> => readFile(pathOfDoc(page), "utf8");

const start: DocPage = {
  name: null,
  path: "/docs",
  file: "README.md",
  title: "Overview",
  about: "docgraph in one page.",
};

/** Reads the navigation. A page that the table does not name follows in a last group. */
export async function readNavigation(): Promise<Navigation> {
  const files = new Set((await readdir(new URL("src/docs/", root))).filter((name) => name.endsWith(".md")));
  const groups = new Map<string, DocPage[]>();
  const add = (group: string, page: DocPage) => groups.set(group, [...(groups.get(group) ?? []), page]);
  for (const { group, file, title, about } of rowsOf(await readDoc(start)))
    if (files.delete(file)) add(group, pageOf(file, title, about));
  for (const file of [...files].toSorted())
    add("Further pages", pageOf(file, titleOf(await readDoc({ file: `src/docs/${file}` })), ""));
  const all = Array.from(groups, ([title, pages]) => ({ title, pages }));
  return { start, groups: all, pages: [start, ...all.flatMap(({ pages }) => pages)] };
}

const pageOf = (file: string, title: string, about: string): DocPage => {
  const name = file.replace(/\.md$/, "");
  return { name, path: `/docs/${name}`, file: `src/docs/${file}`, title, about };
};

/** The rows of the table below the heading Documentation; an empty first cell repeats the one above it. */
function* rowsOf(readme: string) {
  const [, section = ""] = /^## Documentation\n([^]*?)(?=^## |(?![^]))/m.exec(readme) ?? [];
  let group = "Documentation";
  for (const line of section.split("\n")) {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, title = "", file = ""] = /\[([^\]]+)\]\((?:\.\/)?src\/docs\/([\w-]+\.md)\)/.exec(cells[2] ?? "") ?? [];
    if (file === "") continue;
    if (cells[1]) group = plain(cells[1]);
    yield { group, file, title: plain(title), about: plain(cells[3] ?? "") };
  }
}

const titleOf = (text: string): string => plain(/^# (.+)$/m.exec(text)?.[1] ?? "Untitled");

/** Without the marks of emphasis and code. */
const plain = (text: string): string => text.replaceAll(/[*`\\]/g, "");
