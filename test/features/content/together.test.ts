// Queued edits of one content share a transaction: each has its own revision, event
// and error, and a failed one does not affect the others.
import { expect, test } from "vitest";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import type { Action } from "#src/domain/change.ts";
import { changeTogether, type Look, waitingIn } from "#src/domain/change-together.ts";
import type { Context } from "#src/domain/context.ts";
import { editAs, editDocument, type Edit, newPage } from "#test/features/content/edits.ts";
import { addPersonIn } from "#test/features/members/factory.ts";
import { useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { contextsOf } from "#test/support/query-executions.ts";
import { times } from "#test/support/world.ts";

// Has its own database: adds a trigger to a table.
const { app, world } = await useApp({ own: true });

interface Wanted {
  readonly message?: string;
  readonly expectedRevisionId?: string;
  readonly edits: readonly Edit[];
}

/** A space with some pages, and users who edit it. */
async function crowd(count: number) {
  const { space, organization, admin } = await world.space();
  const people = await world.insert((rows) =>
    times(count, () => addPersonIn(rows, { organizationId: organization.id, role: "edit" })),
  );
  const pages = times(3, (index) => newPage(`Page ${index}`));
  const revisionId = await editAs(app.as(admin.token), { spaceId: space.id }, ...pages.map(({ edit }) => edit));
  return { space, people, revisionId, pageIds: pages.map(({ pageId }) => pageId) };
}

/** Sends one edit per user while the space is locked: two begin alone, the others queue. */
async function atOnce({ space, people }: Awaited<ReturnType<typeof crowd>>, wanted: readonly Wanted[]) {
  await using holder = await lockHolder(app.databaseUrl);
  await holder.hold(`select from "Space" where id = '${space.id}' for update`);
  const begin = (one: Wanted, index: number) =>
    app.as(people[index]?.token ?? null).graphql<{ editContent: { revision: { id: string } } }>(editDocument, {
      input: { contentOf: { spaceId: space.id }, ...one },
    });
  const first = wanted.slice(0, 2).map(begin);
  await holder.waiters(2, "%locked_main_content%");
  const others: ReturnType<typeof begin>[] = [];
  for (const one of wanted.slice(2)) {
    others.push(begin(one, others.length + 2));
    // So that they queue in this order.
    await expect.poll(() => waitingIn(space.id), { interval: 5 }).toBe(others.length);
  }
  await holder.release();
  const answers = await Promise.all([...first, ...others]);
  return answers.map(({ data, errors }) => ({
    revisionId: data?.editContent?.revision.id,
    code: errors?.[0]?.extensions.code,
  }));
}

interface EditEvent {
  readonly tx: string;
  readonly actorId: string;
  readonly revisionId: string;
  readonly revisionBeforeId: string;
}

async function editEventsOf(spaceId: string): Promise<EditEvent[]> {
  const { rows } = await app.database.pool.query<EditEvent>(
    `select "transactionId"::text as tx, "actorId", payload->>'revisionId' as "revisionId", payload->>'revisionBeforeId' as "revisionBeforeId"
      from "OutboxEvent" where "spaceId" = $1 and payload ? 'revisionBeforeId' order by id`,
    [spaceId],
  );
  return rows;
}

async function titlesOf(spaceId: string): Promise<string[]> {
  const sql = `select title from "PresentPage" where "spaceId" = $1 order by title`;
  return (await app.database.pool.query<{ title: string }>(sql, [spaceId])).rows.map(({ title }) => title);
}

const creating = (title: string): Wanted => ({ edits: [newPage(title).edit] });

test("a dozen queued edits share transactions, and each has its revision and event, once and in one line", async () => {
  const scene = await crowd(12);
  const answers = await atOnce(
    scene,
    times(12, (index) => creating(`New ${10 + index}`)),
  );
  const [, ...editEvents] = await editEventsOf(scene.space.id);
  expect(editEvents).toHaveLength(12);
  // Two alone; the ten others at least two per transaction, or more if that does not take too long.
  expect(new Set(editEvents.map(({ tx }) => tx)).size).toBeLessThanOrEqual(7);
  expect(new Set(editEvents.map(({ revisionId }) => revisionId))).toEqual(
    new Set(answers.map(({ revisionId }) => revisionId)),
  );
  expect(editEvents.map((one) => one.revisionBeforeId)).toEqual([
    scene.revisionId,
    ...editEvents.slice(0, -1).map((one) => one.revisionId),
  ]);
  for (const [index, { revisionId }] of answers.entries())
    expect(editEvents.find((one) => one.revisionId === revisionId)?.actorId).toBe(scene.people[index]?.id);
  expect(await titlesOf(scene.space.id)).toEqual([
    ...times(12, (index) => `New ${10 + index}`),
    ...times(3, (index) => `Page ${index}`),
  ]);
});

test("edits that are refused or change nothing leave the queued others as they are", async () => {
  const scene = await crowd(9);
  const [gone = "", same = ""] = scene.pageIds;
  const answers = await atOnce(scene, [
    creating("New 1"),
    creating("New 2"),
    { edits: [{ deletePage: { pageId: gone } }] },
    { edits: [{ updatePage: { pageId: gone, title: "Too late" } }] },
    { expectedRevisionId: scene.revisionId, edits: [newPage("Stale").edit] },
    { edits: [{ updatePage: { pageId: same, title: "Page 1" } }] },
    { edits: [{ createPage: { title: "Bad", slug: "No slug / at all" } }] },
    { edits: [{ updatePage: { pageId: same, title: "Renamed" } }] },
    creating("New 3"),
  ]);
  expect(answers.map(({ code }) => code)).toEqual([
    undefined,
    undefined,
    undefined,
    "NOT_FOUND",
    "CONFLICT",
    undefined,
    "INVALID_INPUT",
    undefined,
    undefined,
  ]);
  const editEvents = await editEventsOf(scene.space.id);
  expect(editEvents).toHaveLength(6);
  expect(answers[5]?.revisionId).toBe(answers[2]?.revisionId); // nothing to change: the revision at that time
  expect(await titlesOf(scene.space.id)).toEqual(["New 1", "New 2", "New 3", "Page 2", "Renamed"]);
});

test("of queued edits, one that fails on write is the only one missing", async () => {
  const scene = await crowd(8);
  await app.database.pool.query(
    `create function "refuse_bad"() returns trigger language plpgsql as
      $$ begin if new.message = 'bad' then raise exception 'This one fails'; end if; return new; end $$`,
  );
  await app.database.pool.query(
    `create trigger "refuse_bad" before insert on "Revision" for each row execute function "refuse_bad"()`,
  );
  const wanted = times(8, (index) => ({ ...creating(`New ${index}`), ...(index === 5 && { message: "bad" }) }));
  const answers = await atOnce(scene, wanted);
  await app.database.pool.query(`drop trigger "refuse_bad" on "Revision"`);
  expect(answers.map(({ code }) => code)).toEqual(times(8, (index) => (index === 5 ? "INTERNAL" : undefined)));
  const [, ...editEvents] = await editEventsOf(scene.space.id);
  expect(editEvents.map(({ revisionId }) => revisionId).toSorted()).toEqual(
    answers.flatMap(({ revisionId }) => revisionId ?? []).toSorted(),
  );
  expect((await titlesOf(scene.space.id)).filter((title) => title.startsWith("New"))).toEqual(
    [0, 1, 2, 3, 4, 6, 7].map((index) => `New ${index}`),
  );
});

const mayDo: Action<null> = { name: "content.testTogether", isAllowed: () => true, refusal: "" };
const done = (result: string) => () => Promise.resolve({ result, events: [] });
const join = (queue: string, by: Context, look: Look<string>) => changeTogether(by, mayDo, null, { queue, look });

/** Two edits in a queue of their own until the gate opens: edits that arrive meanwhile wait for them. */
async function holdQueue(queue: string, context: () => Context) {
  const gate = Promise.withResolvers<void>();
  const first = times(2, () =>
    join(queue, context(), async () => {
      await gate.promise;
      return done("first");
    }),
  );
  await Promise.resolve();
  return { first, open: gate.resolve };
}

test("of queued edits, one that fails while the next reads does not affect it, and its error is logged once", async () => {
  const { editor } = await world.space();
  const context = await contextsOf(app, editor.token);
  const { first, open } = await holdQueue("a test", context);
  const fails = join("a test", context(), (transaction) =>
    Promise.resolve(async () => {
      await transaction.$queryRawUnsafe("select 1 / 0");
      return { result: "never", events: [] };
    }),
  );
  const looks = join("a test", context(), async (transaction) => {
    for (const _ of times(3, () => null)) await transaction.$queryRawUnsafe("select 1");
    return done("looked");
  });
  const outcomes = Promise.allSettled([...first, fails, looks]);
  await expect.poll(() => waitingIn("a test")).toBe(2);
  open();
  expect(await outcomes).toMatchObject([
    { value: "first" },
    { value: "first" },
    { reason: { message: expect.stringContaining("division by zero") } },
    { value: "looked" },
  ]);
});

test("of queued edits, one whose client disconnects does not affect the others", async () => {
  const { editor } = await world.space();
  const context = await contextsOf(app, editor.token);
  const { first, open } = await holdQueue("another test", context);
  const leaving = { ...context(), limit: new TimeLimit(60_000) };
  let looks = 0;
  const stays = join("another test", context(), async (transaction) => {
    looks += 1;
    leaving.limit.abandon();
    await transaction.$queryRawUnsafe("select 1");
    return done("stays");
  });
  const leaves = leaving.limit.run(() =>
    join("another test", leaving, async (transaction) => {
      await transaction.$queryRawUnsafe("select 1");
      return done("leaves");
    }),
  );
  const outcomes = Promise.allSettled([...first, stays, leaves]);
  await expect.poll(() => waitingIn("another test")).toBe(2);
  open();
  expect(await outcomes).toMatchObject([
    { value: "first" },
    { value: "first" },
    { value: "stays" },
    { reason: { code: "TIMEOUT" } },
  ]);
  expect(looks).toBe(1); // it was not rolled back
});
