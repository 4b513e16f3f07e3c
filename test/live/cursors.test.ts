// Cursors over the wire: of events delayed by an open transaction, and of quiet streams.
import { expect, test } from "vitest";
import { addSpace } from "#test/features/spaces/factory.ts";
import { eventCursor, post } from "#test/live/requests.ts";
import { readTable } from "#test/live/outbox.ts";
import { openStream } from "#test/live/stream.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";

const { app, world } = await useApp({ checkpointMs: 1, pollMs: 20 });

test("sends events up to the gateway's position when a later-noticed transaction delays newer ones", async () => {
  const { editor, space } = await world.space();
  const { token } = editor;
  const after = await eventCursor(app, token);
  await using holder = await lockHolder(app.databaseUrl);
  await holder.hold("set application_name = 'psql'", "select pg_current_xact_id()");
  const ids = [await post(app, token, space.id), await post(app, token, space.id)];
  await using late = await testApp({ beside: app }); // which has nothing in memory
  const last = (await readTable(app.database.pool, { spaceId: space.id, types: ["comment"] })).at(-1);
  await expect.poll(() => eventCursor(late, token)).toBe(last?.cursor);
  await holder.hold("set application_name = ''"); // as sessions of the previous release, which count
  const stream = await openStream(late.url, token, { space: space.id, after });
  expect(await stream.next()).toEqual({ __typename: "Ready", cursor: after });
  for (const commentId of ids) expect(await stream.next()).toMatchObject({ __typename: "CommentPosted", commentId });
  stream.end();
});

test("sends the current cursor on a quiet stream, so that a reconnect resumes from a recent position", async () => {
  const { editor, organization, space } = await world.space();
  const { token } = editor;
  const busy = await world.insert((rows) => addSpace(rows, { organizationId: organization.id }));
  const quiet = await openStream(app.url, token, { space: space.id });
  expect(await quiet.next()).toMatchObject({ __typename: "Ready" });
  await app.database.pool.query(
    `insert into "OutboxEvent" (type, "subjectId", "spaceId", "organizationId") values ('comment.deleted', 'cmt_x', $1, $2)`,
    [busy.id, organization.id],
  );
  const [elsewhere] = await readTable(app.database.pool, { spaceId: busy.id, types: ["comment"] });
  expect(await quiet.next()).toEqual({ __typename: "Checkpoint", cursor: elsewhere?.cursor });
  quiet.end();

  const commentId = await post(app, token, space.id);
  const back = await openStream(app.url, token, { space: space.id, after: elsewhere?.cursor });
  expect(await back.nextEvent()).toEqual({ __typename: "Ready", cursor: elsewhere?.cursor });
  expect(await back.nextEvent()).toMatchObject({ __typename: "CommentPosted", commentId });
  back.end();
});
