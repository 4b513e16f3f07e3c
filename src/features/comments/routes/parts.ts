// What the /v1 operations on comments and replies share: fields of answers, `format`, and reactions in bodies.
import { userFields } from "#src/features/users/routes.ts";
import type { RouteRow, Tag } from "#src/rest/route.ts";

/** The parameter `format`. */
export const format = {
  format: {
    description: "Format of the comment bodies in the answer.",
    variable: "asDocument",
    values: ["markdown", "document"],
  },
} as const satisfies RouteRow["choices"];

/** The text in a change of a comment or a reply. */
export const newText = { description: "The new text; an empty object leaves it as it is.", mayBeEmpty: true } as const;

/** What a change of a comment or a reply may hold of reactions. */
export const reactions = {
  addedReactions: "Emojis to put there as the caller.",
  removedReactions: "Emojis of the caller to take away.",
} as const satisfies RouteRow["body"];

/** The text where an operation has the parameter `format`, and where it has none. */
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
    object id replies: replyCount status resolvedAt resolvedBy { ...UserFields }
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

/** A comment and a reply, in the format that is asked for. */
export const commentFields = commentFragment("CommentFields", bodyInFormat);
export const replyFields = replyFragment("CommentReplyFields", bodyInFormat);

/** A comment and a reply as operations answer them that have no parameter `format`. */
export const writtenCommentFields = commentFragment("WrittenCommentFields", bodyAsMarkdown);
export const writtenReplyFields = replyFragment("WrittenCommentReplyFields", bodyAsMarkdown);

const tags = {
  space: { name: "space-comments", description: "Comments on a space." },
  changeRequest: { name: "change-request-comments", description: "Comments on a change request." },
};

/** The tag of an operation on comments, by what they are on. */
export const commentTag = (path: string): Tag => (path.includes("{changeRequestId}") ? tags.changeRequest : tags.space);
