// Many streams opened at once, as after a restart of a gateway: they queue, and none is refused.
import { expect, test } from "vitest";
import { eventCursor, post } from "#test/live/requests.ts";
import { openStream } from "#test/live/stream.ts";
import { useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { times } from "#test/support/world.ts";

// As behind a pooler: without pipelined connections.
const { app, world } = await useApp({ limits: { settingsFrom: "statement", poolSize: 4, lockTimeoutMs: 30_000 } });
const { editor, reader, space } = await world.space();

test("300 streams that wait for the database all resume at their cursors without blocking requests", async () => {
  const after = await eventCursor(app, reader.token);
  const commentId = await post(app, editor.token, space.id);
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold('lock table "Space"');
  const opening = times(300, () => openStream(app.url, reader.token, { space: space.id, after }));
  const streams = await Promise.all(opening);
  await locks.waiters(4, '%"Space"%');
  const answer = app.as(reader.token).graphql("{ viewer { id } }");
  await locks.release();
  expect(await answer).toMatchObject({ data: { viewer: { id: reader.id } } });
  for (const stream of streams) {
    expect(await stream.next()).toMatchObject({ __typename: "Ready" });
    expect(await stream.nextEvent()).toMatchObject({ __typename: "CommentPosted", commentId });
    stream.end();
  }
});
