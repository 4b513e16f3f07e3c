// What the /v1 operations on comments of spaces and of change requests have in common: fields of the answers, filters, and bodies.
import type { Route } from "#src/rest/route.ts";

/** The parameter `format` of what answers comments, its variable, and a body in that form. */
export const format = {
  format: {
    description: "Format of the comment bodies in the answer.",
    variable: "asDocument",
    values: ["markdown", "document"],
  },
} as const satisfies Route["choices"];
export const formatVariable = "$asDocument: Boolean! = false";
const bodyInFormat = "body { markdown @skip(if: $asDocument) document @include(if: $asDocument) }";

/** What is answered without a parameter `format`. */
const bodyAsMarkdown = "body { markdown }";

const userFields = "fragment CommentUser on User { object id displayName email photoURL urls { location } }";

const postFields = /* GraphQL */ `
  postedBy { ...CommentUser } postedAt editedAt
  reactions { emoji count users { user { ...CommentUser } reactedAt } }
  urls { location }
  permissions { view edit reply delete }
`;

const commentFragment = (name: string, body: string): string => /* GraphQL */ `
  ${userFields}
  fragment ${name} on Comment {
    object id replies: replyCount status resolvedAt resolvedBy { ...CommentUser }
    target {
      node { id preview } tableCell { record definition } page { id title emoji icon createdAt updatedAt path outdated }
      changeRequest: changeRequestId review: reviewId space: spaceId revision: revisionId
    }
    ${body} ${postFields}
  }
`;

const replyFragment = (name: string, body: string): string => /* GraphQL */ `
  ${userFields}
  fragment ${name} on CommentReply { object id ${body} ${postFields} }
`;

/** A comment and a reply, in the format that is asked for. */
export const commentFields = commentFragment("CommentFields", bodyInFormat);
export const replyFields = replyFragment("CommentReplyFields", bodyInFormat);

/** A comment and a reply as operations answer them that know no format. */
export const writtenCommentFields = commentFragment("WrittenCommentFields", bodyAsMarkdown);
export const writtenReplyFields = replyFragment("WrittenCommentReplyFields", bodyAsMarkdown);

/** The variables, arguments and parameters of lists of comments. */
export const filterVariables =
  "$order: SortOrder! = DESC, $status: CommentStatusFilter! = ALL, $targetPage: ID, $authors: [ID!]";
export const filterArguments = "order: $order, status: $status, targetPage: $targetPage, authors: $authors";
export const filterQuery = {
  order: "By the time of posting.",
  status: "Which comments to list.",
  targetPage: "Only comments on the page of this id.",
  authors: "Only comments by the users of these ids; repeat it for several.",
} as const;
/** What every list asks for beside its rows. */
export const page = "pageInfo { hasNextPage endCursor } totalCount";

type RouteBody = NonNullable<Route["body"]>;

const reactions: RouteBody = {
  addedReactions: "Emojis to put there as the caller.",
  removedReactions: "Emojis of the caller to take away.",
};

/** The body of a new comment, with the variables that it fills and the input fields that these go to. */
export const newComment: RouteBody = {
  body: "The text.",
  page: "Id of the page that it is about.",
  node: "Key of the node that it is about.",
  tableCell: "The table cell that it is about.",
};
export const newCommentVariables =
  "$body: CommentBodyInput!, $page: ID, $node: String, $tableCell: CommentTableCellInput";
export const newCommentInput = "body: $body, page: $page, node: $node, tableCell: $tableCell";

/** The body of a change of a comment. */
export const commentChanges: RouteBody = {
  resolved: "True resolves the comment, false opens it again.",
  body: "The new text; an empty object leaves it as it is.",
  ...reactions,
};
export const commentChangesVariables =
  "$resolved: Boolean, $body: CommentBodyInput, $addedReactions: [String!], $removedReactions: [String!]";
export const commentChangesInput =
  "resolved: $resolved, body: $body, addedReactions: $addedReactions, removedReactions: $removedReactions";

/** The body of a new reply. */
export const newReply: RouteBody = { body: "The text." };

/** The body of a change of a reply. */
export const replyChanges: RouteBody = {
  body: "The new text; an empty object leaves it as it is.",
  ...reactions,
};
