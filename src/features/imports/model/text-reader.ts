// Readers of imported texts: for trusted texts in this thread, for others in the threads of markdown-reader.ts.
import type { PageFields } from "#src/features/content/model/page.ts";
import { readFrontMatter } from "#src/features/imports/model/front-matter.ts";
import { readMarkdown, type TextLink } from "#src/features/imports/model/markdown.ts";
import { readSummary } from "#src/features/imports/model/summary.ts";
import { serveTasks } from "#src/runtime/threads.ts";

export interface PageText {
  /** From the front matter. */
  readonly title: string | null;
  readonly heading: string | null;
  readonly cover: { readonly url: string; readonly yPos: number | undefined } | null;
  readonly fields: PageFields;
  /** The start of the text of the page in the file. */
  readonly start: number;
  /** Positions refer to the text of the page, lines to the file. */
  readonly links: readonly TextLink[];
  readonly problems: readonly string[];
}

function readPageText(file: string): PageText {
  const { title = null, cover, coverY, fields, end, isText, problems } = readFrontMatter(file);
  const start = isText ? 0 : end;
  const linesBefore = file.slice(0, end).split("\n").length - 1;
  const { heading, links } = readMarkdown(file.slice(end));
  const inFile = (link: TextLink): TextLink => ({
    url: link.url,
    start: link.start + end - start,
    end: link.end + end - start,
    line: link.line + linesBefore,
  });
  const picture = cover === undefined ? null : { url: cover, yPos: coverY };
  return { title, heading, cover: picture, fields, start, links: links.map(inFile), problems };
}

const tasks = { page: readPageText, summary: readSummary };

type Tasks = typeof tasks;
export type Task = keyof Tasks;
export type Result<Name extends Task> = ReturnType<Tasks[Name]>;

export interface TextReader {
  read<Name extends Task>(task: Name, path: string, text: string): Promise<Result<Name>>;
}

/** Reads trusted texts in this thread, each once: adversarial texts could block it for hours. */
export function trustingReader(): TextReader {
  const results = { page: new Map<string, Result<"page">>(), summary: new Map<string, Result<"summary">>() };
  return {
    async read<Name extends Task>(task: Name, _path: string, text: string) {
      const known = results[task] as Map<string, Result<Name>>; // of this task
      const result = known.get(text) ?? (tasks[task](text) as Result<Name>);
      known.set(text, result);
      return result;
    },
  };
}

export type TextAnswer = { readonly result: unknown } | { readonly problem: string };
export type TextTask = { readonly task: Task; readonly text: string };

serveTasks(({ task, text }: TextTask): TextAnswer => {
  try {
    return { result: tasks[task](text) };
  } catch (error) {
    if (error instanceof RangeError) return { problem: "is nested too deeply." }; // the call stack is full
    throw error;
  }
});
