// Reading Markdown in a thread, with a time limit: a text can be made to keep the parser busy for hours.
import { invalidInput } from "#src/base/errors.ts";
import { ThreadPool } from "#src/runtime/threads.ts";
import type { Answer, Asked } from "#src/features/imports/model/markdown-worker.ts";
import type { Result, Task, TextReader } from "#src/features/imports/model/text-reader.ts";

/** Reads texts, one after the other, in a thread of its own, which lives as long as the process. */
export class MarkdownReader implements TextReader {
  readonly #timeLimit: number;
  readonly #pool = new ThreadPool<Asked, Answer>(new URL("markdown-worker.ts", import.meta.url), {
    threads: 1,
    megabytes: 1024,
  });

  /** `timeLimit` is how long one text may take, in milliseconds. */
  constructor(timeLimit: number) {
    this.#timeLimit = timeLimit;
  }

  /** Reads the text of a file. INVALID_INPUT, naming it, when that takes too long, too much memory, or is too deep. */
  async read<Name extends Task>(task: Name, path: string, text: string): Promise<Result<Name>> {
    const { answers, ended } = await this.#pool.run([{ task, text }], this.#timeLimit);
    const [answer] = answers;
    if (!answer)
      throw invalidInput(path, `takes too ${ended === "out of time" ? "long" : "much memory"} to be read as Markdown.`);
    if ("problem" in answer) throw invalidInput(path, answer.problem);
    return answer.result as Result<Name>; // the answer of this very task
  }
}

/** The one of this process: imports take turns, text by text, and leave the processors to everything else. */
export const markdownReader = new MarkdownReader(20_000); // far more than any text needs that was not made to be slow
