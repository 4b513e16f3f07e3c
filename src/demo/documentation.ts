// The documentation of docgraph as files of a story, and a reader for them that is much faster than the parser: the
// start of the demo does not wait for it.
import { readDoc, readNavigation } from "#src/docs/navigation.ts";
import {
  type PageText,
  type Result,
  type Task,
  type TextReader,
  trustingReader,
} from "#src/features/imports/model/text-reader.ts";

/** The folder of a story that has these files. */
export const documentationFolder = "documentation";

/** README.md and the pages, with a table of contents in the order of the navigation. */
export async function documentationFiles(): Promise<Map<string, string>> {
  const { start, groups, pages } = await readNavigation();
  const texts = pages.map(async (page): Promise<[string, string]> => [page.file, await readDoc(page)]);
  const entry = ({ title, file }: typeof start) => `- [${title}](${file})\n`;
  const parts = groups.map(({ title, pages: own }) => `\n## ${title}\n\n${own.map(entry).join("")}`);
  return new Map([...(await Promise.all(texts)), ["SUMMARY.md", `${entry(start)}${parts.join("")}`]]);
}

/** Reads pages of the documentation, which have no front matter, and links between files of these names. */
export function documentationReader(files: Iterable<string>): TextReader {
  const names = new Set(Array.from(files, nameOf));
  const summaries = trustingReader();
  return {
    async read<Name extends Task>(task: Name, path: string, text: string) {
      if (task !== "page") return summaries.read(task, path, text);
      return pageText(text, names) as Result<Name>; // of this task
    },
  };
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Code in fences, and in one line between backticks. */
const code = /^```[^]*?^```|`[^`\n]+`/gm;

function pageText(text: string, names: ReadonlySet<string>): PageText {
  const prose = text.replaceAll(code, (match) => match.replaceAll(/[^\n]/g, " "));
  const links = Array.from(prose.matchAll(/\]\(((?![a-z]+:|[#/])[^\s()]+)\)/g), ({ 1: url = "", index }) => {
    const start = index + "](".length;
    return { url, start, end: start + url.length, line: prose.slice(0, index).split("\n").length };
  });
  return {
    title: null,
    heading: /^# (.+)$/m.exec(prose)?.[1] ?? null,
    cover: null,
    fields: {},
    start: 0,
    links: links.filter(({ url }) => names.has(nameOf(url.replace(/#.*$/, "")))),
    problems: [],
  };
}
