// Every kind of event of comments, change requests and spaces, each caused by its mutation: it is delivered once, with
// its actor, its facts, and the node or the ids of the deleted object; and a replay is equal.
import { expect, test } from "vitest";
import {
  createComment,
  createReply,
  deleteComment,
  deleteReply,
  done as doneTo,
  updateComment,
  updateReply,
} from "#test/features/comments/discussion.ts";
import { importAs } from "#test/features/imports/importing.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { done as mutated, kindsOf, listen } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("events of comments, replies and reactions have their facts, once, also on replay", async () => {
  const { admin, editor, space, changeRequest } = await world.changeRequest();
  const place = { spaceId: space.id, changeRequestId: changeRequest.id };
  const comment = "comment { body { markdown } status reactions { emoji } replyCount }";
  const stream = await listen(app, editor, `commentEvents(of: { changeRequestId: "${changeRequest.id}" })`, {
    selection: `... on CommentPosted { spaceId changeRequestId commentId ${comment} } ... on CommentEdited { commentId ${comment} }
    ... on CommentResolved { commentId ${comment} } ... on CommentReopened { commentId ${comment} }
    ... on CommentDeleted { spaceId changeRequestId commentId }
    ... on ReplyPosted { commentId replyId ${comment} reply { body { markdown } comment { id } } }
    ... on ReplyEdited { commentId replyId reply { body { markdown } } } ... on ReplyDeleted { spaceId changeRequestId commentId replyId ${comment} }
    ... on UserMentioned { commentId namedIn: replyId userId user { id } ${comment} named: reply { body { markdown } } }
    ... on ReactionAdded { commentId reactionOf: replyId emoji ${comment} reply { reactions { emoji } } }
    ... on ReactionRemoved { commentId reactionOf: replyId emoji ${comment} }`,
  });
  const does = (document: string, input: object) => doneTo(app, editor, document, input);
  const { comment: posted } = await stream.delivers(
    does(createComment, { contentOf: { changeRequestId: changeRequest.id }, text: { markdown: "Hello" } }),
    {
      __typename: "CommentPosted",
      ...place,
      comment: { body: { markdown: "Hello" }, status: "OPEN", reactions: [], replyCount: 0 },
    },
  );
  const commentId = posted.id;
  const changes = (input: object) => does(updateComment, { commentId, ...input });
  await stream.delivers(changes({ text: { markdown: "Hi" } }), {
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
  const { reply } = await stream.delivers(does(createReply, { commentId, text: { markdown: "Yes" } }), {
    __typename: "ReplyPosted",
    commentId,
    comment: { replyCount: 1 },
    reply: { body: { markdown: "Yes" }, comment: { id: commentId } },
  });
  const replyId = reply.id;
  await stream.delivers(
    does(updateReply, { replyId, text: { markdown: "No" }, addedReactions: ["🚀"] }),
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
    changes({ text: { markdown: one } }),
    { __typename: "CommentEdited", commentId },
    { ...named, namedIn: null, comment: { body: { markdown: one } }, named: null },
  );
  await stream.delivers(
    does(updateReply, { replyId, text: { markdown: other } }),
    { __typename: "ReplyEdited", replyId },
    { ...named, namedIn: replyId, named: { body: { markdown: other } } },
  );
  await stream.delivers(does(deleteReply, { replyId }), {
    __typename: "ReplyDeleted",
    ...place,
    commentId,
    replyId,
    comment: { replyCount: 0 },
  });
  await stream.delivers(does(deleteComment, { commentId }), { __typename: "CommentDeleted", ...place, commentId });
  expect(await stream.end(15)).toEqual(kindsOf("commentEvents"));
});

const done = <Answer>(token: string, name: string, input: object, answer = "__typename") =>
  mutated<Answer>(app, token, name, { ...input, answer });

interface Made {
  readonly changeRequest: { readonly id: string };
}

