// Mutations that wait for a lock: a user who loses the right meanwhile changes nothing, although they had it when the
// mutation was sent.
import { expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";

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
    "no longer has a token",
    "UNAUTHENTICATED",
    (userId: string) => app.database.prisma.apiToken.updateMany({ where: { userId }, data: { revokedAt: new Date() } }),
  ],
  ["may still", "done", () => Promise.resolve()],
])("of somebody who %s", async (_who, outcome, happens) => {
  const { editor, space } = await world.space();
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold('lock table "Comment" in exclusive mode');
  const asked = app
    .as(editor.token)
    .graphql(document, { input: { contentOf: { spaceId: space.id }, text: { markdown: "Late" } } });
  await locks.waiters(1, '%"Comment"%');
  await happens(editor.id);
  await locks.hold("select pg_sleep(1.1)"); // cached rights are at most a second old
  await locks.release();
  const { errors } = await asked;
  expect(errors?.[0]?.extensions.code ?? "done").toBe(outcome);
  const count = await app.database.prisma.comment.count({ where: { spaceId: space.id, markdown: "Late" } });
  expect(count).toBe(outcome === "done" ? 1 : 0);
});
