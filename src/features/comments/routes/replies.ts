// The /v1 operations on replies to comments of spaces and of change requests (spec 2, sections 4.5 and 4.6).
import {
  format,
  formatVariable,
  reactions,
  replyFields,
  writtenReplyFields,
} from "#src/features/comments/routes/parts.ts";
import { type Parent, parentAt } from "#src/rest/parent.ts";
import { defineRoutes, pageOfList, type RouteRow } from "#src/rest/route.ts";

const onSpace = parentAt("comment of a space", "/v1/spaces/{spaceId}/comments/{commentId}");
const onChangeRequest = parentAt(
  "comment of a change request",
  "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}",
);

const list = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/replies`,
  summary: `List the replies to a ${of.noun}`,
  list: true,
  choices: format,
  answer: [...of.answer, "replies"],
  document: /* GraphQL */ `
    query (${of.variables}, $first: Int, $after: String, ${formatVariable}) {
      ${of.open} replies(first: $first, after: $after) { nodes { ...CommentReplyFields } ${pageOfList} } ${of.close}
    }
    ${replyFields}
  `,
});

const get = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/replies/{commentReplyId}`,
  summary: `Get a reply to a ${of.noun}`,
  choices: format,
  answer: [...of.answer, "reply"],
  document: /* GraphQL */ `
    query (${of.variables}, $commentReplyId: ID!, ${formatVariable}) {
      ${of.open} reply(id: $commentReplyId) { ...CommentReplyFields } ${of.close}
    }
    ${replyFields}
  `,
});

const create = (of: Parent): RouteRow => ({
  request: `POST ${of.path}/replies`,
  summary: `Reply to a ${of.noun}`,
  body: { body: "The text." },
  answer: ["createCommentReply", "reply"],
  document: /* GraphQL */ `
    mutation (${of.variables}, $body: CommentBodyInput!) {
      createCommentReply(input: { ${of.input}, body: $body }) { reply { ...WrittenCommentReplyFields } }
    }
    ${writtenReplyFields}
  `,
});

/** The same, where the contract has a parameter `format`. */
const createInFormat = (of: Parent): RouteRow => ({
  ...create(of),
  choices: format,
  document: /* GraphQL */ `
    mutation (${of.variables}, $body: CommentBodyInput!, ${formatVariable}) {
      createCommentReply(input: { ${of.input}, body: $body }) { reply { ...CommentReplyFields } }
    }
    ${replyFields}
  `,
});

const update = (of: Parent): RouteRow => ({
  request: `PUT ${of.path}/replies/{commentReplyId}`,
  summary: `Change a reply to a ${of.noun}`,
  body: { body: "The new text; an empty object leaves it as it is.", ...reactions },
  answer: ["updateCommentReply", "reply"],
  document: /* GraphQL */ `
    mutation (
      ${of.variables}, $commentReplyId: ID!, $body: CommentBodyInput
      $addedReactions: [String!], $removedReactions: [String!]
    ) {
      updateCommentReply(input: {
        ${of.input}, replyId: $commentReplyId, body: $body
        addedReactions: $addedReactions, removedReactions: $removedReactions
      }) {
        reply { ...WrittenCommentReplyFields }
      }
    }
    ${writtenReplyFields}
  `,
});

const remove = (of: Parent): RouteRow => ({
  request: `DELETE ${of.path}/replies/{commentReplyId}`,
  summary: `Delete a reply to a ${of.noun}`,
  answer: ["deleteCommentReply", "deleted"],
  document: /* GraphQL */ `
    mutation (${of.variables}, $commentReplyId: ID!) {
      deleteCommentReply(input: { ${of.input}, replyId: $commentReplyId }) { deleted }
    }
  `,
});

export const replyRoutes = defineRoutes({
  getSpaceCommentReply: get(onSpace),
  createSpaceCommentReply: create(onSpace),
  updateSpaceCommentReply: update(onSpace),
  deleteSpaceCommentReply: remove(onSpace),
  listChangeRequestCommentReplies: list(onChangeRequest),
  getChangeRequestCommentReply: get(onChangeRequest),
  createChangeRequestCommentReply: createInFormat(onChangeRequest),
});
