// A query with `eventCursor` and a stream after it: together they give the current state without a gap.
import { expect, test } from "vitest";
import { eventCursor, post } from "#test/live/requests.ts";
import { makeRandom } from "#test/support/random.ts";
import { openStream } from "#test/live/stream.ts";
import { useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ limits: { lockTimeoutMs: 30_000 } });

interface Snapshot {
  readonly eventCursor: string;
  readonly space: { readonly comments: { readonly nodes: readonly { readonly id: string }[] } };
}

const snapshot = `query ($space: ID!) { eventCursor space(id: $space) { comments(first: 1000) { nodes { id } } } }`;

/** Fails, and so runs a second time on the rows of the first run. */
const withError = `query ($space: ID!, $organization: ID!) {
  eventCursor space(id: $space) { comments(first: 1000) { nodes { id } } }
  organization(id: $organization) { teams { nodes { id } } }
  wrong: space(id: $space) { comments(first: -1) { nodes { id } } } }`;

const deleteComment = "mutation ($input: DeleteCommentInput!) { deleteComment(input: $input) { __typename } }";

test("a snapshot plus the events after its eventCursor equals the final state under concurrent writes", async () => {
  const { editor, organization, space } = await world.space();
  const { token } = editor;
  const as = app.as(token);
  const random = makeRandom(7);
  let isOver = false;
  const writing = times(4, async () => {
    const own: string[] = [];
    while (!isOver) {
      const commentId = own[random.below(6)]; // undefined in some cases
      if (commentId === undefined) own.push(await post(app, token, space.id));
      else {
        own.splice(own.indexOf(commentId), 1);
        await as.query(deleteComment, { input: { commentId } });
      }
    }
  });
  const clients = await Promise.all(
    times(16, async (index) => {
      for (let before = 0; before < index; before++) await eventCursor(app, token); // they begin one after another
      const variables = { space: space.id, organization: organization.id };
      const { data } = await as.graphql<Snapshot>(index % 2 === 0 ? snapshot : withError, variables);
      const shown = new Set(data?.space.comments.nodes.map(({ id }) => id));
      return { shown, stream: await openStream(app.url, token, { space: space.id, after: data?.eventCursor }) };
    }),
  );
  isOver = true;
  await Promise.all(writing);
  const last = await post(app, token, space.id);
  const { space: final } = await as.query<Snapshot>(snapshot, { space: space.id });
  for (const { shown, stream } of clients) {
    while (!shown.has(last)) {
      const { __typename, commentId = "" } = (await stream.next()) ?? {};
      if (__typename === "CommentPosted") shown.add(commentId);
      if (__typename === "CommentDeleted") shown.delete(commentId);
    }
    expect([...shown].toSorted()).toEqual(final.comments.nodes.map(({ id }) => id).toSorted());
    stream.end();
  }
}, 60_000);

test("eventCursor of a query that ran twice because of an error is older than the rows it returned", async () => {
  const { editor, organization, space } = await world.space();
  const { token } = editor;
  const before = await eventCursor(app, token);
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold('lock table "Team"');
  const asked = app.as(token).graphql<Snapshot>(withError, { space: space.id, organization: organization.id });
  await locks.waiters(1, '%"Team"%');
  const commentId = await post(app, token, space.id);
  while ((await eventCursor(app, token)) === before); // until the event log reader has passed the comment
  await locks.release();
  const { data, errors } = await asked;
  expect(errors).toHaveLength(1);
  const stream = await openStream(app.url, token, { space: space.id, after: data?.eventCursor });
  await stream.next();
  const isShown = data?.space.comments.nodes.some(({ id }) => id === commentId);
  if (!isShown) expect(await stream.next()).toMatchObject({ __typename: "CommentPosted", commentId });
  stream.end();
});
