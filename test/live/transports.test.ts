// Behaviour of streams over each transport. Features of a single transport have their own test files. At the small size
// readers that pause are flooded with half as much.
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { trimOutbox } from "#src/events/segments.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { startNetworkProxy } from "#test/live/network-proxy.ts";
import { eventCursor, post } from "#test/live/requests.ts";
import { readTable, settled } from "#test/live/outbox.ts";
import { commentsOfSpace } from "#test/live/stream.ts";
import {
  type Heard,
  httpTransports,
  type OpenStream,
  type Subscription,
  type Transport,
  transports,
} from "#test/live/transports.ts";
import { watchServedSockets } from "#test/live/served-sockets.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { sized } from "#test/support/runs.ts";

/** Limits of buffered bytes when a message is added, and of messages that are added together. */
const mostWaiting = 1024 * 1024 + 512 * 1024;

/** Far more than the kernel buffers of an unread connection. */
const flood = { events: sized(150, 300), bytesEach: 100_000 };

let now = () => new Date();

const served = watchServedSockets();

// A client that does not read does not answer pings.
const { app, world } = await useApp({ pollMs: 20, keepAliveMs: 600_000, clock: { now: () => now() } });
const pool = app.database.pool;

const opened: OpenStream[] = [];
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close();
});

async function open(transport: Transport, given: Partial<Subscription> & Pick<Subscription, "token" | "variables">) {
  const stream = await transport.open({ url: app.url, query: commentsOfSpace, ...given });
  opened.push(stream);
  return stream;
}

/** Expects the start of a stream; returns its cursor. */
async function readyOf(stream: OpenStream): Promise<string> {
  const ready = await stream.next();
  expect(ready).toMatchObject({ __typename: "Ready", cursor: expect.any(String) as string });
  return ready.cursor ?? "";
}

async function endsWith(stream: OpenStream, code: string): Promise<void> {
  expect(await stream.next()).toEqual({ code });
  expect(await stream.next()).toEqual({ end: "complete" });
}

async function makeScene() {
  const { admin, editor, organization, space } = await world.space();
  const { token } = editor;
  const subscription = { token, variables: { space: space.id } };
  const after = (cursor: string | undefined) => ({ token, variables: { space: space.id, after: cursor } });
  return { admin, editor, organization, space, token, subscription, after };
}

const mutate = (token: string, field: string, type: string, input: object) =>
  app.as(token).query(`mutation ($input: ${type}!) { ${field}(input: $input) { __typename } }`, { input });

async function revoke(token: string): Promise<void> {
  const { apiTokens } = await app
    .as(token)
    .query<{ apiTokens: { nodes: { id: string }[] } }>("{ apiTokens { nodes { id } } }");
  await mutate(token, "revokeApiToken", "RevokeApiTokenInput", { apiTokenId: apiTokens.nodes[0]?.id });
}

/** A token that lives for an hour. */
async function shortToken(token: string) {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const made = await app
    .as(token)
    .query<{ createApiToken: { token: string } }>(
      "mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { token } }",
      { input: { name: "short", expiresAt: expiresAt.toISOString() } },
    );
  return { token: made.createApiToken.token, expiresAt };
}

/** Expires the existing events, as on the next day. */
const trim = () =>
  trimOutbox.run({
    database: app.database,
    files: app.files,
    fetch: app.fetch,
    log: pino({ level: "silent" }),
    clock: { now: () => new Date(Date.now() + 25 * 3_600_000) },
    readTxtRecords: () => Promise.resolve([]),
  });

