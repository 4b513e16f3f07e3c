// The /v1 operations on comments of change requests (spec 2, section 4.6).
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
  replyFields,
  writtenCommentFields,
} from "#src/features/comments/routes/parts.ts";
import type { Route } from "#src/rest/route.ts";

const changeRequestPath = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments";

export const changeRequestCommentRoutes: readonly Route[] = [
  {
    operationId: "listChangeRequestComments",
    method: "GET",
    path: changeRequestPath,
    summary: "List the comments of a change request",
    noun: "change request",
    list: true,
    query: filterQuery,
    choices: format,
    answer: ["space", "changeRequest", "comments"],
    document: /* GraphQL */ `
      query ListChangeRequestComments($spaceId: ID!, $changeRequestId: ID!, ${filterVariables}, $first: Int, $after: String, ${formatVariable}) {
        space(id: $spaceId) {
          changeRequest(id: $changeRequestId) {
            comments(${filterArguments}, first: $first, after: $after) { nodes { ...CommentFields } ${page} }
          }
        }
      }
      ${commentFields}
    `,
  },
  {
    operationId: "getChangeRequestComment",
    method: "GET",
    path: `${changeRequestPath}/{commentId}`,
    summary: "Get a comment of a change request",
    noun: "comment",
    choices: format,
    answer: ["space", "changeRequest", "comment"],
    document: /* GraphQL */ `
      query GetChangeRequestComment($spaceId: ID!, $changeRequestId: ID!, $commentId: ID!, ${formatVariable}) {
        space(id: $spaceId) {
          changeRequest(id: $changeRequestId) {
            comment(id: $commentId) {
              ...CommentFields
            }
          }
        }
      }
      ${commentFields}
    `,
  },
  {
    operationId: "listChangeRequestCommentReplies",
    method: "GET",
    path: `${changeRequestPath}/{commentId}/replies`,
    summary: "List the replies to a comment of a change request",
    noun: "comment",
    list: true,
    choices: format,
    answer: ["space", "changeRequest", "comment", "replies"],
    document: /* GraphQL */ `
      query ListChangeRequestCommentReplies($spaceId: ID!, $changeRequestId: ID!, $commentId: ID!, $first: Int, $after: String, ${formatVariable}) {
        space(id: $spaceId) {
          changeRequest(id: $changeRequestId) {
            comment(id: $commentId) { replies(first: $first, after: $after) { nodes { ...CommentReplyFields } ${page} } }
          }
        }
      }
      ${replyFields}
    `,
  },
  {
    operationId: "getChangeRequestCommentReply",
    method: "GET",
    path: `${changeRequestPath}/{commentId}/replies/{commentReplyId}`,
    summary: "Get a reply to a comment of a change request",
    noun: "reply",
    choices: format,
    answer: ["space", "changeRequest", "comment", "reply"],
    document: /* GraphQL */ `
      query GetChangeRequestCommentReply($spaceId: ID!, $changeRequestId: ID!, $commentId: ID!, $commentReplyId: ID!, ${formatVariable}) {
        space(id: $spaceId) {
          changeRequest(id: $changeRequestId) {
            comment(id: $commentId) {
              reply(id: $commentReplyId) {
                ...CommentReplyFields
              }
            }
          }
        }
      }
      ${replyFields}
    `,
  },
  {
    operationId: "createChangeRequestComment",
    method: "POST",
    path: changeRequestPath,
    summary: "Post a comment on a change request",
    noun: "change request",
    body: newComment,
    answer: ["createComment", "comment"],
    document: /* GraphQL */ `
      mutation CreateChangeRequestComment($spaceId: ID!, $changeRequestId: ID!, ${newCommentVariables}) {
        createComment(input: { spaceId: $spaceId, changeRequestId: $changeRequestId, ${newCommentInput} }) { comment { ...WrittenCommentFields } }
      }
      ${writtenCommentFields}
    `,
  },
  {
    operationId: "updateChangeRequestComment",
    method: "PUT",
    path: `${changeRequestPath}/{commentId}`,
    summary: "Change a comment of a change request",
    noun: "comment",
    body: commentChanges,
    answer: ["updateComment", "comment"],
    document: /* GraphQL */ `
      mutation UpdateChangeRequestComment($spaceId: ID!, $changeRequestId: ID!, $commentId: ID!, ${commentChangesVariables}) {
        updateComment(input: { spaceId: $spaceId, changeRequestId: $changeRequestId, commentId: $commentId, ${commentChangesInput} }) { comment { ...WrittenCommentFields } }
      }
      ${writtenCommentFields}
    `,
  },
  {
    operationId: "deleteChangeRequestComment",
    method: "DELETE",
    path: `${changeRequestPath}/{commentId}`,
    summary: "Delete a comment of a change request",
    noun: "change request",
    success: "deleted",
    answer: ["deleteComment", "deleted"],
    document: /* GraphQL */ `
      mutation DeleteChangeRequestComment($spaceId: ID!, $changeRequestId: ID!, $commentId: ID!) {
        deleteComment(input: { spaceId: $spaceId, changeRequestId: $changeRequestId, commentId: $commentId }) {
          deleted
        }
      }
    `,
  },
  {
    operationId: "createChangeRequestCommentReply",
    method: "POST",
    path: `${changeRequestPath}/{commentId}/replies`,
    summary: "Reply to a comment of a change request",
    noun: "comment",
    body: newReply,
    choices: format,
    answer: ["createCommentReply", "reply"],
    document: /* GraphQL */ `
      mutation CreateChangeRequestCommentReply(
        $spaceId: ID!
        $changeRequestId: ID!
        $commentId: ID!
        $body: CommentBodyInput!
        ${formatVariable}
      ) {
        createCommentReply(
          input: { spaceId: $spaceId, changeRequestId: $changeRequestId, commentId: $commentId, body: $body }
        ) {
          reply {
            ...CommentReplyFields
          }
        }
      }
      ${replyFields}
    `,
  },
];
