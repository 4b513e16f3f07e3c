// Segments and fills pages in a thread, with limits of time and memory.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { Filled, PageTask, PageText, Segment } from "#src/features/translations/model/segments.ts";

const pool = new ThreadPool<PageTask, readonly Segment[] | Filled>(new URL("segments.ts", import.meta.url), {
  threads: 1,
  megabytes: 768,
});

/** In milliseconds: many times what prose takes on a slow machine. */
const defaultTimeLimit = 30_000;

/** The segments of a page; null if that takes too much time or memory. */
export async function segmentPage(page: PageText, timeLimit = defaultTimeLimit): Promise<readonly Segment[] | null> {
  const { answers } = await pool.run([{ page }], timeLimit);
  return (answers[0] as readonly Segment[] | undefined) ?? null; // the answer to such a task
}

/** The page with translations, as `fill` returns it; null if that takes too much time or memory. */
export async function fillPage(
  page: PageText,
  translations: readonly (string | null)[],
  timeLimit = defaultTimeLimit,
): Promise<Filled | null> {
  const { answers } = await pool.run([{ page, translations }], timeLimit);
  return (answers[0] as Filled | undefined) ?? null; // the answer to such a task
}
