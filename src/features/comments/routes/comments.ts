// The /v1 operations on comments of spaces and of change requests (spec 2, sections 4.5 and 4.6).
import {
  commentFields,
  format,
  formatVariable,
  reactions,
  writtenCommentFields,
} from "#src/features/comments/routes/parts.ts";
import { type Parent, parentAt } from "#src/rest/parent.ts";
import { defineRoutes, pageOfList, type RouteRow } from "#src/rest/route.ts";

const space = parentAt("space", "/v1/spaces/{spaceId}");
const changeRequest = parentAt("change request", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}");

const list = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/comments`,
  summary: `List the comments of a ${of.noun}`,
  list: true,
  query: {
    order: "By the time of posting.",
    status: "Which comments to list.",
    targetPage: "Only comments on the page of this id.",
    authors: "Only comments by the users of these ids; repeat it for several.",
  },
  choices: format,
  answer: [...of.answer, "comments"],
  document: /* GraphQL */ `
    query (
      ${of.variables}, $order: SortOrder! = DESC, $status: CommentStatusFilter! = ALL, $targetPage: ID, $authors: [ID!]
      $first: Int, $after: String, ${formatVariable}
    ) {
      ${of.open}
        comments(
          order: $order, status: $status, targetPage: $targetPage, authors: $authors, first: $first, after: $after
        ) { nodes { ...CommentFields } ${pageOfList} }
      ${of.close}
    }
    ${commentFields}
  `,
});

const get = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/comments/{commentId}`,
  summary: `Get a comment of a ${of.noun}`,
  choices: format,
  answer: [...of.answer, "comment"],
  document: /* GraphQL */ `
    query (${of.variables}, $commentId: ID!, ${formatVariable}) {
      ${of.open} comment(id: $commentId) { ...CommentFields } ${of.close}
    }
    ${commentFields}
  `,
});

const create = (of: Parent): RouteRow => ({
  request: `POST ${of.path}/comments`,
  summary: `Post a comment on a ${of.noun}`,
  body: {
    body: "The text.",
    page: "Id of the page that it is about.",
    node: "Key of the node that it is about.",
    tableCell: "The table cell that it is about.",
  },
  answer: ["createComment", "comment"],
  document: /* GraphQL */ `
    mutation (
      ${of.variables}, $body: CommentBodyInput!, $page: ID, $node: String, $tableCell: CommentTableCellInput
    ) {
      createComment(input: { ${of.input}, body: $body, page: $page, node: $node, tableCell: $tableCell }) {
        comment { ...WrittenCommentFields }
      }
    }
    ${writtenCommentFields}
  `,
});

const update = (of: Parent): RouteRow => ({
  request: `PUT ${of.path}/comments/{commentId}`,
  summary: `Change a comment of a ${of.noun}`,
  body: {
    resolved: "True resolves the comment, false opens it again.",
    body: "The new text; an empty object leaves it as it is.",
    ...reactions,
  },
  answer: ["updateComment", "comment"],
  document: /* GraphQL */ `
    mutation (
      ${of.variables}, $commentId: ID!, $resolved: Boolean, $body: CommentBodyInput
      $addedReactions: [String!], $removedReactions: [String!]
    ) {
      updateComment(input: {
        ${of.input}, commentId: $commentId, resolved: $resolved, body: $body
        addedReactions: $addedReactions, removedReactions: $removedReactions
      }) {
        comment { ...WrittenCommentFields }
      }
    }
    ${writtenCommentFields}
  `,
});

const remove = (of: Parent): RouteRow => ({
  request: `DELETE ${of.path}/comments/{commentId}`,
  summary: `Delete a comment of a ${of.noun}`,
  answer: ["deleteComment", "deleted"],
  document: /* GraphQL */ `
    mutation (${of.variables}, $commentId: ID!) {
      deleteComment(input: { ${of.input}, commentId: $commentId }) { deleted }
    }
  `,
});

export const commentRoutes = defineRoutes({
  listSpaceComments: list(space),
  getSpaceComment: get(space),
  createSpaceComment: create(space),
  updateSpaceComment: update(space),
  deleteSpaceComment: remove(space),
  listChangeRequestComments: list(changeRequest),
  getChangeRequestComment: get(changeRequest),
  createChangeRequestComment: create(changeRequest),
  updateChangeRequestComment: update(changeRequest),
  deleteChangeRequestComment: remove(changeRequest),
});
