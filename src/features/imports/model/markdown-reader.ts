// A Markdown reader in a thread with a time limit: an adversarial text can keep the parser busy for hours.
import { invalidInput } from "#src/base/errors.ts";
import { ThreadPool } from "#src/runtime/threads.ts";
import type { Result, Task, TextAnswer, TextReader, TextTask } from "#src/features/imports/model/text-reader.ts";

export class MarkdownReader implements TextReader {
  readonly #timeLimit: number;
  readonly #pool = new ThreadPool<TextTask, TextAnswer>(new URL("text-reader.ts", import.meta.url), {
    threads: 1,
    megabytes: 1024,
    needs: (tasks) => 48 + Math.max(0, ...tasks.map(({ text }) => text.length)) / 4_000,
  });

  /** `timeLimit` is in milliseconds for each text. */
  constructor(timeLimit: number) {
    this.#timeLimit = timeLimit;
  }

  /** INVALID_INPUT with the name of the file if it takes too much time or memory, or is nested too deeply. */
  async read<Name extends Task>(task: Name, path: string, text: string): Promise<Result<Name>> {
    const { answers, ended } = await this.#pool.run([{ task, path, text }], this.#timeLimit);
    const [answer] = answers;
    if (!answer)
      throw invalidInput(path, `takes too ${ended === "out of time" ? "long" : "much memory"} to parse as Markdown.`);
    if ("problem" in answer) throw invalidInput(path, answer.problem);
    return answer.result as Result<Name>; // the result of this task
  }
}

/** The reader of this process, shared by all imports. */
export const markdownReader = new MarkdownReader(20_000); // far more than any harmless text needs
