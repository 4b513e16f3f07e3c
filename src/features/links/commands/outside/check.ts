// A bounded run of the job that checks external URLs for organizations that turned the check on.
import { removeOlder } from "#src/db/maintenance/remove-rows.ts";
import { type DueAddress, findDue } from "#src/features/links/commands/outside/due.ts";
import { Hosts } from "#src/features/links/commands/outside/hosts.ts";
import { judge } from "#src/features/links/model/outside.ts";
import type { JobContext } from "#src/jobs/job.ts";

/** Limits of a run: URLs in total and per host, concurrent hosts, and duration in milliseconds. */
const limits = { all: 500, ofHost: 20, hosts: 8, milliseconds: 5 * 60_000 };

/** Allows one run at a time across all gateways: a session lock, released with the connection at the latest. */
const lock = `select pg_try_advisory_lock(hashtextextended('check outside links', 0)) as "isFree"`;
const unlock = "select pg_advisory_unlock(hashtextextended('check outside links', 0))";

/** Checks due URLs and stores each finding immediately. Returns their number; 0 while another run is active. */
export async function checkOutsideLinks(
  context: Pick<JobContext, "database" | "fetch" | "clock">,
  of: Partial<typeof limits> = {},
): Promise<number> {
  const { database, fetch, clock } = context;
  const client = await database.pool.connect();
  try {
    const { rows } = await client.query<{ isFree: boolean }>(lock);
    if (!rows[0]?.isFree) return 0;
    const { all, ofHost, hosts: atOnce, milliseconds } = { ...limits, ...of };
    const failed = new AbortController();
    const signal = AbortSignal.any([AbortSignal.timeout(milliseconds), failed.signal]);
    const hosts = new Hosts(fetch, signal);
    const byHost = [...Map.groupBy(await findDue(database, { now: clock.now(), all, ofHost }), hostOf).values()];
    const counts: number[] = [];
    const work = async (): Promise<void> => {
      for (let some = byHost.shift(); some; some = byHost.shift())
        counts.push(await checkHost(context, { hosts, signal, some }));
    };
    // A failing worker aborts the others before the lock is released.
    const workers = Array.from({ length: atOnce }, () => work().catch((error: unknown) => failed.abort(error)));
    await Promise.all(workers);
    failed.signal.throwIfAborted();
    await forget(context);
    await client.query(unlock);
    return counts.reduce((sum, count) => sum + count, 0);
  } finally {
    client.release(true);
  }
}

const hostOf = ({ url }: DueAddress): string => URL.parse(url)?.hostname ?? "";

/** Checks the URLs of a host sequentially. If the host does not respond, the rest waits for the next run. */
async function checkHost(
  { database, clock }: Pick<JobContext, "database" | "clock">,
  { hosts, signal, some }: { hosts: Hosts; signal: AbortSignal; some: readonly DueAddress[] },
): Promise<number> {
  let checked = 0;
  for (const { url, before } of some) {
    if (signal.aborted) break;
    const finding = await hosts.check(url).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (!finding) break;
    const found = judge(before, finding, clock.now());
    await database.prisma.outsideAddress.upsert({ where: { url }, create: { url, ...found }, update: found });
    checked++;
    if (finding.isTransient) break;
  }
  return checked;
}

/** Deletes URLs that were due for a week without a check: no relevant text links to them. */
async function forget({ database, clock }: Pick<JobContext, "database" | "clock">): Promise<void> {
  const weekAgo = new Date(clock.now().getTime() - 7 * 24 * 60 * 60_000);
  await removeOlder(database, { table: "OutsideAddress", column: "dueAt", before: weekAgo });
}