test("events of change requests and reviews have their facts, once, also on replay", async () => {
  const { admin, reviewer, space } = await world.space();
  const spaceId = space.id;
  const shown = "changeRequest { subject status outdated reviewStatus }";
  const revision = "revision { id type }";
  const stream = await listen(app, admin, `changeRequestEvents(of: { spaceId: "${spaceId}" })`, {
    selection: `... on ChangeRequestDrafted { ${shown} } ... on ChangeRequestSubjectChanged { ${shown} } ... on ChangeRequestOpened { ${shown} }
    ... on ChangeRequestEdited { ${shown} ${revision} } ... on ChangeRequestUpdatesPulled { ${shown} ${revision} }
    ... on ChangeRequestMerged { ${shown} ${revision} } ... on ReviewRequested { ${shown} reviewer { id } review { status } }
    ... on ReviewSubmitted { ${shown} review { status message } } ... on ReviewDismissed { review { status } }`,
  });
  const does = (name: string, input: object, answer?: string) => done<Made>(admin.token, name, input, answer);
  const { changeRequest } = await stream.delivers(
    does("createChangeRequest", { spaceId, subject: "Tides", agentTaskId: "task 7" }, "changeRequest { id }"),
    {
      __typename: "ChangeRequestDrafted",
      facts: { spaceId, kind: "CHANGE_REQUEST_DRAFTED", number: 1, subject: "Tides", agentTaskId: "task 7" },
      changeRequest: { subject: "Tides", status: "DRAFT" },
    },
  );
  const changeRequestId = changeRequest.id;
  const place = { spaceId, changeRequestId };
  const updates = (input: object) => does("updateChangeRequest", { changeRequestId, ...input });
  const renamed = { ...place, subjectBefore: "Tides", subject: "Tide tables" };
  const opened = { ...place, statusBefore: "DRAFT", status: "OPEN" };
  await stream.delivers(
    updates({ subject: "Tide tables", status: "OPEN" }),
    { __typename: "ChangeRequestSubjectChanged", facts: renamed, changeRequest: { subject: "Tide tables" } },
    { __typename: "ChangeRequestStatusChanged", facts: opened },
    {
      __typename: "ChangeRequestOpened",
      facts: { ...place, number: 1, subject: "Tide tables", statusBefore: "DRAFT" },
      changeRequest: { status: "OPEN" },
    },
  );
  await stream.delivers(updates({ subject: "Tide tables", status: "OPEN" })); // changes nothing
  await stream.delivers(updates({ status: "ARCHIVED" }), {
    __typename: "ChangeRequestStatusChanged",
    facts: { statusBefore: "OPEN", status: "ARCHIVED" },
  });
  await stream.delivers(
    updates({ status: "OPEN" }),
    { __typename: "ChangeRequestStatusChanged", facts: { statusBefore: "ARCHIVED", status: "OPEN" } },
    { __typename: "ChangeRequestOpened", facts: { statusBefore: "ARCHIVED" } },
  );
  await stream.delivers(editAs(app.as(admin.token), { changeRequestId }, newPage("Springs").edit), {
    __typename: "ChangeRequestEdited",
    facts: { ...place, revisionBeforeId: expect.any(String) as string },
    revision: { type: "EDITS" },
  });
  await stream.delivers(
    importInto(admin.token, { changeRequestId }),
    { __typename: "ChangeRequestEdited", revision: { type: "IMPORT" } },
    { __typename: "ChangeRequestContentImported", facts: place },
  );
  await editAs(app.as(admin.token), { spaceId }, newPage("Neaps").edit); // which is not delivered on this stream
  const updated = { facts: place, changeRequest: { outdated: false }, revision: { type: "UPDATE" } };
  await stream.delivers(
    does("pullChangeRequestUpdates", { changeRequestId }),
    { __typename: "ChangeRequestUpdatesPulled", ...updated },
    { __typename: "ChangeRequestEdited", ...updated },
  );
  const facts = { ...place, reviewerId: reviewer.id };
  const asked = {
    __typename: "ReviewRequested",
    facts,
    reviewer: { id: reviewer.id },
    review: { status: "REQUESTED" },
  };
  const ask = () => does("requestReviews", { changeRequestId, reviewerIds: [reviewer.id] });
  await stream.delivers(ask(), asked);
  await stream.delivers(does("withdrawReviewRequest", { changeRequestId, reviewerId: reviewer.id }), {
    __typename: "ReviewWithdrawn",
    facts,
  });
  await stream.delivers(ask(), { ...asked, review: expect.anything() as object });
  const approval = { changeRequestId, verdict: "APPROVED", message: "Good" };
  const submitted = done<{ review: { id: string } }>(reviewer.token, "submitReview", approval, "review { id }");
  const { review } = await stream.delivers(submitted, {
    __typename: "ReviewSubmitted",
    actor: { id: reviewer.id },
    facts: { ...facts, verdict: "APPROVED", revisionId: expect.any(String) as string },
    review: { status: "APPROVED", message: "Good" },
  });
  await stream.delivers(done(admin.token, "dismissReview", { reviewId: review.id }), {
    __typename: "ReviewDismissed",
    facts,
    review: { status: "DISMISSED" },
  });
  await stream.delivers(does("mergeChangeRequest", { changeRequestId }), {
    __typename: "ChangeRequestMerged",
    facts: { ...place, mergedRevisionId: expect.any(String) as string },
    changeRequest: { status: "MERGED" },
    revision: { type: "MERGE" },
  });
  expect(await stream.end(18)).toEqual(kindsOf("changeRequestEvents"));
});

