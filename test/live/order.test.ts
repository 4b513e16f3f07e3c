// The order of a stream is that of the table, for every subscriber and transport, for any commit order: at the small
// size for a few.
import fc from "fast-check";
import type pg from "pg";
import { expect, test } from "vitest";
import { addComment } from "#test/features/comments/factory.ts";
import { post } from "#test/live/requests.ts";
import { readTable } from "#test/live/outbox.ts";
import { openStream } from "#test/live/stream.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { useApp } from "#test/support/app.ts";
import { runs } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ pollMs: 20 }); // writes outside the gateway send no notification

/** Writes an event into a transaction that stays open. */
const write = (client: pg.PoolClient, space: { id: string; organizationId: string }, subjectId: string) =>
  client.query(
    `insert into "OutboxEvent" (type, "subjectId", "spaceId", "organizationId") values ('comment.deleted', $1, $2, $3)`,
    [subjectId, space.id, space.organizationId],
  );

/** What a writer does next: three have long transactions, the others post by GraphQL or REST. */
const steps = fc.array(
  fc.oneof(
    fc.record({ writer: fc.nat({ max: 2 }), act: fc.constantFrom("write", "write", "commit", "rollback") }),
    fc.record({ act: fc.constantFrom("post", "post over REST") }),
  ),
  { minLength: 5, maxLength: 30 },
);

type Step = { writer: number; act: string } | { act: string };

/** Runs the steps one after another, with posts in the background; at the end no transaction is open. */
async function act(acts: readonly Step[], space: { id: string; organizationId: string }, token: string): Promise<void> {
  const writers = await Promise.all([0, 1, 2].map(() => app.database.pool.connect()));
  const open = new Set<pg.PoolClient>();
  const posts: Promise<unknown>[] = [];
  for (const [index, step] of acts.entries()) {
    const client = "writer" in step && writers[step.writer];
    if (!client) {
      const rest = { body: { body: { markdown: `${index}` } } };
      if (step.act === "post") posts.push(post(app, token, space.id));
      else posts.push(app.as(token).rest("POST", `/v1/spaces/${space.id}/comments`, rest));
    } else if (step.act === "write") {
      if (!open.has(client)) await client.query("begin");
      open.add(client);
      await write(client, space, `${index}`);
    } else if (open.delete(client)) await client.query(step.act);
  }
  for (const client of open) await client.query("commit");
  for (const client of writers) client.release();
  await Promise.all(posts);
}

test("every subscriber receives each committed event once, in the order of the table", async () => {
  const { editor, organization, space } = await world.space();
  const { token } = editor;
  const fields = [
    `commentEvents(of: { spaceId: "${space.id}" })`,
    `commentEvents(of: { organizationId: "${organization.id}" })`,
  ];
  const subscribers = await Promise.all(
    fields.flatMap((field) =>
      (["socket", "events"] as const).map((over) =>
        new Subscriber({ gateway: () => app.url, token, field, over }).start(),
      ),
    ),
  );
  await fc.assert(
    fc.asyncProperty(steps, async (acts) => {
      await act(acts, space, token);
      await post(app, token, space.id, "the end");
      const table = await readTable(app.database.pool, { spaceId: space.id, types: ["comment"] });
      const cursors = table.map(({ cursor }) => cursor);
      for (const subscriber of subscribers) {
        await subscriber.reaches(cursors.at(-1) ?? "");
        expect(subscriber.received.map(({ cursor }) => cursor)).toEqual(cursors);
      }
    }),
    { numRuns: runs(20, 6) },
  );

  expect(subscribers.map(({ connections }) => connections)).toEqual([1, 1, 1, 1]);
  await Promise.all(subscribers.map((subscriber) => subscriber.stop()));
}, 120_000);

test("simultaneous events are delivered completely although together they exceed the row budget of an operation", async () => {
  const { editor, organization, space } = await world.space();
  const [comment] = await world.insert((rows) =>
    times(100, () => addComment(rows, { spaceId: space.id, postedById: editor.id })),
  );
  const lists = times(25, (index) => `list${index}: comments(first: 100) { nodes { id } }`).join(" ");
  const query = `subscription ($space: ID!) { commentEvents(of: { spaceId: $space }) {
    __typename ... on CommentEdited { comment { space { ${lists} } } } } }`;
  const stream = await openStream(app.url, editor.token, { space: space.id }, query);
  await stream.next();
  await app.database.pool.query(
    `insert into "OutboxEvent" (type, "subjectId", "spaceId", "organizationId")
      select 'comment.updated', $1, $2, $3 from generate_series(1, 60)`,
    [comment?.id, space.id, organization.id],
  );
  const received = await Promise.all(times(60, () => stream.next())); // rejects for one with errors
  expect(new Set(received.map((message) => message?.__typename))).toEqual(new Set(["CommentEdited"]));
  stream.end();
}, 60_000);
