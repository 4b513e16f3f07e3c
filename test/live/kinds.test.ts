// Every kind of event, by the deed that makes it: each is delivered once, with who did it and the node itself, or the
// ids of what is gone.
import { assertUnionType } from "graphql";
import { expect, test } from "vitest";
import { schema } from "#src/schema.ts";
import {
  createComment,
  createReply,
  deleteComment,
  deleteReply,
  done as doneTo,
  updateComment,
  updateReply,
} from "#test/features/comments/discussion.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

type Received = Record<string, unknown> & { readonly __typename: string; readonly cursor: string };

/** Kinds about the state of the stream, not about what has happened. */
const ofTheStream = ["Checkpoint", "Ready", "Resync"];

/** The kinds of event that a subscription can deliver. */
const kindsOf = (name: string) =>
  assertUnionType(schema.getType(name))
    .getTypes()
    .map((type) => type.name)
    .filter((type) => !ofTheStream.includes(type))
    .toSorted();

/** Opens a stream. `delivers` does something and compares the messages about it, by `actorId` unless it says who. */
async function listen(token: string, field: string, selection: string, actorId: string) {
  const raw = await openKnown(app.url, token);
  const query = `subscription { received: ${field} { __typename ... on StreamMessage { cursor } ... on Event { occurredAt actor { id } } ${selection} } }`;
  raw.say({ id: "1", type: "subscribe", payload: { query } });
  const next = async (): Promise<Received> => {
    const { payload } = await raw.hear();
    const { data, errors } = payload as { data?: { received: Received }; errors?: object };
    if (!data || errors) throw new Error(JSON.stringify(payload));
    return data.received;
  };
  expect(await next()).toEqual({ __typename: "Ready", cursor: expect.any(String) as string });
  const kinds = new Set<string>();
  const cursors = new Set<string>();
  return {
    async delivers<Done>(deed: Promise<Done>, ...expected: ({ __typename: string } & Record<string, unknown>)[]) {
      const result = await deed;
      for (const one of expected) {
        const received = await next();
        expect(received).toMatchObject({ occurredAt: expect.any(String) as string, actor: { id: actorId }, ...one });
        kinds.add(received.__typename);
        cursors.add(received.cursor);
      }
      return result;
    },
    /** All kinds delivered so far, when nothing else was delivered and no cursor twice. */
    async end(count: number): Promise<string[]> {
      raw.say({ type: "ping" });
      expect(await raw.hear()).toMatchObject({ type: "pong" }); // and not another event before it
      raw.socket.close();
      expect(cursors.size).toBe(count);
      return [...kinds].toSorted();
    },
  };
}

