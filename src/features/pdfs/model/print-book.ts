// Makes PDFs in a thread, with limits of time and memory.
import { DomainError } from "#src/base/errors.ts";
import { ThreadPool } from "#src/runtime/threads.ts";
import type { Book } from "#src/features/pdfs/model/book.ts";
import type { PdfAnswer } from "#src/features/pdfs/model/pdf-worker.ts";

/** One at a time: the other processors are for everything else. The longest books take some hundred megabytes. */
const pool = new ThreadPool<Book, PdfAnswer>(new URL("pdf-worker.ts", import.meta.url), {
  threads: 1,
  spare: 0,
  megabytes: 1536,
  youngMegabytes: 64,
});

const defaultTimeLimitMs = 60_000;

/** The PDF of a book. TOO_LARGE for one that takes too much time or memory, or has a text that cannot be read. */
export async function printBook(book: Book, timeLimitMs: number = defaultTimeLimitMs): Promise<Uint8Array> {
  const { answers, ended } = await pool.run([book], timeLimitMs);
  const [answer] = answers;
  if (answer && "pdf" in answer) return answer.pdf;
  const what = ended === "out of time" ? `more than ${timeLimitMs / 1000} seconds` : "too much memory";
  const problem = answer ? answer.problem : `It takes ${what} to make the PDF: ask for a part of it by \`page\`.`;
  throw new DomainError("TOO_LARGE", problem);
}
