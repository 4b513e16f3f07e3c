// What an import reads out of a text, and how: untrusted texts in a thread of their own, our own texts in this thread.
import { readPageText } from "#src/features/imports/model/page-text.ts";
import { readSummary } from "#src/features/imports/model/summary.ts";

export const tasks = { page: readPageText, summary: readSummary };

type Tasks = typeof tasks;
export type Task = keyof Tasks;
export type Result<Name extends Task> = ReturnType<Tasks[Name]>;

export interface TextReader {
  /** Reads the text of the file at `path`. */
  read<Name extends Task>(task: Name, path: string, text: string): Promise<Result<Name>>;
}

/** Reads in this thread, each text once: only for texts that come with docgraph, others could block it for hours. */
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
