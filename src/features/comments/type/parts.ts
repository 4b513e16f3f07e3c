// What comments and replies are made of: body, reactions, links and permissions; and what mutations take.
import { type ReactionGroup, type ReactionRow, reactionsOfGroup } from "#src/features/comments/reads/comments.ts";
import { documentFrom } from "#src/features/content/reads/documents.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionOf } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { longText, rowsWith } from "#src/graph/run/selection.ts";

export const CommentStatus = defineEnum("CommentStatus", "The state of a comment.", {
  open: "Not resolved.",
  resolved: "Resolved.",
});

export const CommentStatusFilter = defineEnum("CommentStatusFilter", "Which comments to list.", {
  all: "Every comment.",
  open: "Those not resolved.",
  resolved: "Those resolved.",
});

export const CommentOrder = defineOrder("Comment", "comments", {
  postedAt: "When they were posted.",
  lastActivityAt: "When something was last posted there: the comment, or a reply to it.",
});

export const CommentBody = builder.objectRef<{ markdown: string }>("CommentBody").implement({
  description: "The text of a comment or reply.",
  fields: (t) => ({
    markdown: t.exposeString("markdown", { description: "As Markdown.", extensions: longText }),
    document: t.field({
      type: "RichDocument",
      nullable: true,
      description: "As a rich document. INVALID_INPUT for more text at a time than can be converted.",
      resolve: ({ markdown }, _args, context) => documentFrom(context, markdown),
    }),
  }),
});

const ReactionUser = builder.objectRef<ReactionRow>("ReactionUser").implement({
  description: "Somebody who reacted.",
  ...rowsWith("userId", "reactedAt"),
  fields: (t) => ({
    user: t.row(namedUsers, "userId", "Who."),
    reactedAt: t.expose("reactedAt", { type: "DateTime", description: "When." }),
  }),
});

const ReactionUserConnection = connectionOf(ReactionUser);

export const Reaction = builder.objectRef<ReactionGroup>("Reaction").implement({
  description: "An emoji on a comment or reply.",
  fields: (t) => ({
    emoji: t.exposeString("emoji", { description: "The emoji." }),
    count: t.exposeInt("count", { description: "How many users put it there." }),
    viewerHasReacted: t.exposeBoolean("viewerHasReacted", { description: "Whether the viewer put it there." }),
    reactors: t.list(reactionsOfGroup, "Who put it there, in the order in which they did.", {
      type: ReactionUserConnection,
    }),
    reactorList: t.field({
      type: [ReactionUser],
      description: "Who put it there, in the order in which they did, without pages.",
      resolve: ({ users }, _args, { reader }) => {
        reader.takeRows(users.length); // /v1 shows all of them
        return [...users];
      },
    }),
  }),
});

export const CommentUrls = defineLinks("CommentUrls", "Links of a comment or reply.", {
  location: "It in the REST interface.",
});

export const CommentPermissions = defineFlags("CommentPermissions", "What the viewer may do with a comment or reply.", {
  view: "See it.",
  edit: "Change its text.",
  reply: "Reply to it, and react to it.",
  resolve: "Resolve it and open it again: its author, and those with the role edit. Always false of a reply.",
  delete: "Delete it.",
});

export const RichTextInput = builder.inputType("RichTextInput", {
  description: "A text in one of its forms: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    markdown: t.string({ description: "As Markdown, 1 to 65,536 characters, not only blanks." }),
    document: t.field({
      type: "RichDocument",
      description: "As a rich document, stored as Markdown; what Markdown cannot say is kept in comments of HTML.",
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
