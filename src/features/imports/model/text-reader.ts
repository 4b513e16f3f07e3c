// Readers of imported texts: for trusted texts in this thread, for others in the threads of markdown-reader.ts.
import type { PageFields } from "#src/features/content/model/page.ts";
import { convertDialects } from "#src/features/imports/model/dialects/convert.ts";
import { lineCounter } from "#src/features/imports/model/dialects/edits.ts";
import { readFrontMatter, readYamlFile } from "#src/features/imports/model/front-matter.ts";
import { readMarkdown, type TextLink } from "#src/features/imports/model/markdown.ts";
import { noMeta, type PageMeta } from "#src/features/imports/model/page-meta.ts";
import { longestSource, readModule, readToml } from "#src/features/imports/model/repositories/plain-data.ts";
import { readSummary } from "#src/features/imports/model/summary.ts";
import { serveTasks } from "#src/runtime/threads.ts";

export interface PageText {
  /** From the front matter. */
  readonly title: string | null;
  readonly heading: string | null;
  readonly cover: { readonly url: string; readonly yPos: number | undefined } | null;
  readonly fields: PageFields;
  readonly meta: PageMeta;
  /** The start of the text of the page in the file. */
  readonly start: number;
  /** The text of the page if it was converted from another dialect; null if it is that of the file. */
  readonly converted: string | null;
  /** Positions refer to the text of the page, lines to the file. */
  readonly links: readonly TextLink[];
  readonly problems: readonly PageProblem[];
}

type PageProblem = { readonly line: number; readonly message: string; readonly isConversion: boolean };

function readPageText(file: string, path: string): PageText {
  const { title = null, cover, coverY, fields, meta, end, isText, problems: settings } = readFrontMatter(file);
  const start = isText ? 0 : end;
  const body = file.slice(end);
  const lineIn = lineCounter(file);
  const converted = convertDialects(path, body);
  const { heading, links } = readMarkdown(converted?.text ?? body, { names: true });
  const linesBefore = file.slice(0, end).split("\n").length - 1;
  const lineOf = (link: TextLink) =>
    converted ? lineIn(end + converted.oldOffset(link.start)) : link.line + linesBefore;
  const inFile = (link: TextLink): TextLink => ({
    ...link,
    start: link.start + end - start,
    end: link.end + end - start,
    line: lineOf(link),
  });
  const problems = [
    ...settings.map((message) => ({ line: 1, message, isConversion: false })),
    ...(converted?.edits ?? []).flatMap(({ start: at, warning }) =>
      warning ? { line: lineIn(end + at + 1), message: warning, isConversion: true } : [],
    ),
  ];
  const picture = cover === undefined ? null : { url: cover, yPos: coverY };
  const text = converted && file.slice(start, end) + converted.text;
  return { title, heading, cover: picture, fields, meta, start, converted: text, links: links.map(inFile), problems };
}

/** A page that was made by docgraph, such as one of a website: it has no dialects and no front matter of others. */
function readPlainText(file: string): PageText {
  const { heading, links } = readMarkdown(file, { names: false });
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

/** The value of a configuration file; null for one that cannot be read. */
function readData(source: string, path: string): unknown {
  if (source.length > longestSource) return null;
  if (/\.toml$/i.test(path)) return readToml(source);
  return /\.(?:ya?ml|pages)$/i.test(path) ? readYamlFile(source) : readModule(source);
}

const tasks = { page: readPageText, plain: readPlainText, summary: readSummary, data: readData };

type Tasks = typeof tasks;
export type Task = keyof Tasks;
export type Result<Name extends Task> = ReturnType<Tasks[Name]>;

export interface TextReader {
  read<Name extends Task>(task: Name, path: string, text: string): Promise<Result<Name>>;
}

/** Reads trusted texts in this thread, each once: adversarial texts could block it for hours. */
export function trustingReader(): TextReader {
  const results = new Map<string, unknown>();
  return {
    async read<Name extends Task>(task: Name, path: string, text: string) {
      const key = `${task} ${path} ${text}`;
      const result = (results.get(key) ?? tasks[task](text, path)) as Result<Name>; // of this task
      results.set(key, result);
      return result;
    },
  };
}

export type TextAnswer = { readonly result: unknown } | { readonly problem: string };
export type TextTask = { readonly task: Task; readonly path: string; readonly text: string };

serveTasks(({ task, path, text }: TextTask): TextAnswer => {
  try {
    return { result: tasks[task](text, path) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: "is nested too deeply." }; // the call stack is full
    throw error;
  }
});
