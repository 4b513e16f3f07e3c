// Purging a large space: in small transactions, so that other events are delivered meanwhile, and so that
// a space that cannot be purged does not block the others. The small size has half as many rows.
import { expect, test } from "vitest";
import { purgeDeletedSpaces } from "#src/features/spaces/jobs.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addComment, addReply } from "#test/features/comments/factory.ts";
import { addReview } from "#test/features/reviews/factory.ts";
import { addRevision, addSpace } from "#test/features/spaces/factory.ts";
import { openStream } from "#test/live/stream.ts";
import { useApp } from "#test/support/app.ts";
import type { Rows } from "#test/support/rows.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const now = new Date("2026-06-15T12:00:00.000Z");
const clock = { now: () => now };
const longAgo = new Date("2026-06-01T12:00:00.000Z");

// Has its own database: the purge counts the deleted spaces of the whole database.
const {
  app,
  world: { everything, insert },
} = await useApp({ own: true, clock });
const { pool } = app.database;

type Everything = Awaited<ReturnType<typeof everything>>;

/** A deleted space with change requests, and comments, reviews and replies on them. */
function crowdedSpace(rows: Rows, { organization, editor, commenter }: Everything, count: number): string {
  const space = addSpace(rows, { organizationId: organization.id, deletedAt: longAgo });
  for (const changeRequest of times(count, () => addChangeRequest(rows, { space, createdById: editor.id }))) {
    const on = { spaceId: space.id, changeRequestId: changeRequest.id };
    addRevision(rows, { ...on, parents: [space.revisionId], authorId: editor.id });
    const review = addReview(rows, { changeRequest, reviewerId: commenter.id, status: "approved" });
    for (const { id } of times(10, () =>
      addComment(rows, { ...on, reviewId: review.id, revisionId: changeRequest.revisionId, postedById: editor.id }),
    ))
      addReply(rows, { commentId: id, postedById: commenter.id });
  }
  return space.id;
}

const countOf = async (table: string, spaceId: string): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int from "${table}" where "${table === "Space" ? "id" : "spaceId"}" = $1`,
    [spaceId],
  );
  return rows[0]?.count ?? 0;
};

/** Records during an action the maximum of rows that one statement deletes, by table. */
async function largestRemovals(tables: readonly string[], work: () => Promise<unknown>) {
  await pool.query(
    [
      "create table removed (name text, count int)",
      `create function note_removed() returns trigger language plpgsql as $$ begin
        insert into removed select tg_table_name, count(*) from gone; return null; end $$`,
      ...tables.map(
        (table) => `create trigger noted after delete on "${table}" referencing old table as gone
          for each statement execute function note_removed()`,
      ),
    ].join(";"),
  );
  await work();
  const { rows } = await pool.query<{ name: string; most: number }>(
    "select name, max(count)::int as most from removed group by name",
  );
  await pool.query("drop function note_removed cascade; drop table removed");
  return Object.fromEntries(rows.map(({ name, most }) => [name, most]));
}

test("a space of any size is purged in small transactions, between which other events are delivered", async () => {
  const world = await everything();
  const count = sized(60, 120); // more of each kind than a transaction deletes
  const id = await insert((rows) => crowdedSpace(rows, world, count));
  const stream = await openStream(app.url, world.commenter.token, { space: world.space.id });
  expect(await stream.next()).toMatchObject({ __typename: "Ready" });
  let left = 0;
  // In the middle of the work: some of its comments are deleted, others are not.
  async function query<Row extends object>(...asked: Parameters<typeof app.database.query>): Promise<Row[]> {
    const comments = left === 0 ? await countOf("Comment", id) : 0;
    if (comments > 0 && comments < 10 * count) {
      left = comments;
      const posted = await app
        .as(world.commenter.token)
        .query<{ createComment: { comment: { id: string } } }>(
          `mutation ($spaceId: ID!) { createComment(input: { contentOf: { spaceId: $spaceId }, text: { markdown: "Heard" } }) { comment { id } } }`,
          { spaceId: world.space.id },
        );
      expect(await stream.nextEvent()).toMatchObject({ commentId: posted.createComment.comment.id });
    }
    return app.database.query<Row>(...asked);
  }
  const tables = ["Comment", "CommentReply", "ChangeRequest", "Review", "Revision", "Space"];
  const largest = await largestRemovals(tables, () =>
    purgeDeletedSpaces({ ...app.database, query }, clock, { most: 50 }),
  );
  stream.end();
  expect(left).toBeGreaterThan(0);
  expect(Object.keys(largest).toSorted()).toEqual(tables.toSorted());
  for (const most of Object.values(largest)) expect(most).toBeLessThanOrEqual(50);
  for (const table of ["Space", "Comment", "ChangeRequest", "Revision"]) expect(await countOf(table, id)).toBe(0);
  expect(await app.eventsOf(id)).toMatchObject([{ type: "space.purged" }]);
});

test("a slow purge step makes later ones smaller, and each referencing row is found by an index", async () => {
  const world = await everything();
  await insert((rows) => crowdedSpace(rows, world, 15));
  await pool.query(
    `create table step (at serial, count int, scans text);
    create function delay() returns trigger language plpgsql as $$ begin perform pg_sleep(0.01); return old; end $$;
    create function note_step() returns trigger language plpgsql as $$ begin
      insert into step (count, scans) select count(*), current_setting('enable_seqscan') from gone; return null; end $$;
    create trigger delayed before delete on "Comment" for each row execute function delay();
    create trigger noted after delete on "Comment" referencing old table as gone for each statement execute function note_step()`,
  );
  await purgeDeletedSpaces(app.database, clock);
  const { rows } = await pool.query<{ count: number; scans: string }>(
    "select count, scans from step where count > 0 order by at",
  );
  await pool.query("drop function delay cascade; drop function note_step cascade; drop table step");
  const [first, ...others] = rows;
  expect(first?.count).toBe(100);
  expect(others.length).toBeGreaterThan(1);
  for (const { count } of others) expect(count).toBeLessThanOrEqual(20); // 200 ms of 10 for each
  for (const { scans } of rows) expect(scans).toBe("off");
});

test("a space that cannot be purged is logged, does not block the others, and is purged when possible", async () => {
  const world = await everything();
  const [stuck = "", ...others] = await insert((rows) => times(3, () => crowdedSpace(rows, world, 2)));
  await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'it is stuck'; end $$;
    create trigger refuses before delete on "Comment" for each row when (old."spaceId" = '${stuck}') execute function refuse()`);
  const said: object[] = [];
  const log = { info: (fields: object) => said.push(fields), error: (fields: object) => said.push(fields) };
  expect(await purgeDeletedSpaces(app.database, clock, { log })).toBe(2);
  expect(said).toMatchObject([
    { spaceId: stuck, err: expect.anything() },
    { spaces: 2, failed: 1 },
  ]);
  for (const id of others) expect(await countOf("Space", id)).toBe(0);
  expect(await countOf("Comment", stuck)).toBe(20);
  await pool.query("drop function refuse cascade");
  expect(await purgeDeletedSpaces(app.database, clock)).toBe(1);
  expect(await countOf("Space", stuck)).toBe(0);
});
