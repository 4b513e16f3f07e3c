// Claiming due events: those of an installation in order, by one process at a time.
import { expect, test } from "vitest";
import { sql } from "#src/db/connection/database.ts";
import { finishEvent, nextDueEvents } from "#src/features/integrations/commands/runs/deliver.ts";
import { addInstallation, addIntegration, addIntegrationEvent } from "#test/features/integrations/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const now = new Date("2036-03-02T12:00:00Z");
const later = new Date("2036-03-02T13:00:00Z");
// Has its own database: the clock decides which events of the whole database are due.
const { app, world } = await useApp({ own: true, clock: { now: () => now } });
const { database } = app;

const leaseUntil = new Date("2036-03-02T12:00:15Z");
const lease = { lease: "one", leaseUntil };
const other = { lease: "other", leaseUntil };

/** Releases the installations of a lease, as the end of a delivery does. */
const release = ({ lease: key }: { lease: string }) =>
  database.query(sql`update "IntegrationInstallation" set lease = null, "leaseUntil" = null where lease = ${key}`);

const scene = async () => {
  const { organization } = await world.organization();
  return world.insert((rows) => {
    const integration = addIntegration(rows, { organizationId: organization.id });
    const installation = addInstallation(rows, { integrationId: integration.id, organizationId: organization.id });
    const of = { installationId: installation.id };
    const [first, second] = [addIntegrationEvent(rows, of), addIntegrationEvent(rows, of)];
    return { installation, first, second };
  });
};

test("due events of an installation are returned in order to the owner of its lease", async () => {
  const { installation, first, second } = await scene();
  const due = await nextDueEvents(database, { now, lease, most: 10 });
  expect(due.map(({ id }) => id)).toEqual([first.id, second.id]);
  expect(due[0]).toMatchObject({ installationId: installation.id, type: "comment_created", payload: {}, tries: 0 });
  expect(await nextDueEvents(database, { now, lease: other, most: 10 })).toEqual([]);

  const logs = [{ message: "Hello", timestamp: now.toISOString(), level: "info" as const }];
  const outcome = { status: "success" as const, durationMs: 3, logs };
  expect(await finishEvent(database, first, { lease: other.lease, now, outcome })).toBe(false);
  expect(await finishEvent(database, first, { lease: lease.lease, now, outcome })).toBe(true);
  await release(lease);
  const rest = await nextDueEvents(database, { now, lease: other, most: 10 });
  expect(rest.map(({ id }) => id)).toEqual([second.id]);
  await finishEvent(database, second, { lease: other.lease, now, outcome });
  await release(other);
  expect(await nextDueEvents(database, { now, lease, most: 10 })).toEqual([]);
});

test("an event with a later retry delays the due events after it", async () => {
  const { first, second } = await scene();
  await nextDueEvents(database, { now, lease, most: 10 });
  const outcome = { status: "pending" as const, nextTryAt: later, durationMs: 3, logs: [] };
  await finishEvent(database, first, { lease: lease.lease, now, outcome });
  await release(lease);
  expect(await nextDueEvents(database, { now, lease, most: 10 })).toEqual([]);
  const due = await nextDueEvents(database, { now: later, lease, most: 10 });
  expect(due.map(({ id, tries }) => [id, tries])).toEqual([
    [first.id, 1],
    [second.id, 0],
  ]);
});

/** Claims one installation, and ends its first event after some time; returns the installation. */
async function deliverNext(durationMs: number): Promise<string | undefined> {
  const [first] = await nextDueEvents(database, { now, lease, most: 1 });
  const outcome = { status: "success" as const, durationMs, logs: [] };
  if (first) await finishEvent(database, first, { lease: lease.lease, now, outcome });
  await release(lease);
  return first?.installationId;
}

test("13 installations whose events take long leave the turn to one whose events do not", async () => {
  const { organization } = await world.organization();
  const made = await world.insert((rows) =>
    times(14, () => {
      const { id: integrationId } = addIntegration(rows, { organizationId: organization.id });
      return addInstallation(rows, { integrationId, organizationId: organization.id });
    }),
  );
  await world.insert((rows) => {
    for (const { id: installationId } of times(20, () => made).flat()) addIntegrationEvent(rows, { installationId });
  });
  const good = made.at(-1)?.id;
  const begun: (string | undefined)[] = [];
  for (let index = 0; index < 14; index++) begun.push(await deliverNext(index < 13 ? 10_000 : 100));
  expect(begun).toEqual(made.map(({ id }) => id)); // each has a first turn
  const next: (string | undefined)[] = [];
  for (let index = 0; index < 10; index++) next.push(await deliverNext(100));
  expect(next).toEqual(times(10, () => good));
  const [other] = await nextDueEvents(database, { now, lease, most: 1, except: [organization.id] });
  expect(other?.organizationId).not.toBe(organization.id);
});
