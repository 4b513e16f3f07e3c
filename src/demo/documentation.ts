// The documentation of docgraph as files of a story, and a reader for them that is much faster than the parser: the
// start of the demo does not wait for it.
import { replaceRanges } from "#src/base/text/forms.ts";
import { readDoc, readNavigation } from "#src/base/documentation.ts";
import { noMeta } from "#src/features/imports/model/page-meta.ts";
import {
  type PageText,
  type Result,
  type Task,
  type TextReader,
  trustingReader,
} from "#src/features/imports/model/text-reader.ts";

/** The folder of a story that has these files. */
export const documentationFolder = "documentation";

/**
 * README.md and the pages, with a table of contents in the order of the navigation. Links to other files and to paths
 * of the gateway become their texts.
 */
export async function documentationFiles(): Promise<Map<string, string>> {
  const { start, groups, pages } = await readNavigation();
  const names = new Set(pages.map(({ file }) => nameOf(file)));
  const texts = pages.map(async (page): Promise<[string, string]> => {
    const text = await readDoc(page);
    return [
      page.file,
      replaceRanges(text, linksIn(text), ({ url, text: label }) => (leadsOut(url, names) ? label : null)),
    ];
  });
  const entry = ({ title, file }: typeof start) => `- [${title}](${file})\n`;
  const parts = groups.map(({ title, pages: own }) => `\n## ${title}\n\n${own.map(entry).join("")}`);
  return new Map([...(await Promise.all(texts)), ["SUMMARY.md", `${entry(start)}${parts.join("")}`]]);
}

const leadsOut = (url: string, names: ReadonlySet<string>): boolean =>
  !/^(?:[a-z]+:|#)/.test(url) && !names.has(nameOf(url.replace(/#.*$/, "")));

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Reads pages of the documentation: they have no front matter, and link as `[text](file.md#anchor)`. */
export function documentationReader(): TextReader {
  const summaries = trustingReader();
  return {
    async read<Name extends Task>(task: Name, path: string, text: string) {
      return task === "page" ? (pageText(text) as Result<Name>) : summaries.read(task, path, text); // of this task
    },
  };
}

/** Code in fences, and in one line between backticks. */
const code = /^```[^]*?^```|`[^`\n]+`/gm;

const withoutCode = (text: string): string => text.replaceAll(code, ({ length }) => " ".repeat(length));

/** The links of a text with their ranges. Code has none. */
const linksIn = (text: string) =>
  Array.from(
    withoutCode(text).matchAll(/\[([^[\]]*)\]\(([^\s()]+)\)/g),
    ({ 0: whole, 1: label = "", 2: url = "", index }) => ({
      start: index,
      end: index + whole.length,
      text: text.slice(index + 1, index + 1 + label.length),
      url,
    }),
  );

function pageText(text: string): PageText {
  const links = linksIn(text).map(({ url, start, end }) => {
    const line = text.slice(0, start).split("\n").length;
    return { url, start: end - 1 - url.length, end: end - 1, line };
  });
  const heading = /^# (.+)$/m.exec(withoutCode(text))?.[1] ?? null;
  return {
    title: null,
    heading,
    cover: null,
    fields: {},
    meta: noMeta,
    start: 0,
    converted: null,
    links,
    problems: [],
  };
}
