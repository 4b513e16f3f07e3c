// The /v1 operations on comments and replies, of spaces and of change requests (spec 2, sections 4.5 and 4.6).
import { userFields } from "#src/features/users/routes.ts";
import { defineAdditions, defineRoutes, type Parent, parentAt, type RouteRow, type Tag } from "#src/rest/route.ts";

/** The parameter `format`. */
const format = {
  format: {
    description: "Format of the comment bodies in the response.",
    variable: "asDocument",
    values: ["markdown", "document"],
  },
} as const satisfies RouteRow["choices"];

const newText = { description: "The new text; an empty object keeps the old one.", mayBeEmpty: true } as const;

const reactions = {
  addedReactions: "Emojis with which the caller reacts.",
  removedReactions: "Reactions of the caller to remove.",
} as const satisfies RouteRow["body"];

/** The text for operations with and without the parameter `format`. */
const bodyInFormat = "body { markdown @skip(if: $asDocument) document @include(if: $asDocument) }";
const bodyAsMarkdown = "body { markdown }";

const postFields = /* GraphQL */ `
  postedBy { ...UserFields } postedAt editedAt
  reactions { emoji count users: reactorList { user { ...UserFields } reactedAt } }
  urls { location }
  permissions { view edit reply delete }
`;

const commentFragment = (name: string, body: string): string => /* GraphQL */ `
  fragment ${name} on Comment {
    object id replies: replyCount repliers { user { ...UserFields } count updatedAt } status resolvedAt resolvedBy { ...UserFields }
    target {
      node { id: key preview } tableCell { record definition } page { id: pageId title emoji icon createdAt updatedAt path outdated }
      changeRequest: changeRequestId review: reviewId space: spaceId revision: revisionId
    }
    ${body} ${postFields}
  }
  ${userFields}
`;

const replyFragment = (name: string, body: string): string => /* GraphQL */ `
  fragment ${name} on CommentReply { object id ${body} ${postFields} }
  ${userFields}
`;

const commentFields = commentFragment("CommentFields", bodyInFormat);
const replyFields = replyFragment("CommentReplyFields", bodyInFormat);

const writtenCommentFields = commentFragment("WrittenCommentFields", bodyAsMarkdown);
const writtenReplyFields = replyFragment("WrittenCommentReplyFields", bodyAsMarkdown);

const tags = {
  space: { name: "space-comments", description: "Comments on a space." },
  changeRequest: { name: "change-request-comments", description: "Comments on a change request." },
};

const commentTag = (path: string): Tag => (path.includes("{changeRequestId}") ? tags.changeRequest : tags.space);

const space = parentAt("space", "/v1/spaces/{spaceId}");
const changeRequest = parentAt("change request", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}");

const list = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/comments`,
  summary: `List the comments of a ${of.noun}`,
  list: true,
  query: {
    order: "Sort order by the time of posting.",
    status: "Only comments with this status; all by default.",
    targetPage: "Only comments on this page.",
    authors: "Only comments by these users; repeat it for several.",
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

/** Names of these arguments in the contract. */
const named = { nodeKey: "node", text: "body" };

const create = (of: Parent): RouteRow => ({
  request: `POST ${of.path}/comments`,
  summary: `Post a comment on a ${of.noun}`,
  body: {
    body: "The text.",
    page: "Id of the page that the comment is about.",
    node: "Key of the node that the comment is about. Without `page`, all pages are searched; exactly one must have it.",
    tableCell:
      "The table cell that the comment is about. Without `node` and `page`, all pages are searched; exactly one must have it.",
  },
  named,
  answer: ["createComment", "comment"],
  fields: writtenCommentFields,
});

const update = (of: Parent): RouteRow => ({
  request: `PUT ${of.path}/comments/{commentId}`,
  summary: `Change a comment of a ${of.noun}`,
  body: { resolved: "True resolves the comment, false reopens it.", body: newText, ...reactions },
  named,
  answer: ["updateComment", "comment"],
  fields: writtenCommentFields,
});

const remove = (of: Parent): RouteRow => ({
  request: `DELETE ${of.path}/comments/{commentId}`,
  summary: `Delete a comment of a ${of.noun}`,
  answer: ["deleteComment", "deletedId"],
});

const onSpace = parentAt("comment of a space", "/v1/spaces/{spaceId}/comments/{commentId}");
const onChangeRequest = parentAt(
  "comment of a change request",
  "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}",
);

const replyNamed = { replyId: "commentReplyId" };

const listReplies = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/replies`,
  summary: `List the replies to a ${of.noun}`,
  list: true,
  choices: format,
  answer: [...of.answer, "replies"],
  fields: replyFields,
});

const getReply = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/replies/{commentReplyId}`,
  summary: `Get a reply to a ${of.noun}`,
  choices: format,
  named: replyNamed,
  answer: [...of.answer, "reply"],
  fields: replyFields,
});

const createReply = (of: Parent): RouteRow => ({
  request: `POST ${of.path}/replies`,
  summary: `Reply to a ${of.noun}`,
  body: { body: "The text." },
  named: { text: "body" }, // the same
  answer: ["createCommentReply", "reply"],
  fields: writtenReplyFields,
});

const createReplyInFormat = (of: Parent): RouteRow => ({ ...createReply(of), choices: format, fields: replyFields });

const updateReply = (of: Parent): RouteRow => ({
  request: `PUT ${of.path}/replies/{commentReplyId}`,
  summary: `Change a reply to a ${of.noun}`,
  body: { body: newText, ...reactions },
  named: { ...replyNamed, text: "body" },
  answer: ["updateCommentReply", "reply"],
  fields: writtenReplyFields,
});

const removeReply = (of: Parent): RouteRow => ({
  request: `DELETE ${of.path}/replies/{commentReplyId}`,
  summary: `Delete a reply to a ${of.noun}`,
  named: replyNamed,
  answer: ["deleteCommentReply", "deletedId"],
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
  getSpaceCommentReply: getReply(onSpace),
  createSpaceCommentReply: createReply(onSpace),
  updateSpaceCommentReply: updateReply(onSpace),
  deleteSpaceCommentReply: removeReply(onSpace),
  listChangeRequestCommentReplies: listReplies(onChangeRequest),
  getChangeRequestCommentReply: getReply(onChangeRequest),
  createChangeRequestCommentReply: createReplyInFormat(onChangeRequest),
});

export const commentAdditions = defineAdditions(commentTag, {
  listCommentRepliesInSpace: listReplies(onSpace),
  updateCommentReplyInChangeRequest: updateReply(onChangeRequest),
  deleteCommentReplyInChangeRequest: removeReply(onChangeRequest),
});