/** A space with a long comment, and a document that selects it many times. */
async function makeFlood() {
  const scene = await makeScene();
  const { editor, organization, space } = scene;
  const comment = await world.insert((rows) =>
    addComment(rows, { spaceId: space.id, postedById: editor.id, markdown: "x".repeat(5000) }),
  );
  const texts = Array.from({ length: flood.bytesEach / 5000 }, (_, index) => `text${index}: body { markdown }`);
  const query = commentsOfSpace.replace(
    "... on CommentPosted { commentId }",
    `... on CommentEdited { comment { ${texts.join(" ")} } }`,
  );
  /** Writes many events of the comment at once, as after a large import. */
  const happen = (count: number) =>
    pool.query(
      `insert into "OutboxEvent" (type, "subjectId", "spaceId", "organizationId")
        select 'comment.updated', $1, $2, $3 from generate_series(1, $4::int)`,
      [comment.id, space.id, organization.id, count],
    );
  const cursors = async () =>
    (await readTable(pool, { spaceId: space.id, types: ["comment"] })).map(({ cursor }) => cursor);
  return { ...scene, query, happen, cursors };
}

test.each(transports)("over $name, each message follows Ready and has its cursor", async (transport) => {
  const { space, token, subscription } = await makeScene();
  const stream = await open(transport, subscription);
  await readyOf(stream);
  const commentId = await post(app, token, space.id);
  const cursor = (await readTable(pool, { spaceId: space.id, types: ["comment"] })).at(-1)?.cursor;
  expect(await stream.next()).toEqual({ __typename: "CommentPosted", cursor, commentId });
});

test.each(transports)(
  "over $name, a stream from a cursor has the later events once, then new ones",
  async (transport) => {
    const { space, token, after } = await makeScene();
    const cursor = await eventCursor(app, token);
    const ids = [await post(app, token, space.id), await post(app, token, space.id)];
    const first = await open(transport, after(cursor));
    expect(await readyOf(first)).toBe(cursor);
    const [one, two] = [await first.next(), await first.next()];
    const again = await open(transport, after(one.cursor));
    expect(await readyOf(again)).toBe(one.cursor);
    ids.push(await post(app, token, space.id));
    const [three, ...heardAgain] = [await first.next(), await again.next(), await again.next()];
    expect([one, two, three].map(({ commentId }) => commentId)).toEqual(ids);
    expect(heardAgain).toEqual([two, three]);
  },
);

test.each(transports)("over $name, a cut connection resumes by its cursor without loss", async (transport) => {
  const { space, token, subscription, after } = await makeScene();
  await using proxy = await startNetworkProxy({ host: "127.0.0.1", port: Number(new URL(app.url).port) });
  const url = `http://127.0.0.1:${proxy.port}`;
  const stream = await open(transport, { ...subscription, url });
  const cursor = await readyOf(stream);
  proxy.cut(0, "client");
  expect(await stream.next()).toEqual({ end: "cut" });
  const commentId = await post(app, token, space.id);
  const again = await open(transport, { ...after(cursor), url });
  expect(await readyOf(again)).toBe(cursor);
  expect(await again.next()).toMatchObject({ __typename: "CommentPosted", commentId });
  again.close();
});

test.each(transports)("over $name, a refusal is the only message", async (transport) => {
  const { token } = await makeScene();
  const stream = await open(transport, { token, variables: { space: "spc_01h000000000000000000000000" } });
  await endsWith(stream, "NOT_FOUND");
});

test.each(transports)("over $name, losing the right to see the subject is the last message", async (transport) => {
  const { admin, space, subscription } = await makeScene();
  const stream = await open(transport, subscription);
  await readyOf(stream);
  await mutate(admin.token, "deleteSpace", "DeleteSpaceInput", { spaceId: space.id });
  await endsWith(stream, "NOT_FOUND");
});

test.each(transports)("over $name, revoking the token ends the stream", async (transport) => {
  const { token, subscription } = await makeScene();
  const stream = await open(transport, subscription);
  await readyOf(stream);
  await revoke(token);
  await endsWith(stream, "UNAUTHENTICATED");
});

test.each(transports)("over $name, the expiry of the token ends an idle stream", async (transport) => {
  const { token: owner, subscription } = await makeScene();
  const { token, expiresAt } = await shortToken(owner);
  const stream = await open(transport, { ...subscription, token });
  await readyOf(stream);
  now = () => expiresAt;
  try {
    await endsWith(stream, "UNAUTHENTICATED");
  } finally {
    now = () => new Date();
  }
});