test("comments, replies and reactions", async () => {
  const { admin, editor, space, changeRequest } = await world.changeRequest();
  const place = { spaceId: space.id, changeRequestId: changeRequest.id };
  const comment = "comment { body { markdown } status reactions { emoji } replyCount }";
  const stream = await listen(
    editor.token,
    `commentEvents(changeRequestId: "${changeRequest.id}")`,
    `... on CommentPosted { spaceId changeRequestId commentId ${comment} } ... on CommentEdited { commentId ${comment} }
    ... on CommentResolved { commentId ${comment} } ... on CommentReopened { commentId ${comment} }
    ... on CommentDeleted { spaceId changeRequestId commentId }
    ... on ReplyPosted { commentId replyId ${comment} reply { body { markdown } comment { id } } }
    ... on ReplyEdited { commentId replyId reply { body { markdown } } } ... on ReplyDeleted { spaceId changeRequestId commentId replyId ${comment} }
    ... on UserMentioned { commentId namedIn: replyId userId user { id } ${comment} named: reply { body { markdown } } }
    ... on ReactionAdded { commentId reactionOf: replyId emoji ${comment} reply { reactions { emoji } } }
    ... on ReactionRemoved { commentId reactionOf: replyId emoji ${comment} }`,
    editor.id,
  );
  const does = (document: string, input: object) => doneTo(app, editor, document, { ...place, ...input });
  const { comment: posted } = await stream.delivers(does(createComment, { body: { markdown: "Hello" } }), {
    __typename: "CommentPosted",
    ...place,
    comment: { body: { markdown: "Hello" }, status: "OPEN", reactions: [], replyCount: 0 },
  });
  const commentId = posted.id;
  const changes = (input: object) => does(updateComment, { commentId, ...input });
  await stream.delivers(changes({ body: { markdown: "Hi" } }), {
    __typename: "CommentEdited",
    commentId,
    comment: { body: { markdown: "Hi" } },
  });
  await stream.delivers(changes({ resolved: true }), {
    __typename: "CommentResolved",
    commentId,
    comment: { status: "RESOLVED" },
  });
  await stream.delivers(changes({ resolved: false }), {
    __typename: "CommentReopened",
    commentId,
    comment: { status: "OPEN" },
  });
  await stream.delivers(changes({ addedReactions: ["🎉"] }), {
    __typename: "ReactionAdded",
    commentId,
    reactionOf: null,
    emoji: "🎉",
    comment: { reactions: [{ emoji: "🎉" }] },
  });
  await stream.delivers(changes({ removedReactions: ["🎉"] }), {
    __typename: "ReactionRemoved",
    commentId,
    reactionOf: null,
    emoji: "🎉",
    comment: { reactions: [] },
  });
  const { reply } = await stream.delivers(does(createReply, { commentId, body: { markdown: "Yes" } }), {
    __typename: "ReplyPosted",
    commentId,
    comment: { replyCount: 1 },
    reply: { body: { markdown: "Yes" }, comment: { id: commentId } },
  });
  const replyId = reply.id;
  await stream.delivers(
    does(updateReply, { commentId, replyId, body: { markdown: "No" }, addedReactions: ["🚀"] }),
    { __typename: "ReplyEdited", commentId, replyId, reply: { body: { markdown: "No" } } },
    {
      __typename: "ReactionAdded",
      commentId,
      reactionOf: replyId,
      emoji: "🚀",
      reply: { reactions: [{ emoji: "🚀" }] },
    },
  );
  const [one, other] = [`[a](user:${admin.id})`, `[b](user:${admin.id})`];
  const named = { __typename: "UserMentioned", commentId, userId: admin.id, user: { id: admin.id } };
  await stream.delivers(
    changes({ body: { markdown: one } }),
    { __typename: "CommentEdited", commentId },
    { ...named, namedIn: null, comment: { body: { markdown: one } }, named: null },
  );
  await stream.delivers(
    does(updateReply, { commentId, replyId, body: { markdown: other } }),
    { __typename: "ReplyEdited", replyId },
    { ...named, namedIn: replyId, named: { body: { markdown: other } } },
  );
  await stream.delivers(does(deleteReply, { commentId, replyId }), {
    __typename: "ReplyDeleted",
    ...place,
    commentId,
    replyId,
    comment: { replyCount: 0 },
  });
  await stream.delivers(does(deleteComment, { commentId }), { __typename: "CommentDeleted", ...place, commentId });
  expect(await stream.end(15)).toEqual(kindsOf("CommentEventsMessage"));
});

