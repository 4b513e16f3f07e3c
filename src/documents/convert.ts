// Converts texts from outside in threads, so that a long or hostile one does not block the process.
import { DomainError, type ErrorCode, type ErrorDetail } from "#src/base/errors.ts";
import { ThreadPool } from "#src/runtime/threads.ts";

/** Markdown to the JSON text of its document, or the other way round; `path` is where the document is in the input. */
export interface Conversion {
  readonly to: "document" | "markdown";
  readonly text: string;
  readonly path?: string;
}

/** The outcome of a conversion, as threads send it. */
export type ConversionAnswer =
  | { readonly text: string }
  | { readonly refusal: { code: ErrorCode; message: string; details: readonly ErrorDetail[] | undefined } };

/** The text, or why there is none; undefined for one that was not tried, since those before it took all the time. */
export type Converted = string | DomainError | undefined;

/** The longest page takes a third of the memory. */
const pool = new ThreadPool<Conversion, ConversionAnswer>(new URL("convert-thread.ts", import.meta.url), {
  threads: 2,
  megabytes: 768,
});

/** Many times what prose takes on a slow machine: only texts made to take very long reach it. */
const timeLimit = { milliseconds: 5_000, perThousand: 30 } as const;

/**
 * Converts texts in order within one time limit. A text that fails gives INVALID_INPUT; exceeding time or memory ends
 * the job, and the rest are undefined.
 */
export async function convert(conversions: readonly Conversion[]): Promise<readonly Converted[]> {
  if (conversions.length === 0) return [];
  const length = conversions.reduce((sum, { text }) => sum + text.length, 0);
  const milliseconds = timeLimit.milliseconds + Math.ceil((length * timeLimit.perThousand) / 1000);
  const { answers, ended } = await pool.run(conversions, milliseconds);
  const converted: Converted[] = answers.map((answer) => ("text" in answer ? answer.text : refusalOf(answer)));
  if (ended !== "all done")
    converted.push(
      new DomainError(
        "INVALID_INPUT",
        "This text takes too much time or memory to be converted: make it shorter or simpler.",
      ),
    );
  return conversions.map((_, index) => converted[index]);
}

function refusalOf({
  refusal: { code, message, details },
}: Extract<ConversionAnswer, { refusal: unknown }>): DomainError {
  return new DomainError(code, message, details);
}
