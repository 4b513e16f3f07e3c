// Purging deleted spaces: exactly those deleted more than seven days ago, with their contents, and nothing else.
// At the small size fewer are purged by several processes.
import { beforeEach, describe, expect, test } from "vitest";
import { features } from "#src/features/index.ts";
import { purgeDeletedSpaces } from "#src/features/spaces/jobs.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addComment, addReaction, addReply } from "#test/features/comments/factory.ts";
import { addGrant } from "#test/features/members/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Rows } from "#test/support/rows.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const minute = 60_000;
const week = 7 * 24 * 60 * minute;
const now = new Date("2026-06-15T12:00:00.000Z");
const clock = { now: () => now };
const ago = (ms: number) => new Date(now.getTime() - ms);

const {
  app,
  world: { everything, insert },
} = await useApp({ clock });
beforeEach(() => purgeDeletedSpaces(app.database, clock));

type Everything = Awaited<ReturnType<typeof everything>>;

const purge = () => purgeDeletedSpaces(app.database, clock);

/** A space beside the world's one, with one of each kind of content. */
function fullSpace(rows: Rows, world: Everything, deletedAt: Date | null) {
  const organizationId = world.organization.id;
  const { editor, commenter } = world;
  const space = addSpace(rows, { organizationId, parent: world.collection, deletedAt });
  const changeRequest = addChangeRequest(rows, { space, createdById: editor.id });
  const review = addReview(rows, { changeRequest, reviewerId: commenter.id, status: "approved" });
  const on = { spaceId: space.id, changeRequestId: changeRequest.id, reviewId: review.id };
  const comment = addComment(rows, { ...on, postedById: commenter.id });
  const reply = addReply(rows, { commentId: comment.id, postedById: editor.id });
  addReaction(rows, { commentId: comment.id, userId: editor.id });
  addReaction(rows, { replyId: reply.id, userId: editor.id });
  addGrant(rows, { organizationId, spaceId: space.id, userId: editor.id, role: "admin" });
  addSiteSpace(rows, { siteId: world.site.id, sectionId: world.section.id, spaceId: space.id });
  return space;
}

/** The number of rows of each table except the outbox. */
async function counts(): Promise<Record<string, number>> {
  const { rows } = await app.database.pool.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'OutboxEvent%' and tablename <> '_prisma_migrations'`,
  );
  const counted = rows.map(async ({ name }): Promise<[string, number]> => {
    const { rows: found } = await app.database.pool.query<{ count: string }>(`select count(*) from "${name}"`);
    return [name, Number(found[0]?.count)];
  });
  return Object.fromEntries(await Promise.all(counted));
}

async function isThere(id: string): Promise<boolean> {
  return (await app.database.prisma.space.count({ where: { id } })) === 1;
}

const restoreSpace = `mutation Restore($id: ID!) { restoreSpace(input: { spaceId: $id }) { space { id parent { id } } } }`;

test("a minute less than seven days after its deletion a space can be restored with all of its contents", async () => {
  const world = await everything();
  const space = await insert((rows) => fullSpace(rows, world, ago(week - minute)));
  const before = await counts();
  expect(await purge()).toBe(0);
  expect(await counts()).toEqual(before);
  expect(await app.as(world.admin.token).query(restoreSpace, { id: space.id })).toEqual({
    restoreSpace: { space: { id: space.id, parent: { id: world.collection.id } } },
  });
});

test("exactly seven days after its deletion a space can still be restored", async () => {
  const world = await everything();
  const space = await insert((rows) => fullSpace(rows, world, ago(week)));
  expect(await purge()).toBe(0);
  await app.as(world.admin.token).query(restoreSpace, { id: space.id });
});

describe("a space deleted seven days and a minute ago", () => {
  test("cannot be restored, whether it is purged or not", async () => {
    const world = await everything();
    const space = await insert((rows) => fullSpace(rows, world, ago(week + minute)));
    expect(await app.as(world.admin.token).refusal(restoreSpace, { id: space.id })).toBe("NOT_FOUND");
    expect(await purge()).toBe(1);
    expect(await app.as(world.admin.token).refusal(restoreSpace, { id: space.id })).toBe("NOT_FOUND");
  });

  test("is purged with its contents, and nothing else is", async () => {
    const world = await everything();
    const other = await everything();
    const kept = await insert((rows) => [
      fullSpace(rows, world, null),
      fullSpace(rows, world, ago(week - minute)),
      fullSpace(rows, other, ago(week - minute)),
    ]);
    const before = await counts();
    const gone = await insert((rows) => fullSpace(rows, world, ago(week + minute)));
    expect(await counts()).not.toEqual(before);
    expect(await purge()).toBe(1);
    expect(await counts()).toEqual(before);
    expect(await isThere(gone.id)).toBe(false);
    for (const { id } of [...kept, world.space, other.space]) expect(await isThere(id)).toBe(true);
  });

  test("stops being default content; other default content stays", async () => {
    const [world, other] = [await everything(), await everything()];
    const gone = await insert((rows) => fullSpace(rows, world, ago(week + minute)));
    const defaultTo = (organization: { id: string }, defaultSpaceId: string) =>
      app.database.prisma.organization.update({ where: { id: organization.id }, data: { defaultSpaceId } });
    await defaultTo(world.organization, gone.id);
    await defaultTo(other.organization, other.space.id);
    expect(await purge()).toBe(1);
    const defaults = await app.database.prisma.organization.findMany({
      where: { id: { in: [world.organization.id, other.organization.id] } },
      select: { defaultSpaceId: true },
      orderBy: { id: "asc" },
    });
    expect(defaults).toEqual([{ defaultSpaceId: null }, { defaultSpaceId: other.space.id }]);
  });

  test("emits an event without an actor when purged", async () => {
    const world = await everything();
    const { id } = await insert((rows) => fullSpace(rows, world, ago(week + minute)));
    await purge();
    expect(await app.eventsOf(id)).toMatchObject([
      { type: "space.purged", organizationId: world.organization.id, spaceId: id, actorId: null },
    ]);
  });
});

test("any number of deleted spaces is purged, each once, also by several processes", async () => {
  const world = await everything();
  const count = sized(12, 120);
  await insert((rows) => times(count, () => fullSpace(rows, world, ago(2 * week))));
  const removed = await Promise.all(times(3, purge));
  expect(removed.reduce((sum, some) => sum + some)).toBe(count);
  expect(await purge()).toBe(0);
  const events = await app.eventsIn(world.organization.id);
  expect(events.filter(({ type }) => type === "space.purged")).toHaveLength(count);
  expect(await isThere(world.space.id)).toBe(true);
});

test("purging runs every hour", () => {
  const jobs = features.flatMap((feature) => feature.jobs ?? []);
  expect(jobs.find(({ name }) => name === "space.purge")?.schedule).toBe("0 * * * *");
});