/** Runs a mutation with an input that must succeed; its one field. */
async function done<Answer>(token: string, name: string, input: object, answer = "__typename"): Promise<Answer> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { done: ${name}(input: $input) { ${answer} } }`;
  return (await app.as(token).query<{ done: Answer }>(document, { input })).done;
}

interface Made {
  readonly changeRequest: { readonly id: string };
}

test("change requests and their reviews", async () => {
  const { admin, reviewer, space } = await world.space();
  const spaceId = space.id;
  const shown = "spaceId changeRequestId changeRequest { subject status outdated reviewStatus }";
  const revision = "revisionId revision { id type }";
  const stream = await listen(
    admin.token,
    `changeRequestEvents(spaceId: "${spaceId}")`,
    `... on ChangeRequestOpened { ${shown} } ... on ChangeRequestSubjectChanged { ${shown} } ... on ChangeRequestStatusChanged { ${shown} }
    ... on ChangeRequestEdited { ${shown} ${revision} } ... on ChangeRequestUpdatesPulled { ${shown} ${revision} }
    ... on ChangeRequestMerged { ${shown} ${revision} }
    ... on ReviewRequested { ${shown} reviewId review { status reviewer { id } } } ... on ReviewWithdrawn { ${shown} reviewId }
    ... on ReviewSubmitted { ${shown} review { status message } } ... on ReviewDismissed { ${shown} review { status message } }`,
    admin.id,
  );
  const does = (name: string, input: object, answer?: string) =>
    done<Made>(admin.token, name, { spaceId, ...input }, answer);
  const { changeRequest } = await stream.delivers(
    does("createChangeRequest", { subject: "Tides" }, "changeRequest { id }"),
    { __typename: "ChangeRequestOpened", spaceId, changeRequest: { subject: "Tides", status: "DRAFT" } },
  );
  const changeRequestId = changeRequest.id;
  const place = { spaceId, changeRequestId };
  await stream.delivers(does("updateChangeRequest", { changeRequestId, subject: "Tide tables" }), {
    __typename: "ChangeRequestSubjectChanged",
    ...place,
    changeRequest: { subject: "Tide tables" },
  });
  await stream.delivers(does("updateChangeRequest", { changeRequestId, status: "OPEN" }), {
    __typename: "ChangeRequestStatusChanged",
    ...place,
    changeRequest: { status: "OPEN" },
  });
  await stream.delivers(editAs(app.as(admin.token), { changeRequestId }, newPage("Springs").edit), {
    __typename: "ChangeRequestEdited",
    ...place,
    revision: { type: "EDITS" },
  });
  await editAs(app.as(admin.token), { spaceId }, newPage("Neaps").edit); // which is not delivered on this stream
  const updated = { ...place, changeRequest: { outdated: false }, revision: { type: "UPDATE" } };
  await stream.delivers(
    does("pullChangeRequestUpdates", { changeRequestId }),
    { __typename: "ChangeRequestUpdatesPulled", ...updated },
    { __typename: "ChangeRequestEdited", ...updated },
  );
  const asked = {
    __typename: "ReviewRequested",
    ...place,
    review: { status: "REQUESTED", reviewer: { id: reviewer.id } },
  };
  const ask = () => does("requestReviews", { changeRequestId, reviewerIds: [reviewer.id] });
  await stream.delivers(ask(), asked);
  await stream.delivers(does("withdrawReviewRequest", { changeRequestId, reviewerId: reviewer.id }), {
    __typename: "ReviewWithdrawn",
    ...place,
    reviewId: expect.any(String) as string,
  });
  await stream.delivers(ask(), asked);
  const approval = { ...place, verdict: "APPROVED", message: "Good" };
  const submitted = done<{ review: { id: string } }>(reviewer.token, "submitReview", approval, "review { id }");
  const { review } = await stream.delivers(submitted, {
    __typename: "ReviewSubmitted",
    ...place,
    actor: { id: reviewer.id },
    review: { status: "APPROVED", message: "Good" },
  });
  await stream.delivers(done(admin.token, "dismissReview", { reviewId: review.id }), {
    __typename: "ReviewDismissed",
    ...place,
    review: { status: "DISMISSED", message: "Good" },
  });
  await stream.delivers(does("mergeChangeRequest", { changeRequestId }), {
    __typename: "ChangeRequestMerged",
    ...place,
    changeRequest: { status: "MERGED" },
    revision: { type: "MERGE" },
  });
  expect(await stream.end(12)).toEqual(kindsOf("ChangeRequestEventsMessage"));
});

test("a space", async () => {
  const { admin, space, collection } = await world.space();
  const spaceId = space.id;
  const shown = "spaceId space { title parent { id } }";
  const revision = "revisionId revision { type }";
  const stream = await listen(
    admin.token,
    `spaceEvents(spaceId: "${spaceId}")`,
    `... on SpaceSettingsChanged { ${shown} } ... on SpaceMoved { ${shown} } ... on SpaceContentEdited { ${shown} ${revision} }
    ... on ChangeRequestMerged { spaceId changeRequestId ${revision} }`,
    admin.id,
  );
  const does = (name: string, input: object, answer?: string) =>
    done<Made>(admin.token, name, { spaceId, ...input }, answer);
  await stream.delivers(does("updateSpace", { title: "Tides" }), {
    __typename: "SpaceSettingsChanged",
    spaceId,
    space: { title: "Tides", parent: { id: collection.id } },
  });
  await stream.delivers(does("moveSpace", { parentId: null }), {
    __typename: "SpaceMoved",
    spaceId,
    space: { parent: null },
  });
  await stream.delivers(editAs(app.as(admin.token), { spaceId }, newPage("Springs").edit), {
    __typename: "SpaceContentEdited",
    spaceId,
    revision: { type: "EDITS" },
  });
  // Delivered to those who listen to change requests.
  const { changeRequest } = await does("createChangeRequest", {}, "changeRequest { id }");
  const changeRequestId = changeRequest.id;
  await editAs(app.as(admin.token), { changeRequestId }, newPage("Neaps").edit);
  const merged = { spaceId, revision: { type: "MERGE" } };
  await stream.delivers(
    does("mergeChangeRequest", { changeRequestId }),
    { __typename: "ChangeRequestMerged", changeRequestId, ...merged },
    { __typename: "SpaceContentEdited", ...merged },
  );
  expect(await stream.end(5)).toEqual(kindsOf("SpaceEventsMessage"));
});
