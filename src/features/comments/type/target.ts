// What a comment is about: a page, a part of it, a cell of a table.
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { type TargetNode, targetNodeOf, type TargetPage, targetPageOf } from "#src/features/comments/reads/targets.ts";
import type { PageRow } from "#src/features/content/model/page.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";
import { Page } from "#src/features/content/type/page.ts";
import { reviews } from "#src/features/reviews/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { defineTexts } from "#src/graph/schema/flag-types.ts";
import { builder, type ObjectFields } from "#src/graph/schema/builder.ts";
import { columnsOf } from "#src/graph/run/selection.ts";

const CommentTargetNode = builder.objectRef<TargetNode>("CommentTargetNode").implement({
  description: "A node of a document.",
  fields: (t) => ({
    key: t.exposeString("id", { description: "Key of the node in its document." }),
    preview: t.string({
      nullable: true,
      description:
        "Its text on one line, cut to 200 characters: as it is now, or once it is gone as it was when the comment was posted.",
      resolve: ({ preview }) => preview(),
    }),
  }),
});

const CommentTargetTableCell = defineTexts("CommentTargetTableCell", "A cell of a table.", {
  record: "Its row.",
  definition: "Its column.",
});

const ofPage = (
  t: ObjectFields<TargetPage>,
  type: "String" | "DateTime",
  description: string,
  valueOf: (page: PageRow) => string | undefined,
) =>
  t.field({
    type,
    nullable: true,
    description,
    resolve: async ({ page }) => {
      const row = await page();
      return row && valueOf(row);
    },
  });

const CommentTargetPage = builder.objectRef<TargetPage>("CommentTargetPage").implement({
  description: "A page, as it is now; once it is gone, as it was when the comment was posted.",
  fields: (t) => ({
    pageId: t.exposeID("id", { description: "Id of the page, the same in every revision." }),
    page: t.field({
      type: Page,
      nullable: true,
      description: "The page itself, in the content as it is now; null once it is gone.",
      resolve: ({ now }) => now(),
    }),
    title: ofPage(t, "String", "Its title.", ({ title }) => title),
    emoji: ofPage(t, "String", "Its emoji.", ({ fields }) => fields.emoji),
    icon: ofPage(t, "String", "Name of its icon.", ({ fields }) => fields.icon),
    createdAt: ofPage(t, "DateTime", "When it was created.", ({ createdAt }) => createdAt),
    updatedAt: ofPage(t, "DateTime", "When it was last changed itself.", ({ updatedAt }) => updatedAt),
    path: ofPage(t, "String", "The slugs from the top down to it, with `/` between.", ({ path }) => path),
    outdated: t.boolean({
      description:
        "Whether what was commented on has changed: the page is gone, its text is another one, or the node is no longer in it.",
      resolve: ({ outdated }) => outdated(),
    }),
  }),
});

const onPage = ["spaceId", "changeRequestId", "revisionId", "pageId", "documentHash", "nodeId", "nodePreview"] as const;

export const CommentTarget = builder.prismaObject("Comment", {
  variant: "CommentTarget",
  select: { id: true },
  description: "What a comment is about.",
  fields: (t) => ({
    space: t.row(spaces, "spaceId", "The space."),
    changeRequest: t.rowOrNull(changeRequests, "changeRequestId", "The change request that it is on."),
    review: t.rowOrNull(reviews, "reviewId", "The review that it belongs to."),
    revision: t.rowOrNull(revisions, "revisionId", "The revision that it was made on."),
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
      select: columnsOf(onPage),
      resolve: ({ pageId, ...comment }, _args, context) =>
        pageId === null ? null : targetPageOf(context, { ...comment, pageId }),
    }),
    node: t.field({
      type: CommentTargetNode,
      nullable: true,
      description: "The part of the page that it is on.",
      select: columnsOf(onPage),
      resolve: ({ nodeId, ...comment }, _args, context) =>
        nodeId === null ? null : targetNodeOf(context, { ...comment, nodeId }),
    }),
    tableCell: t.valueOrNull(
      CommentTargetTableCell,
      "The table cell that it is on.",
      ["tableCellRecord", "tableCellDefinition"],
      ({ tableCellRecord: record, tableCellDefinition: definition }) =>
        record === null || definition === null ? null : { record, definition },
    ),
  }),
});
