// The /v1 operations on comments of spaces and of change requests (spec 2, sections 4.5 and 4.6).
import type { Route } from "#src/rest/route.ts";

const postFields = /* GraphQL */ `
  postedBy { ...CommentUser } postedAt editedAt
  reactions { emoji count users { user { ...CommentUser } reactedAt } }
  body { markdown }
  urls { location }
  permissions { view edit reply delete }
`;

const commentFields = /* GraphQL */ `
  fragment CommentUser on User { object id displayName email photoURL urls { location } }
  fragment CommentFields on Comment {
    object id replies: replyCount status resolvedAt resolvedBy { ...CommentUser }
    target {
      node { id preview } tableCell { record definition } page { id }
      changeRequest: changeRequestId space: spaceId revision: revisionId
    }
    ${postFields}
  }
`;

const replyFields = /* GraphQL */ `
  fragment CommentUser on User { object id displayName email photoURL urls { location } }
  fragment CommentReplyFields on CommentReply { object id ${postFields} }
`;

const filterVariables =
  "$order: SortOrder! = DESC, $status: CommentStatusFilter! = ALL, $targetPage: ID, $authors: [ID!]";
const filterArguments = "order: $order, status: $status, targetPage: $targetPage, authors: $authors";
const filterQuery = {
  order: "By the time of posting.",
  status: "Which comments to list.",
  targetPage: "Only comments on the page of this id.",
  authors: "Only comments by the users of these ids; repeat it for several.",
} as const;
const page = "pageInfo { hasNextPage endCursor } totalCount";

const spacePath = "/v1/spaces/{spaceId}/comments";
const changeRequestPath = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments";

const spaceCommentRoutes: readonly Route[] = [
  {
    operationId: "listSpaceComments",
    method: "GET",
    path: spacePath,
    summary: "List the comments of a space",
    noun: "space",
    list: true,
    query: filterQuery,
    answer: ["space", "comments"],
    document: /* GraphQL */ `
      query ListSpaceComments($spaceId: ID!, ${filterVariables}, $first: Int, $after: String) {
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
    answer: ["space", "comment"],
    document: /* GraphQL */ `
      query GetSpaceComment($spaceId: ID!, $commentId: ID!) {
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
    answer: ["space", "comment", "reply"],
    document: /* GraphQL */ `
      query GetSpaceCommentReply($spaceId: ID!, $commentId: ID!, $commentReplyId: ID!) {
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
];

const changeRequestCommentRoutes: readonly Route[] = [
  {
    operationId: "listChangeRequestComments",
    method: "GET",
    path: changeRequestPath,
    summary: "List the comments of a change request",
    noun: "change request",
    list: true,
    query: filterQuery,
    answer: ["space", "changeRequest", "comments"],
    document: /* GraphQL */ `
      query ListChangeRequestComments($spaceId: ID!, $changeRequestId: ID!, ${filterVariables}, $first: Int, $after: String) {
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
    answer: ["space", "changeRequest", "comment"],
    document: /* GraphQL */ `
      query GetChangeRequestComment($spaceId: ID!, $changeRequestId: ID!, $commentId: ID!) {
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
    answer: ["space", "changeRequest", "comment", "replies"],
    document: /* GraphQL */ `
      query ListChangeRequestCommentReplies($spaceId: ID!, $changeRequestId: ID!, $commentId: ID!, $first: Int, $after: String) {
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
    answer: ["space", "changeRequest", "comment", "reply"],
    document: /* GraphQL */ `
      query GetChangeRequestCommentReply($spaceId: ID!, $changeRequestId: ID!, $commentId: ID!, $commentReplyId: ID!) {
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
];

export const commentRoutes: readonly Route[] = [...spaceCommentRoutes, ...changeRequestCommentRoutes];
