// Reads pages and rules of sites in a thread with time limits: adversarial ones can keep a process busy for hours.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { PageTask, RulesTask, SiteAnswer, SitePage } from "#src/features/imports/model/website/site-page.ts";

const pool = new ThreadPool<PageTask | RulesTask, SiteAnswer>(new URL("site-page.ts", import.meta.url), {
  threads: 1,
  megabytes: 512,
  needs: ([task]) => 64 + (task && "html" in task ? task.html.length / 10_000 : 0), // a tree of elements
});

/** In milliseconds: far more than ordinary pages and rules need. */
const timeLimits = { page: 20_000, addresses: 5_000 } as const;

export async function readPageOfSite(
  page: PageTask,
  timeLimit: number = timeLimits.page,
): Promise<{ readonly page: SitePage } | { readonly problem: string }> {
  const { answers, ended } = await pool.run([page], timeLimit);
  const [answer] = answers;
  if (answer && !("allowed" in answer)) return answer;
  return { problem: `It takes too ${ended === "out of time" ? "long" : "much memory"} to read.` };
}

/** Whether the rules allow each of the URLs; null if that takes too long. */
export async function readAllowed(task: RulesTask): Promise<readonly boolean[] | null> {
  const { answers } = await pool.run([task], timeLimits.addresses);
  const [answer] = answers;
  return answer && "allowed" in answer ? answer.allowed : null;
}
