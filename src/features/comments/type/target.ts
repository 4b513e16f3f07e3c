// What a comment is about: a page, a part of it, a cell of a table.
import type { CommentRow } from "#src/features/comments/reads/comments.ts";
import { type TargetNode, targetNodeOf, type TargetPage, targetPageOf } from "#src/features/comments/reads/targets.ts";
import { builder } from "#src/graph/builder.ts";
import { wantedRows } from "#src/graph/selection.ts";

const CommentTargetNode = builder.objectRef<TargetNode>("CommentTargetNode").implement({
  description: "A node of a document.",
  fields: (t) => ({
    id: t.exposeString("id", { description: "Key of the node in its document." }),
    preview: t.exposeString("preview", {
      nullable: true,
      description:
        "Its text on one line, cut to 200 characters: as it is now, or once it is gone as it was when the comment was posted.",
    }),
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

const CommentTargetPage = builder.objectRef<TargetPage>("CommentTargetPage").implement({
  description: "A page, as it is now; once it is gone, as it was when the comment was posted.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Id of the page." }),
    title: t.string({
      nullable: true,
      description: "Its title.",
      columns: ["page"],
      resolve: ({ page }) => page?.title,
    }),
    emoji: t.string({
      nullable: true,
      description: "Its emoji.",
      columns: ["page"],
      resolve: ({ page }) => page?.fields.emoji,
    }),
    icon: t.string({
      nullable: true,
      description: "Name of its icon.",
      columns: ["page"],
      resolve: ({ page }) => page?.fields.icon,
    }),
    createdAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was created.",
      columns: ["page"],
      resolve: ({ page }) => page?.createdAt,
    }),
    updatedAt: t.field({
      type: "DateTime",
      nullable: true,
      description: "When it was last changed itself.",
      columns: ["page"],
      resolve: ({ page }) => page?.updatedAt,
    }),
    path: t.string({
      nullable: true,
      description: "The slugs from the top down to it, with `/` between.",
      columns: ["page"],
      resolve: ({ page }) => page?.path,
    }),
    outdated: t.exposeBoolean("outdated", {
      description:
        "Whether what was commented on has changed: the page is gone, its text is another one, or the node is no longer in it.",
    }),
  }),
});

export const CommentTarget = builder.objectRef<CommentRow>("CommentTarget").implement({
  description: "What a comment is about.",
  fields: (t) => ({
    spaceId: t.exposeID("spaceId", { description: "Id of the space." }),
    changeRequestId: t.exposeID("changeRequestId", {
      nullable: true,
      description: "Id of the change request that it is on.",
    }),
    reviewId: t.exposeID("reviewId", { nullable: true, description: "Id of the review that it belongs to." }),
    revisionId: t.exposeID("revisionId", { nullable: true, description: "Id of the revision that it was made on." }),
    page: t.field({
      type: CommentTargetPage,
      nullable: true,
      description: "The page that it is on.",
      resolve: ({ pageId, ...comment }, _args, context, info) =>
        pageId === null ? null : targetPageOf(context, { ...comment, pageId }, wantedRows(info, "CommentTargetPage")),
    }),
    node: t.field({
      type: CommentTargetNode,
      nullable: true,
      description: "The part of the page that it is on.",
      resolve: ({ nodeId, ...comment }, _args, context, info) =>
        nodeId === null ? null : targetNodeOf(context, { ...comment, nodeId }, wantedRows(info, "CommentTargetNode")),
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
  "documentHash",
  "reviewId",
] as const satisfies (keyof CommentRow)[];
