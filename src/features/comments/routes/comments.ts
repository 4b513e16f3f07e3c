// The /v1 operations on comments of spaces and of change requests (spec 2, sections 4.5 and 4.6).
import {
  commentTag,
  commentFields,
  format,
  newText,
  reactions,
  writtenCommentFields,
} from "#src/features/comments/routes/parts.ts";
import { defineRoutes, type Parent, parentAt, type RouteRow } from "#src/rest/route.ts";

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
  variables: ["$order: SortOrder! = DESC"],
  given: { orderBy: "{ field: POSTED_AT, direction: $order }" },
  named: { pageId: "targetPage" },
  choices: format,
  answer: [...of.answer, "comments"],
  fields: commentFields,
});

const get = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/comments/{commentId}`,
  summary: `Get a comment of a ${of.noun}`,
  choices: format,
  answer: [...of.answer, "comment"],
  fields: commentFields,
});

/** In the contract the text has another name. */
const named = { nodeKey: "node", text: "body" };

const create = (of: Parent): RouteRow => ({
  request: `POST ${of.path}/comments`,
  summary: `Post a comment on a ${of.noun}`,
  body: {
    body: "The text.",
    page: "Id of the page that it is about.",
    node: "Key of the node that it is about; without a page it is found on the one page that has it.",
    tableCell: "The table cell that it is about; without node and page it is found on the one page that has it.",
  },
  named,
  answer: ["createComment", "comment"],
  fields: writtenCommentFields,
});

const update = (of: Parent): RouteRow => ({
  request: `PUT ${of.path}/comments/{commentId}`,
  summary: `Change a comment of a ${of.noun}`,
  body: {
    resolved: "True resolves the comment, false opens it again.",
    body: newText,
    ...reactions,
  },
  named,
  answer: ["updateComment", "comment"],
  fields: writtenCommentFields,
});

const remove = (of: Parent): RouteRow => ({
  request: `DELETE ${of.path}/comments/{commentId}`,
  summary: `Delete a comment of a ${of.noun}`,
  answer: ["deleteComment", "deletedId"],
});

export const commentRoutes = defineRoutes(commentTag, {
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
