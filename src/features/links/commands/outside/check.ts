// Looking at addresses outside, for the organizations that want it: a bounded run of the job.
import { type DueAddress, findDue } from "#src/features/links/commands/outside/due.ts";
import { Hosts } from "#src/features/links/commands/outside/hosts.ts";
import { judge } from "#src/features/links/model/outside.ts";
import type { JobContext } from "#src/jobs/job.ts";

/** A run: the most addresses, and of a host, the most hosts that are asked at once, and milliseconds in all. */
const limits = { all: 500, ofHost: 20, hosts: 8, milliseconds: 5 * 60_000 };

/** One run at a time, on any number of gateways: a lock that ends with the connection at the latest. */
const lock = `select pg_try_advisory_lock(hashtextextended('check outside links', 0)) as "isFree"`;
const unlock = "select pg_advisory_unlock(hashtextextended('check outside links', 0))";

/** Checks addresses that are due, and stores each finding at once. Answers how many; 0 while another run goes on. */
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
    // Whoever fails ends the others, too, before the lock is free.
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

/** Looks at the addresses of a host, one by one. Those of one that does not answer wait for the next run. */
async function checkHost(
  { database, clock }: Pick<JobContext, "database" | "clock">,
  { hosts, signal, some }: { hosts: Hosts; signal: AbortSignal; some: readonly DueAddress[] },
): Promise<number> {
  let looked = 0;
  for (const { url, before } of some) {
    if (signal.aborted) break;
    const finding = await hosts.lookAt(url).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (!finding) break;
    const found = judge(before, finding, clock.now());
    await database.prisma.outsideAddress.upsert({ where: { url }, create: { url, ...found }, update: found });
    looked++;
    if (finding.mayPass) break;
  }
  return looked;
}

/** Removes addresses that were due for a week without a check: no text of interest links there. */
async function forget({ database, clock }: Pick<JobContext, "database" | "clock">): Promise<void> {
  const weekAgo = new Date(clock.now().getTime() - 7 * 24 * 60 * 60_000);
  await database.prisma.outsideAddress.deleteMany({ where: { dueAt: { lt: weekAgo } } });
}
