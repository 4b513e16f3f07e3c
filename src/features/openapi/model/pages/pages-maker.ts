// Makes pages of specifications in a thread, with limits of time and memory.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { MadeContent } from "#src/features/content/model/computed.ts";
import type { PagesTask } from "#src/features/openapi/model/pages/make-pages.ts";

/** In milliseconds: far more than any harmless specification needs. */
const timeLimit = 60_000;

const pool = new ThreadPool<PagesTask, MadeContent>(new URL("make-pages.ts", import.meta.url), {
  threads: 1,
  megabytes: 1024,
});

/**
 * The content of a page. If the descriptions take too long to be parsed they are written as plain text; if even that
 * takes too much time or memory, the page says so.
 */
export async function makeInThread(asked: Omit<PagesTask, "parses">): Promise<MadeContent> {
  for (const parses of [true, false]) {
    const { answers } = await pool.run([{ ...asked, parses }], timeLimit);
    if (answers[0]) return answers[0];
  }
  return { made: asked.made, text: "*The specification is too large for pages to be made of it.*", pages: [] };
}
