// The ages of queues count only items that a process will work on, from when they became due.
import { expect, test } from "vitest";
import { systemClock } from "#src/base/time.ts";
import { features } from "#src/features/index.ts";
import { purgeDeletedSpaces } from "#src/features/spaces/jobs.ts";
import { readQueues } from "#src/jobs/queues.ts";
import { addImport } from "#test/features/imports/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTranslation } from "#test/features/translations/factory.ts";
import { useApp } from "#test/support/app.ts";

// Its own database: it reads the queues of the whole database.
const { app, world } = await useApp({ own: true });
const { prisma } = app.database;
const hour = 3_600_000;
const before = (hours: number) => new Date(Date.now() - hours * hour);

const queues = features.flatMap((feature) => feature.queues ?? []);

/** The age of the oldest item of a queue, in whole hours. */
const hoursOf = async (queue: string) => Math.floor(((await readQueues(app.database, queues))[queue] ?? NaN) / 3_600);

/** A translation that became due ten hours ago, with its spaces. */
async function dueTranslation() {
  const { organization, space, admin } = await world.space();
  const of = { organizationId: organization.id, sourceSpaceId: space.id, createdById: admin.id };
  return world.insert((rows) => {
    const resultSpaceId = addSpace(rows, { organizationId: organization.id }).id;
    return addTranslation(rows, { ...of, resultSpaceId, dueAt: before(10) });
  });
}

test("a due translation counts only while both of its spaces exist", async () => {
  const { id, sourceSpaceId, resultSpaceId } = await dueTranslation();
  expect(await hoursOf("translations")).toBe(10);
  for (const space of [sourceSpaceId, resultSpaceId ?? ""]) {
    await prisma.space.update({ where: { id: space }, data: { deletedAt: before(1) } });
    expect(await hoursOf("translations")).toBe(0);
    await prisma.space.update({ where: { id: space }, data: { deletedAt: null } });
    expect(await hoursOf("translations")).toBe(10);
  }
  await prisma.translation.update({ where: { id }, data: { resultSpaceId: null } });
  expect(await hoursOf("translations")).toBe(0);
});

test("a translation is not due again after its translated space was removed permanently", async () => {
  const { id, resultSpaceId } = await dueTranslation();
  await prisma.space.update({ where: { id: resultSpaceId ?? "" }, data: { deletedAt: before(24 * 30) } });
  expect(await purgeDeletedSpaces(app.database, systemClock)).toBe(1);
  expect(await prisma.translation.findUnique({ where: { id } })).toMatchObject({ resultSpaceId: null, dueAt: null });
});

test("an import is measured from when its process left it, and a new one from its creation", async () => {
  const { space, admin } = await world.space();
  const of = { spaceId: space.id, createdById: admin.id, createdAt: before(20) };
  await world.insert((rows) => addImport(rows, { ...of, state: "running", leaseUntil: before(2) }));
  expect(await hoursOf("imports")).toBe(2);
  await world.insert((rows) => addImport(rows, { ...of, createdAt: before(5), leaseUntil: null }));
  expect(await hoursOf("imports")).toBe(5);
});
