// A machine clock eight days ahead: times come from the database, the log and /readyz report it, and nothing is deleted
// by age.
import { TestClock } from "pg-boss";
import { pino } from "pino";
import { expect, test } from "vitest";
import { DatabaseClock } from "#src/db/connection/database-clock.ts";
import { trimOutbox } from "#src/events/segments.ts";
import { features } from "#src/features/index.ts";
import { startJobs } from "#src/jobs/start-jobs.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { testApp, useApp } from "#test/support/app.ts";

// On its own database: /readyz reports on the whole database.
const { app, world } = await useApp({ own: true });
const dayMs = 86_400_000;

interface Line {
  msg: string;
  level: number;
  job?: string;
  aheadSeconds?: number;
}

function logged() {
  const lines: Line[] = [];
  return { lines, log: pino({}, { write: (line) => void lines.push(JSON.parse(line) as Line) }) }; // pino's form
}

test("ignores a clock eight days ahead, and logs once when it is wrong and when it is right again", async () => {
  const { lines, log } = logged();
  let aheadMs = 8 * dayMs;
  const clock = new DatabaseClock({ database: app.database, log, machine: () => Date.now() + aheadMs });
  await using other = await testApp({ beside: app, clock });
  await clock.look();
  const { admin, organization } = await world.organization();
  const space = await world.insert((rows) => addSpace(rows, { organizationId: organization.id }));
  const before = Date.now();
  const remove = `mutation ($spaceId: ID!) { deleteSpace(input: { spaceId: $spaceId }) { deletedId } }`;
  await other.as(admin.token).query(remove, { spaceId: space.id });
  const { deletedAt } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } });
  expect(Math.abs((deletedAt?.getTime() ?? 0) - before)).toBeLessThan(dayMs);
  const ready = async () => (await fetch(`${other.url}/readyz`)).json();
  const ahead = 8 * 24 * 3600;
  expect(await ready()).toEqual({ status: "ok", clock: { aheadSeconds: ahead } });
  aheadMs = 100;
  await clock.look();
  await clock.look();
  await expect.poll(ready).toEqual({ status: "ok" }); // a response is cached briefly
  expect(lines.map(({ level, msg, aheadSeconds }) => [level, msg, aheadSeconds])).toEqual([
    [50, "the clock of this machine differs from the database's: nothing is deleted by age", ahead],
    [30, "the clock of this machine agrees with the database's again", 0],
  ]);
});

test("skips jobs that delete by age while the clock is wrong, and runs the others", async () => {
  const { lines, log } = logged();
  let aheadMs = 8 * dayMs;
  const machine = () => Date.now() + aheadMs;
  const clock = new DatabaseClock({ database: app.database, log, machine });
  const { organization } = await world.organization();
  const deletedAt = new Date(Date.now() - 180_000);
  const space = await world.insert((rows) => addSpace(rows, { organizationId: organization.id, deletedAt }));
  const timers = new TestClock(new Date("2026-03-02T11:59:30Z"));
  const jobs = [trimOutbox, ...features.flatMap((feature) => feature.jobs ?? [])];
  const chosen = jobs.filter(({ name }) => ["space.purge", "content.derive"].includes(name));
  const never = () => Promise.reject(new Error("no job here asks for anything"));
  const running = await startJobs({
    url: app.databaseUrl,
    database: app.database,
    files: app.files,
    fetch: never,
    readTxtRecords: never,
    clock: { now: () => new Date(machine()) },
    log,
    jobs: chosen,
    schedulerClock: timers,
    isTimeRight: () => clock.look(),
  });
  await timers.tick(60_000);
  const told = () => lines.filter(({ job }) => job).map(({ job, msg }) => `${job}: ${msg}`);
  const patience = { timeout: 10_000 }; // a job may end long after the tick that starts it
  await expect
    .poll(() => new Set(told()), patience)
    .toEqual(new Set(["content.derive: job done", "space.purge: job skipped: the clock is wrong"]));
  expect(await app.database.prisma.space.count({ where: { id: space.id } })).toBe(1);
  aheadMs = 0;
  await timers.setTime(new Date("2026-03-02T12:59:30Z"));
  await timers.tick(60_000);
  await expect.poll(told, patience).toContain("space.purge: job done");
  await running.stop();
  expect(jobs.flatMap(({ name, removesByAge }) => (removesByAge ? name : [])).toSorted()).toEqual([
    "audit.trim",
    "content.collect",
    "integrationEvents.trim",
    "invitation.remove",
    "oidcUse.forget",
    "outbox.trim",
    "samlAnswer.forget",
    "session.remove",
    "space.purge",
    "translation.trim",
  ]);
});
