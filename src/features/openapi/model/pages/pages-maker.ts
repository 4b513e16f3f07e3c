// Making pages of specifications in a thread, with limits of time and memory.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { MadeContent } from "#src/features/content/model/computed.ts";
import type { Asked } from "#src/features/openapi/model/pages/made-pages.ts";

/** Far more than any specification needs that was not made to be slow. */
const timeLimit = 60_000;

const pool = new ThreadPool<Asked, MadeContent>(new URL("pages-worker.ts", import.meta.url), {
  threads: 1,
  megabytes: 1024,
});

/**
 * What a page is to become. Where the descriptions of the specification take too long to be read, they are shown as
 * plain texts; where all of it takes too long, or too much memory, the page says so.
 */
export async function makeInThread(asked: Omit<Asked, "parses">): Promise<MadeContent> {
  for (const parses of [true, false]) {
    const { answers } = await pool.run([{ ...asked, parses }], timeLimit);
    if (answers[0]) return answers[0];
  }
  return { made: asked.made, text: "*The specification is too large for pages to be made of it.*", pages: [] };
}
