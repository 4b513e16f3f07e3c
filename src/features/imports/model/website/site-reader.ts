// Reading sites in a thread, with limits: HTML, and rules of who may read it, can be made to keep a process busy for
// hours.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { AskedPage, SitePage } from "#src/features/imports/model/website/site-page.ts";
import type { AskedAddresses, SiteAnswer } from "#src/features/imports/model/website/site-worker.ts";

const pool = new ThreadPool<AskedPage | AskedAddresses, SiteAnswer>(new URL("site-worker.ts", import.meta.url), {
  threads: 1,
  megabytes: 512,
});

/** In milliseconds, far more than any page, and the rules for some addresses, need that were not made to be slow. */
const timeLimits = { page: 20_000, addresses: 5_000 } as const;

/** Reads a page, or says why it cannot be read. `timeLimit` is in milliseconds. */
export async function readPageOfSite(
  page: AskedPage,
  timeLimit: number = timeLimits.page,
): Promise<{ readonly page: SitePage } | { readonly problem: string }> {
  const { answers, ended } = await pool.run([page], timeLimit);
  const [answer] = answers;
  if (answer && !("allowed" in answer)) return answer;
  return { problem: `It takes too ${ended === "out of time" ? "long" : "much memory"} to be read.` };
}

/** Which of the addresses the site allows to be read; null for rules that take too long. */
export async function readAllowed(asked: AskedAddresses): Promise<readonly boolean[] | null> {
  const { answers } = await pool.run([asked], timeLimits.addresses);
  const [answer] = answers;
  return answer && "allowed" in answer ? answer.allowed : null;
}
