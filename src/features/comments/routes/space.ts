// The /v1 operations on comments of spaces (spec 2, section 4.5).
import {
  commentChanges,
  commentChangesInput,
  commentChangesVariables,
  commentFields,
  filterArguments,
  filterQuery,
  filterVariables,
  format,
  formatVariable,
  newComment,
  newCommentInput,
  newCommentVariables,
  newReply,
  page,
  replyChanges,
  replyFields,
  writtenCommentFields,
  writtenReplyFields,
} from "#src/features/comments/routes/parts.ts";
import type { Route } from "#src/rest/route.ts";

const spacePath = "/v1/spaces/{spaceId}/comments";

export const spaceCommentRoutes: readonly Route[] = [
  {
    operationId: "listSpaceComments",
    method: "GET",
    path: spacePath,
    summary: "List the comments of a space",
    noun: "space",
    list: true,
    query: filterQuery,
    choices: format,
    answer: ["space", "comments"],
    document: /* GraphQL */ `
      query ListSpaceComments($spaceId: ID!, ${filterVariables}, $first: Int, $after: String, ${formatVariable}) {
        space(id: $spaceId) {
          comments(${filterArguments}, first: $first, after: $after) { nodes { ...CommentFields } ${page} }
        }
      }
      ${commentFields}
    `,
  },
  {
    operationId: "getSpaceComment",
    method: "GET",
    path: `${spacePath}/{commentId}`,
    summary: "Get a comment of a space",
    noun: "comment",
    choices: format,
    answer: ["space", "comment"],
    document: /* GraphQL */ `
      query GetSpaceComment($spaceId: ID!, $commentId: ID!, ${formatVariable}) {
        space(id: $spaceId) {
          comment(id: $commentId) {
            ...CommentFields
          }
        }
      }
      ${commentFields}
    `,
  },
  {
    operationId: "getSpaceCommentReply",
    method: "GET",
    path: `${spacePath}/{commentId}/replies/{commentReplyId}`,
    summary: "Get a reply to a comment of a space",
    noun: "reply",
    choices: format,
    answer: ["space", "comment", "reply"],
    document: /* GraphQL */ `
      query GetSpaceCommentReply($spaceId: ID!, $commentId: ID!, $commentReplyId: ID!, ${formatVariable}) {
        space(id: $spaceId) {
          comment(id: $commentId) {
            reply(id: $commentReplyId) {
              ...CommentReplyFields
            }
          }
        }
      }
      ${replyFields}
    `,
  },
  {
    operationId: "createSpaceComment",
    method: "POST",
    path: spacePath,
    summary: "Post a comment on a space",
    noun: "space",
    body: newComment,
    answer: ["createComment", "comment"],
    document: /* GraphQL */ `
      mutation CreateSpaceComment($spaceId: ID!, ${newCommentVariables}) {
        createComment(input: { spaceId: $spaceId, ${newCommentInput} }) { comment { ...WrittenCommentFields } }
      }
      ${writtenCommentFields}
    `,
  },
  {
    operationId: "updateSpaceComment",
    method: "PUT",
    path: `${spacePath}/{commentId}`,
    summary: "Change a comment of a space",
    noun: "comment",
    body: commentChanges,
    answer: ["updateComment", "comment"],
    document: /* GraphQL */ `
      mutation UpdateSpaceComment($spaceId: ID!, $commentId: ID!, ${commentChangesVariables}) {
        updateComment(input: { spaceId: $spaceId, commentId: $commentId, ${commentChangesInput} }) { comment { ...WrittenCommentFields } }
      }
      ${writtenCommentFields}
    `,
  },
  {
    operationId: "deleteSpaceComment",
    method: "DELETE",
    path: `${spacePath}/{commentId}`,
    summary: "Delete a comment of a space",
    noun: "space",
    success: "deleted",
    answer: ["deleteComment", "deleted"],
    document: /* GraphQL */ `
      mutation DeleteSpaceComment($spaceId: ID!, $commentId: ID!) {
        deleteComment(input: { spaceId: $spaceId, commentId: $commentId }) {
          deleted
        }
      }
    `,
  },
  {
    operationId: "createSpaceCommentReply",
    method: "POST",
    path: `${spacePath}/{commentId}/replies`,
    summary: "Reply to a comment of a space",
    noun: "comment",
    body: newReply,
    answer: ["createCommentReply", "reply"],
    document: /* GraphQL */ `
      mutation CreateSpaceCommentReply($spaceId: ID!, $commentId: ID!, $body: CommentBodyInput!) {
        createCommentReply(input: { spaceId: $spaceId, commentId: $commentId, body: $body }) {
          reply {
            ...WrittenCommentReplyFields
          }
        }
      }
      ${writtenReplyFields}
    `,
  },
  {
    operationId: "updateSpaceCommentReply",
    method: "PUT",
    path: `${spacePath}/{commentId}/replies/{commentReplyId}`,
    summary: "Change a reply to a comment of a space",
    noun: "reply",
    body: replyChanges,
    answer: ["updateCommentReply", "reply"],
    document: /* GraphQL */ `
      mutation UpdateSpaceCommentReply(
        $spaceId: ID!
        $commentId: ID!
        $commentReplyId: ID!
        $body: CommentBodyInput
        $addedReactions: [String!]
        $removedReactions: [String!]
      ) {
        updateCommentReply(
          input: {
            spaceId: $spaceId
            commentId: $commentId
            replyId: $commentReplyId
            body: $body
            addedReactions: $addedReactions
            removedReactions: $removedReactions
          }
        ) {
          reply {
            ...WrittenCommentReplyFields
          }
        }
      }
      ${writtenReplyFields}
    `,
  },
  {
    operationId: "deleteSpaceCommentReply",
    method: "DELETE",
    path: `${spacePath}/{commentId}/replies/{commentReplyId}`,
    summary: "Delete a reply to a comment of a space",
    noun: "comment",
    success: "deleted",
    answer: ["deleteCommentReply", "deleted"],
    document: /* GraphQL */ `
      mutation DeleteSpaceCommentReply($spaceId: ID!, $commentId: ID!, $commentReplyId: ID!) {
        deleteCommentReply(input: { spaceId: $spaceId, commentId: $commentId, replyId: $commentReplyId }) {
          deleted
        }
      }
    `,
  },
];
