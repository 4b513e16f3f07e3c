// Taking pages apart and putting them together in a thread: a text that was made to be slow holds up nothing else.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { Filled, PageText, Segment } from "#src/features/translations/model/segments.ts";

/** A page to be taken apart, or with translations to be put together. */
export interface PageTask {
  readonly page: PageText;
  readonly translations?: readonly (string | null)[];
}

const pool = new ThreadPool<PageTask, readonly Segment[] | Filled>(new URL("page-worker.ts", import.meta.url), {
  threads: 1,
  megabytes: 768,
});

/** Many times what prose takes on a slow machine. */
const defaultTimeLimit = 30_000;

/** The segments of a page; null for one that takes too much time (`timeLimit`, in milliseconds) or memory. */
export async function takeApart(page: PageText, timeLimit = defaultTimeLimit): Promise<readonly Segment[] | null> {
  const { answers } = await pool.run([{ page }], timeLimit);
  return (answers[0] as readonly Segment[] | undefined) ?? null; // the answer to such a task
}

/** The page with translations in it, as `fill` answers; null when that takes too much time or memory. */
export async function putTogether(
  page: PageText,
  translations: readonly (string | null)[],
  timeLimit = defaultTimeLimit,
): Promise<Filled | null> {
  const { answers } = await pool.run([{ page, translations }], timeLimit);
  return (answers[0] as Filled | undefined) ?? null; // the answer to such a task
}
