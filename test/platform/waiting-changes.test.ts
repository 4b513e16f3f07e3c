// Changes that wait for a lock: whoever has lost the right meanwhile changes nothing, though they had it when they
// asked.
import { expect, test } from "vitest";
import { sql } from "#src/db/database.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const document = "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }";

test.each([
  [
    "was demoted",
    "FORBIDDEN",
    (userId: string) =>
      app.database.prisma.organizationMember.updateMany({ where: { userId }, data: { role: "read" } }),
  ],
  [
    "has no token any more",
    "UNAUTHENTICATED",
    (userId: string) => app.database.prisma.apiToken.updateMany({ where: { userId }, data: { revokedAt: new Date() } }),
  ],
  ["may still", "done", () => Promise.resolve()],
])("of somebody who %s", async (_who, outcome, happens) => {
  const { editor, space } = await world.space();
  const holder = await app.database.pool.connect();
  try {
    await holder.query('begin; lock table "Comment" in exclusive mode');
    const asked = app.as(editor.token).graphql(document, { input: { spaceId: space.id, body: { markdown: "Late" } } });
    const waits = sql`select pid from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%Comment%'`;
    await expect.poll(() => app.database.vital.query(waits), { timeout: 20_000 }).not.toEqual([]);
    await happens(editor.id);
    await holder.query("select pg_sleep(1.1)"); // rights are a second old at most
    await holder.query("commit");
    const { errors } = await asked;
    expect(errors?.[0]?.extensions.code ?? "done").toBe(outcome);
    const count = await app.database.prisma.comment.count({ where: { spaceId: space.id, markdown: "Late" } });
    expect(count).toBe(outcome === "done" ? 1 : 0);
  } finally {
    holder.release(true);
  }
});