/** Imports one file. */
const importInto = (token: string, place: Record<string, unknown>) =>
  importAs(app.as(token), { "currents.md": "# Currents\n" }, place);

test("events of a space until its deletion have their facts, once, also on replay", async () => {
  const { admin, reader, space, collection } = await world.space();
  const spaceId = space.id;
  const shown = "space { title parent { id } }";
  const stream = await listen(app, admin, `spaceEvents(of: { spaceId: "${spaceId}" })`, {
    selection: `... on SpaceSettingsChanged { ${shown} } ... on SpaceMoved { ${shown} } ... on SpaceContentEdited { revision { type } }
    ... on SpaceDuplicated { copy { title } }`,
  });
  const does = (name: string, input: object, answer?: string) =>
    done<Made>(admin.token, name, { spaceId, ...input }, answer);
  const settings = { title: "Tides", visibility: "SHARE_LINK", defaultLevel: "READ", editMode: "LOCKED" };
  const changed = (field: string, before: unknown, after: unknown) => ({ field, before, after });
  await stream.delivers(does("updateSpace", settings), {
    __typename: "SpaceSettingsChanged",
    facts: {
      spaceId,
      changes: [
        changed("title", space.title, "Tides"),
        changed("editMode", "LIVE", "LOCKED"),
        changed("defaultLevel", null, "READ"),
        changed("visibility", "IN_COLLECTION", "SHARE_LINK"),
      ],
    },
    space: { title: "Tides", parent: { id: collection.id } },
  });
  await stream.delivers(does("updateSpace", { ...settings })); // changes nothing
  await stream.delivers(does("updateSpace", { editMode: "LIVE" }), {
    __typename: "SpaceSettingsChanged",
    facts: { changes: [changed("editMode", "LOCKED", "LIVE")] },
  });
  await stream.delivers(does("moveSpace", { parentId: null }), {
    __typename: "SpaceMoved",
    facts: { spaceId, fromParentId: collection.id, toParentId: null, fromOrganizationId: null },
    space: { parent: null },
  });
  await stream.delivers(editAs(app.as(admin.token), { spaceId }, newPage("Springs").edit), {
    __typename: "SpaceContentEdited",
    facts: { spaceId },
    revision: { type: "EDITS" },
  });
  await stream.delivers(
    importInto(admin.token, { spaceId }),
    { __typename: "SpaceContentEdited", revision: { type: "IMPORT" } },
    { __typename: "ContentImported", facts: { spaceId } },
  );
  await stream.delivers(
    editAs(app.as(admin.token), { spaceId }, newPage("Crew", { markdown: `[@](user:${reader.id})` }).edit),
    { __typename: "SpaceContentEdited" },
    { __typename: "UserMentionedOnPage", facts: { spaceId, userId: reader.id } },
  );
  // Delivered to subscribers of change requests.
  const { changeRequest } = await does("createChangeRequest", {}, "changeRequest { id }");
  const changeRequestId = changeRequest.id;
  await editAs(app.as(admin.token), { changeRequestId }, newPage("Neaps").edit);
  await stream.delivers(
    done(admin.token, "mergeChangeRequest", { changeRequestId }),
    { __typename: "ChangeRequestMerged", facts: { spaceId, changeRequestId } },
    { __typename: "SpaceContentEdited", revision: { type: "MERGE" } },
  );
  await stream.delivers(does("duplicateSpace", {}), {
    __typename: "SpaceDuplicated",
    facts: { spaceId, title: "Tides", copyId: expect.stringMatching(/^spc_/) as string },
    copy: { title: "Tides" },
  });
  await stream.delivers(done(admin.token, "deleteSpace", { spaceId }), {
    __typename: "SpaceDeleted",
    facts: { spaceId, title: "Tides" },
  });
  expect(await stream.raw.receive()).toMatchObject({ type: "error", payload: [{ extensions: { code: "NOT_FOUND" } }] });
});
