// The /v1 operations on replies to comments of spaces and of change requests (spec 2, sections 4.5 and 4.6).
import {
  commentTag,
  format,
  newText,
  reactions,
  replyFields,
  writtenReplyFields,
} from "#src/features/comments/routes/parts.ts";
import { defineRoutes, type Parent, parentAt, type RouteRow } from "#src/rest/route.ts";

const onSpace = parentAt("comment of a space", "/v1/spaces/{spaceId}/comments/{commentId}");
const onChangeRequest = parentAt(
  "comment of a change request",
  "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}",
);

/** In the contract the id of a reply has another name. */
const named = { replyId: "commentReplyId" };

const list = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/replies`,
  summary: `List the replies to a ${of.noun}`,
  list: true,
  choices: format,
  answer: [...of.answer, "replies"],
  fields: replyFields,
});

const get = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/replies/{commentReplyId}`,
  summary: `Get a reply to a ${of.noun}`,
  choices: format,
  named,
  answer: [...of.answer, "reply"],
  fields: replyFields,
});

const create = (of: Parent): RouteRow => ({
  request: `POST ${of.path}/replies`,
  summary: `Reply to a ${of.noun}`,
  body: { body: "The text." },
  named: { text: "body" }, // the same
  answer: ["createCommentReply", "reply"],
  fields: writtenReplyFields,
});

/** The same, where the contract has a parameter `format`. */
const createInFormat = (of: Parent): RouteRow => ({
  ...create(of),
  choices: format,
  fields: replyFields,
});

const update = (of: Parent): RouteRow => ({
  request: `PUT ${of.path}/replies/{commentReplyId}`,
  summary: `Change a reply to a ${of.noun}`,
  body: { body: newText, ...reactions },
  named: { ...named, text: "body" },
  answer: ["updateCommentReply", "reply"],
  fields: writtenReplyFields,
});

const remove = (of: Parent): RouteRow => ({
  request: `DELETE ${of.path}/replies/{commentReplyId}`,
  summary: `Delete a reply to a ${of.noun}`,
  named,
  answer: ["deleteCommentReply", "deletedId"],
});

export const replyRoutes = defineRoutes(commentTag, {
  getSpaceCommentReply: get(onSpace),
  createSpaceCommentReply: create(onSpace),
  updateSpaceCommentReply: update(onSpace),
  deleteSpaceCommentReply: remove(onSpace),
  listChangeRequestCommentReplies: list(onChangeRequest),
  getChangeRequestCommentReply: get(onChangeRequest),
  createChangeRequestCommentReply: createInFormat(onChangeRequest),
});
