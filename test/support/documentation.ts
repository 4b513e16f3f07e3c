// The documentation as it is printed: README.md and the pages that its table lists, with their blocks of code.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const project: string = fileURLToPath(new URL("../..", import.meta.url));

export interface Page {
  /** Below the project. */
  readonly path: string;
  readonly text: string;
}

/** A fenced block of code; `answer` is what is printed for it, in a block of JSON or text right below. */
export interface Block {
  readonly language: string;
  readonly code: string;
  readonly answer: Omit<Block, "answer"> | undefined;
}

/** Throws an error where there is no such page. */
export function readPage(path: string): Page {
  return { path, text: readFileSync(new URL(path, `file://${project}`), "utf8") };
}

/** The targets of the README's table of pages, in its order. */
export function listedPages(): string[] {
  const [, section = ""] = readPage("README.md").text.split("\n## Documentation\n");
  const [table = ""] = section.split("\n## ");
  return [...table.matchAll(/^\|[^|]*\| \[[^\]]+\]\(([^)]+)\)/gm)].map(([, target = ""]) => target);
}

const fence = /^```(\w*)\n(.*?)^```$/gms;
const fenceRightBelow = /^\n+```(json|text)\n(.*?)^```$/ms;

/** README.md and the pages that it lists, in that order, without those that do not exist. */
export const readPages = (): Page[] =>
  ["README.md", ...listedPages()].filter((path) => existsSync(`${project}${path}`)).map(readPage);

export function blocksOf({ text }: Page): Block[] {
  return [...text.matchAll(fence)].map(({ 0: whole, 1: language = "", 2: code = "", index }) => {
    const [below, kind = "", printed = ""] = fenceRightBelow.exec(text.slice(index + whole.length)) ?? [];
    const isAnswered = language === "sh" && below !== undefined && text.startsWith(below, index + whole.length);
    return { language, code, answer: isAnswered ? { language: kind, code: printed } : undefined };
  });
}

/** The code of the blocks of a language on a page. */
export const codeOf = (page: Page, language: string): string[] =>
  blocksOf(page).flatMap((block) => (block.language === language ? block.code : []));

/** The anchors of the headings of a page, as forges make them. */
export function anchorsOf({ text }: Page): string[] {
  const prose = text.replaceAll(fence, "");
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
}

/** The targets of the links of a page that lead to files of the project or to headings. */
export function relativeLinks({ text }: Page): string[] {
  const prose = text.replaceAll(fence, "").replaceAll(/`[^`\n]*`/g, "``");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target).filter(isRelative);
}

const isRelative = (target: string) => !/^(?:[a-z]+:|\/)/.test(target);
