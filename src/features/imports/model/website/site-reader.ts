// Reading pages of sites in a thread, with limits: HTML can be made to keep its readers busy for hours.
import { ThreadPool } from "#src/base/threads.ts";
import type { AskedPage } from "#src/features/imports/model/website/site-page.ts";
import type { SiteAnswer } from "#src/features/imports/model/website/site-worker.ts";

const pool = new ThreadPool<AskedPage, SiteAnswer>(new URL("site-worker.ts", import.meta.url), {
  threads: 1,
  megabytes: 512,
});

/** Far more than any page needs that was not made to be slow. */
const defaultTimeLimit = 20_000;

/** Reads a page, or says why it cannot be read. `timeLimit` is in milliseconds. */
export async function readPageOfSite(page: AskedPage, timeLimit: number = defaultTimeLimit): Promise<SiteAnswer> {
  const { answers, ended } = await pool.run([page], timeLimit);
  return answers[0] ?? { problem: `It takes too ${ended === "out of time" ? "long" : "much memory"} to be read.` };
}
