// What comments and replies are made of: body, reactions, target, links and permissions.
import type { CommentPermissions as Permissions } from "#src/features/comments/access.ts";
import type { CommentRow, ReactionGroup } from "#src/features/comments/reads.ts";
import { namedUser } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import type { CommentStatus as CommentStatusValue } from "#src/generated/prisma/enums.ts";
import { builder } from "#src/graph/builder.ts";
import { defineEnum } from "#src/graph/scalars.ts";
import { wantedRows } from "#src/graph/selection.ts";

export const CommentStatus = defineEnum<CommentStatusValue>("CommentStatus", "The state of a comment.", {
  open: "Not resolved.",
  resolved: "Resolved.",
});

export const CommentStatusFilter = defineEnum<CommentStatusValue | "all">(
  "CommentStatusFilter",
  "Which comments to list.",
  {
    all: "Every comment.",
    open: "Those not resolved.",
    resolved: "Those resolved.",
  },
);

export const CommentBody = builder.objectRef<{ markdown: string }>("CommentBody").implement({
  description: "The text of a comment or reply.",
  fields: (t) => ({ markdown: t.exposeString("markdown", { description: "As Markdown." }) }),
});

const ReactionUser = builder.objectRef<ReactionGroup["users"][number]>("ReactionUser").implement({
  description: "Somebody who reacted.",
  fields: (t) => ({
    user: t.field({
      type: User,
      description: "Who.",
      resolve: ({ userId }, _args, context, info) => namedUser(context, userId, wantedRows(info, "User")),
    }),
    reactedAt: t.expose("reactedAt", { type: "DateTime", description: "When." }),
  }),
});

export const Reaction = builder.objectRef<ReactionGroup>("Reaction").implement({
  description: "An emoji on a comment or reply.",
  fields: (t) => ({
    emoji: t.exposeString("emoji", { description: "The emoji." }),
    count: t.exposeInt("count", { description: "How many put it there." }),
    users: t.field({
      type: [ReactionUser],
      description: "Who they are, first come first.",
      resolve: (group) => [...group.users],
    }),
  }),
});

const CommentTargetNode = builder.objectRef<{ id: string; preview: string | null }>("CommentTargetNode").implement({
  description: "A node of a document.",
  fields: (t) => ({
    id: t.exposeString("id", { description: "Key of the node in its document." }),
    preview: t.exposeString("preview", { nullable: true, description: "Short text of the node." }),
  }),
});

const CommentTargetTableCell = builder
  .objectRef<{ record: string; definition: string }>("CommentTargetTableCell")
  .implement({
    description: "A cell of a table.",
    fields: (t) => ({
      record: t.exposeString("record", { description: "Its row." }),
      definition: t.exposeString("definition", { description: "Its column." }),
    }),
  });

const CommentTargetPage = builder.objectRef<{ id: string }>("CommentTargetPage").implement({
  description: "A page.",
  fields: (t) => ({ id: t.exposeID("id", { description: "Id of the page." }) }),
});

export const CommentTarget = builder.objectRef<CommentRow>("CommentTarget").implement({
  description: "What a comment is about.",
  fields: (t) => ({
    spaceId: t.exposeID("spaceId", { description: "Id of the space." }),
    changeRequestId: t.exposeID("changeRequestId", {
      nullable: true,
      description: "Id of the change request that it is on.",
    }),
    revisionId: t.exposeID("revisionId", { nullable: true, description: "Id of the revision that it was made on." }),
    page: t.field({
      type: CommentTargetPage,
      nullable: true,
      description: "The page that it is on.",
      resolve: ({ pageId }) => (pageId === null ? null : { id: pageId }),
    }),
    node: t.field({
      type: CommentTargetNode,
      nullable: true,
      description: "The part of the page that it is on.",
      resolve: ({ nodeId, nodePreview: preview }) => (nodeId === null ? null : { id: nodeId, preview }),
    }),
    tableCell: t.field({
      type: CommentTargetTableCell,
      nullable: true,
      description: "The table cell that it is on.",
      resolve: ({ tableCellRecord: record, tableCellDefinition: definition }) =>
        record === null || definition === null ? null : { record, definition },
    }),
  }),
});

/** The columns that a CommentTarget is made of. */
export const targetColumns = [
  "spaceId",
  "changeRequestId",
  "revisionId",
  "pageId",
  "nodeId",
  "nodePreview",
  "tableCellRecord",
  "tableCellDefinition",
] as const satisfies (keyof CommentRow)[];

export const CommentUrls = builder.objectRef<{ location: string }>("CommentUrls").implement({
  description: "Links of a comment or reply.",
  fields: (t) => ({ location: t.exposeString("location", { description: "It in the REST interface." }) }),
});

export const CommentPermissions = builder.objectRef<Permissions>("CommentPermissions").implement({
  description: "What the viewer may do with a comment or reply.",
  fields: (t) => ({
    view: t.exposeBoolean("view", { description: "See it." }),
    edit: t.exposeBoolean("edit", { description: "Change its text." }),
    reply: t.exposeBoolean("reply", { description: "Reply to it." }),
    delete: t.exposeBoolean("delete", { description: "Delete it." }),
  }),
});