test.each(transports)(
  "over $name, an outdated cursor gets Resync with a cursor to continue from",
  async (transport) => {
    const { space, token, after } = await makeScene();
    const old = await eventCursor(app, token);
    await post(app, token, space.id);
    await settled(pool);
    await trim();
    await post(app, token, space.id);
    await settled(pool);
    await using late = await testApp({ beside: app }); // which has nothing in memory
    const stream = await open(transport, { ...after(old), url: late.url });
    expect(await readyOf(stream)).toBe(old);
    const resync = await stream.next();
    expect(resync).toMatchObject({ __typename: "Resync", reason: "EXPIRED", from: old });
    expect(await stream.next()).toEqual({ end: "complete" });
    const again = await open(transport, { ...after(resync.to), url: late.url });
    expect(await readyOf(again)).toBe(resync.to);
    const commentId = await post(late, token, space.id);
    expect(await again.next()).toMatchObject({ __typename: "CommentPosted", commentId });
    again.close();
  },
);

test.each(transports)(
  "over $name, a reader that pauses gets Resync later, without delaying other readers",
  async (transport) => {
    const { token, subscription, after, query, happen, cursors } = await makeFlood();
    const [slow, quick] = [
      await open(transport, { ...subscription, query }),
      await open(transport, { ...subscription, query }),
    ];
    for (const stream of [slow, quick]) await readyOf(stream);
    slow.pause();
    await happen(flood.events);
    const received: (string | undefined)[] = [];
    while (received.length < flood.events) {
      received.push((await quick.next()).cursor);
      for (const socket of served) expect(socket.writableLength).toBeLessThan(mostWaiting);
    }
    const all = await cursors();
    expect(received).toEqual(all);
    slow.resume();
    const late: Heard[] = [];
    for (let heard = await slow.next(); !heard.end; heard = await slow.next()) late.push(heard);
    const resync = late.pop();
    expect(resync).toMatchObject({ __typename: "Resync", reason: "SLOW", from: late.at(-1)?.cursor, to: all.at(-1) });
    expect(late.map(({ cursor }) => cursor)).toEqual(all.slice(0, late.length));
    const again = await open(transport, { ...after(resync?.to), token, query });
    await readyOf(again);
    await happen(1);
    expect((await again.next()).cursor).toBe((await cursors()).at(-1));
  },
);

test.each(transports)(
  "over $name, a stopping gateway sends committed events without a notification and closes the connection",
  async (transport) => {
    const { organization, space, subscription } = await makeScene();
    const ending = await testApp({ beside: app, pollMs: 3_600_000 }); // nothing is found by polling
    const streams = [1, 2].map(() => open(transport, { ...subscription, url: ending.url }));
    for (const stream of streams) await readyOf(await stream);
    await pool.query(
      `insert into "OutboxEvent" (type, "subjectId", "spaceId", "organizationId") values ('comment.deleted', $1, $2, $3)`,
      ["cmt_last", space.id, organization.id],
    );
    await settled(pool);
    const closing = ending.close();
    for (const stream of streams) {
      expect(await (await stream).next()).toMatchObject({ __typename: "CommentDeleted", commentId: "cmt_last" });
      expect(await (await stream).next()).toEqual({ end: "cut" });
    }
    await closing;
  },
);

test.each(httpTransports)("over $name, Last-Event-ID overrides the argument", async (transport) => {
  const { space, token, after } = await makeScene();
  const cursor = await eventCursor(app, token);
  for (let count = 0; count < 2; count++) await post(app, token, space.id);
  const [first, second] = await readTable(pool, { spaceId: space.id, types: ["comment"] });
  const headers = { "last-event-id": first?.cursor ?? "" };
  const stream = await open(transport, { ...after(cursor), headers });
  expect(await readyOf(stream)).toBe(first?.cursor);
  expect((await stream.next()).cursor).toBe(second?.cursor);
});
