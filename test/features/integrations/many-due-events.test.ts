// The statement that claims installations, with many pending events and the statistics of an empty table. At the small
// size a tenth of the events.
import { expect, test } from "vitest";
import { sql } from "#src/db/connection/database.ts";
import { nextDueEvents } from "#src/features/integrations/commands/runs/deliver.ts";
import { addInstallation, addIntegration } from "#test/features/integrations/factory.ts";
import { useApp } from "#test/support/app.ts";
import { workOfStatement } from "#test/support/plans.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const now = new Date("2036-03-02T12:00:00Z");
const later = new Date("2036-03-02T13:00:00Z");
// Has its own database: checks the plan over a table of a known size.
const { app, world } = await useApp({ own: true, clock: { now: () => now } });
const { database } = app;
const lease = { lease: "one", leaseUntil: later };
const pending = sized(10_000, 100_000);

/** Releases the installations of a lease, as the end of a delivery does. */
const release = ({ lease: key }: { lease: string }) =>
  database.query(sql`update "IntegrationInstallation" set lease = null, "leaseUntil" = null where lease = ${key}`);

/** Runs {@link nextDueEvents} under `explain analyze` with the generic plan, and returns the rows that it touches. */
async function countTouchedRows(at: Date): Promise<number> {
  let touched = 0;
  const query: typeof database.query = async ({ text, values }) => {
    touched = (await workOfStatement(database, text, values)).rows;
    return [];
  };
  await nextDueEvents({ query }, { now: at, lease, most: 1 });
  await release(lease);
  return touched;
}

test("claiming an installation reads some hundred rows with many pending events, whatever the statistics", async () => {
  const { organization } = await world.organization();
  const organizationId = organization.id;
  const [busy, late] = await world.insert((rows) =>
    times(2, () => {
      const { id: integrationId } = addIntegration(rows, { organizationId });
      return addInstallation(rows, { integrationId, organizationId });
    }),
  );
  if (!busy || !late) throw new Error("There are two installations.");
  await database.query(sql`alter table "IntegrationEvent" set (autovacuum_enabled = false)`);
  await database.query(sql`analyze "IntegrationEvent"`);
  // The first event of `late` waits for its next try; all others are due.
  await database.query(sql`
    insert into "IntegrationEvent" (id, "installationId", type, sequence, "nextTryAt")
    select 'event ' || n, case when n % 2 = 0 then ${busy.id} else ${late.id} end, 'comment_created', n,
      case when n = 1 then ${later.toISOString()}::timestamptz else ${now.toISOString()}::timestamptz end
    from generate_series(1, ${pending}::int) n`);

  expect(await countTouchedRows(now)).toBeLessThan(500);
  expect(await countTouchedRows(later)).toBeLessThan(500);
  const due = await nextDueEvents(database, { now, lease, most: 10 });
  expect(due.map(({ id }) => id)).toEqual(times(50, (index) => `event ${2 * (index + 1)}`));
  await release(lease);
  const first = await nextDueEvents(database, { now: later, lease, most: 1 });
  expect(first.map(({ id }) => id)).toEqual(times(50, (index) => `event ${2 * index + 1}`));
});
