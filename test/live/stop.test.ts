// The end of a gateway: streams are sent what is committed, then their connections end in a way that brings clients
// back.
import { expect, test } from "vitest";
import { openEventStream } from "#test/live/event-stream.ts";
import { settled } from "#test/live/outbox.ts";
import { commentsOfSpace, openStream } from "#test/live/stream.ts";
import { testApp } from "#test/support/app.ts";
import { createWorld } from "#test/support/world.ts";

async function makeScene() {
  const app = await testApp({ pollMs: 3_600_000 }); // nothing is found by polling
  const { editor, organization, space } = await createWorld(app.database).space();
  const commit = async (subject: string) => {
    await app.database.pool.query(
      `insert into "OutboxEvent" (type, "subjectId", "spaceId", "organizationId") values ('comment.deleted', $1, $2, $3)`,
      [subject, space.id, organization.id],
    );
    await settled(app.database.pool);
  };
  return { app, token: editor.token, space: space.id, commit };
}

test("what was committed is sent before sockets close with 1001, though no wake-up announced it", async () => {
  const { app, token, space, commit } = await makeScene();
  const streams = await Promise.all([1, 2, 3].map(() => openStream(app.url, token, { space })));
  for (const stream of streams) await stream.next();
  await commit("cmt_last");
  const closing = app.close();
  for (const stream of streams) {
    expect(await stream.next()).toMatchObject({ __typename: "CommentDeleted", commentId: "cmt_last" });
    expect(await stream.raw.closed).toMatchObject({ code: 1001 });
  }
  await closing;
});

test("streams of server-sent events are sent it too, and end without being complete", async () => {
  const { app, token, space, commit } = await makeScene();
  const stream = await openEventStream(`${app.url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query: commentsOfSpace, variables: { space } }),
  });
  expect((await stream.next())?.data).toContain("Ready");
  await commit("cmt_last");
  const closing = app.close();
  expect((await stream.next())?.data).toContain("cmt_last");
  expect(await stream.next()).toBeNull();
  await closing;
});

test("a client that does not answer is cut, and nothing waits for it", async () => {
  const { app, token, space } = await makeScene();
  const stream = await openStream(app.url, token, { space });
  await stream.next();
  stream.raw.socket.pause();
  await app.close(); // the protocol would wait for half a minute, which is longer than this test may take
  stream.raw.socket.resume();
  expect((await stream.raw.closed).code).toBe(1001);
});
