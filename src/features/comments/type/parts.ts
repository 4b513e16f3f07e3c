// GraphQL types of the parts of comments and replies (body, reactions, links, permissions), and inputs.
import {
  type ReactionGroup,
  type ReactionRow,
  reactionsOfGroup,
  type Replier as ReplierRow,
} from "#src/features/comments/reads/comments.ts";
import { documentFrom } from "#src/features/content/reads/documents.ts";
import { htmlOfMessage } from "#src/features/links/reads/message-html.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionOf } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { longText, rowsWith } from "#src/graph/run/selection.ts";

export const CommentStatus = defineEnum("CommentStatus", "The status of a comment.", {
  open: "Not resolved.",
  resolved: "Resolved.",
});

export const CommentStatusFilter = defineEnum("CommentStatusFilter", "A filter of comments by status.", {
  all: "All comments.",
  open: "Open comments.",
  resolved: "Resolved comments.",
});

export const CommentOrder = defineOrder("Comment", "comments", {
  postedAt: "By time of posting.",
  lastActivityAt: "By time of the last activity: the posting of the comment or of its latest reply.",
});

export const CommentBody = builder.objectRef<{ markdown: string }>("CommentBody").implement({
  description: "The text of a comment or reply.",
  fields: (t) => ({
    markdown: t.exposeString("markdown", { description: "The text as Markdown.", extensions: longText }),
    document: t.field({
      type: "RichDocument",
      nullable: true,
      description: "The text as a rich document. INVALID_INPUT if the operation converts more text than the limit.",
      resolve: ({ markdown }, _args, context) => documentFrom(context, markdown),
    }),
    html: t.string({
      nullable: true,
      description:
        "The text as HTML without scripts and styles, for the style sheet `text.css` of the published pages. Links to users, spaces and pages of spaces lead to the application; a link that leads nowhere is its text. INVALID_INPUT if the operation converts more text than the limit.",
      resolve: ({ markdown }, _args, context) => htmlOfMessage(context, markdown),
    }),
  }),
});

const ReactionUser = builder.objectRef<ReactionRow>("ReactionUser").implement({
  description: "A user and the time of their reaction.",
  ...rowsWith("userId", "reactedAt"),
  fields: (t) => ({
    user: t.row(namedUsers, "userId", "User who reacted."),
    reactedAt: t.expose("reactedAt", { type: "DateTime", description: "Time of the reaction." }),
  }),
});

const ReactionUserConnection = connectionOf(ReactionUser);

export const Reaction = builder.objectRef<ReactionGroup>("Reaction").implement({
  description: "All reactions with one emoji on a comment or reply.",
  fields: (t) => ({
    emoji: t.exposeString("emoji", { description: "The emoji." }),
    count: t.exposeInt("count", { description: "Number of users who reacted with it." }),
    viewerHasReacted: t.exposeBoolean("viewerHasReacted", { description: "Whether the viewer reacted with it." }),
    reactors: t.list(reactionsOfGroup, "Users who reacted with it, in the order of their reactions.", {
      type: ReactionUserConnection,
    }),
    reactorList: t.field({
      type: [ReactionUser],
      description: "All users who reacted with it, in the order of their reactions, without pagination.",
      resolve: ({ users }, _args, { reader }) => {
        reader.takeRows(users.length); // /v1 shows all of them
        return [...users];
      },
    }),
  }),
});

export const Replier = builder.objectRef<ReplierRow>("CommentReplier").implement({
  description: "A user who replied to a comment.",
  ...rowsWith("userId"),
  fields: (t) => ({
    user: t.row(namedUsers, "userId", "User who replied."),
    count: t.exposeInt("count", { description: "Number of their replies." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "Time of their latest reply." }),
  }),
});

export const CommentUrls = defineLinks("CommentUrls", "Links of a comment or reply.", {
  location: "The comment or reply in /v1.",
});

export const CommentPermissions = defineFlags(
  "CommentPermissions",
  "The permissions of the viewer on a comment or reply.",
  {
    view: "See it.",
    edit: "Change its text.",
    reply: "Reply to it, and react to it.",
    resolve: "Resolve and reopen it: the author and users with the role `edit`. Always false for a reply.",
    delete: "Delete it.",
  },
);

export const RichTextInput = builder.inputType("RichTextInput", {
  description: "A text in one of its forms: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    markdown: t.string({ description: "The text as Markdown, 1 to 65,536 characters, not only whitespace." }),
    document: t.field({
      type: "RichDocument",
      description:
        "The text as a rich document. It is stored as Markdown, with HTML comments for features that Markdown lacks.",
    }),
  }),
});

export const CommentTableCellInput = builder.inputType("CommentTableCellInput", {
  description: "A cell of a table.",
  fields: (t) => ({
    record: t.string({ required: true, description: "Its row." }),
    definition: t.string({ required: true, description: "Its column." }),
  }),
});
