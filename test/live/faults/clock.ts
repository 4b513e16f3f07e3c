// A gateway with a wrong clock: it runs under `faketime`, if that is installed.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import type { Outcome } from "#test/live/faults/scene.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { ask, makeDataFolder, startDocgraph } from "#test/support/docgraph-process.ts";

/** Eight days ahead: a space deleted three minutes ago is kept, and the start logs that the clock differs. */
export async function aheadByDays(): Promise<Outcome> {
  const library = await promisify(execFile)("sh", ["-c", "find /usr/lib -name 'libfaketimeMT.so.1' | head -1"]);
  const preload = library.stdout.trim();
  if (!preload) return { figures: "skipped: faketime is not installed", passes: true };
  await using postgres = await startOwnPostgres();
  const data = await makeDataFolder();
  const liveWorld = await makeLiveWorld(postgres.pool);
  const { rows } = await postgres.pool.query<{ id: string }>(
    `update "Space" set "deletedAt" = now() - interval '3 minutes' where id = $1 returning id`,
    [liveWorld.spaces[0]],
  );
  await postgres.pool.query(`insert into "OutboxEvent" (type, "subjectId") values ('space.deleted', $1)`, [
    rows[0]?.id,
  ]);
  const gateway = startDocgraph({
    env: {
      ...data.env,
      DATABASE_URL: postgres.url,
      LD_PRELOAD: preload,
      FAKETIME: "+8d",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
  });
  const { url } = await gateway.ready();
  await ask(url, liveWorld.token, "{ viewer { id } }");
  const queue = `select from pgboss.queue where name = 'outbox.trim'`;
  const isThere = () =>
    postgres.pool.query(queue).then(
      ({ rowCount }) => rowCount === 1,
      () => false,
    );
  while (!(await isThere())) await wait(100);
  for (const name of ["space.purge", "outbox.trim"])
    await postgres.pool.query(`insert into pgboss.job (name, data) values ($1, '{}')`, [name]);
  const unfinished = `select from pgboss.job where name in ('space.purge', 'outbox.trim') and state in ('created', 'active', 'retry')`;
  for (const end = Date.now() + 60_000; (await postgres.pool.query(unfinished)).rowCount && Date.now() < end;)
    await wait(200);
  const space = await postgres.pool.query(`select from "Space" where id = $1`, [liveWorld.spaces[0]]);
  const event = await postgres.pool.query(`select from "OutboxEvent" where type = 'space.deleted'`);
  const health = (await (await fetch(`${url}/readyz`)).json()) as object;
  gateway.signal("SIGTERM");
  await gateway.ended;
  await data.remove();
  const isKept = space.rowCount === 1 && event.rowCount === 1;
  const figures = `the space and its event are ${isKept ? "kept" : "deleted"}; /readyz says ${JSON.stringify(health)}`;
  return { figures, passes: isKept && "clock" in health };
}
