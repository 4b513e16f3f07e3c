// GraphQL types of the target of a comment: a page, a node of it, a table cell.
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
    key: t.string({
      description: "Key of the node in its document, as the document has it at present.",
      resolve: ({ id }) => id(),
    }),
    preview: t.string({
      nullable: true,
      description:
        "Its text on one line, truncated to 200 characters: the current text or, if the node was deleted, the text when the comment was posted.",
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
  description: "The page of a comment: the current page or, if it was deleted, the page when the comment was posted.",
  fields: (t) => ({
    pageId: t.exposeID("id", { description: "Id of the page, the same in every revision." }),
    page: t.field({
      type: Page,
      nullable: true,
      description: "The page in the current content; null if it was deleted.",
      resolve: ({ now }) => now(),
    }),
    title: ofPage(t, "String", "Its title.", ({ title }) => title),
    emoji: ofPage(t, "String", "Its emoji.", ({ fields }) => fields.emoji),
    icon: ofPage(t, "String", "Name of its icon.", ({ fields }) => fields.icon),
    createdAt: ofPage(t, "DateTime", "Time of creation.", ({ createdAt }) => createdAt),
    updatedAt: ofPage(t, "DateTime", "Time of the last change of the page itself.", ({ updatedAt }) => updatedAt),
    path: ofPage(t, "String", "Slugs from the top level down to the page, separated by `/`.", ({ path }) => path),
    outdated: t.boolean({
      description:
        "Whether the target has changed: the page was deleted, or its text changed and no longer contains the node.",
      resolve: ({ outdated }) => outdated(),
    }),
  }),
});

const onPage = ["spaceId", "changeRequestId", "revisionId", "pageId", "documentHash", "nodeId", "nodePreview"] as const;

export const CommentTarget = builder.prismaObject("Comment", {
  variant: "CommentTarget",
  select: { id: true },
  description: "The target of a comment.",
  fields: (t) => ({
    space: t.row(spaces, "spaceId", "The space."),
    changeRequest: t.rowOrNull(
      changeRequests,
      "changeRequestId",
      "The change request of the comment; null for the main content.",
    ),
    review: t.rowOrNull(reviews, "reviewId", "The review to which the comment belongs."),
    revision: t.rowOrNull(revisions, "revisionId", "The revision on which the comment was posted."),
    spaceId: t.exposeID("spaceId", { description: "Id of the space." }),
    changeRequestId: t.exposeID("changeRequestId", {
      nullable: true,
      description: "Id of the change request of the comment; null for the main content.",
    }),
    reviewId: t.exposeID("reviewId", { nullable: true, description: "Id of the review to which the comment belongs." }),
    revisionId: t.exposeID("revisionId", {
      nullable: true,
      description: "Id of the revision on which the comment was posted.",
    }),
    page: t.field({
      type: CommentTargetPage,
      nullable: true,
      description: "The page of the comment.",
      select: columnsOf(onPage),
      resolve: ({ pageId, ...comment }, _args, context) =>
        pageId === null ? null : targetPageOf(context, { ...comment, pageId }),
    }),
    node: t.field({
      type: CommentTargetNode,
      nullable: true,
      description: "The document node of the comment.",
      select: columnsOf(onPage),
      resolve: ({ nodeId, ...comment }, _args, context) =>
        nodeId === null ? null : targetNodeOf(context, { ...comment, nodeId }),
    }),
    tableCell: t.valueOrNull(
      CommentTargetTableCell,
      "The table cell of the comment.",
      ["tableCellRecord", "tableCellDefinition"],
      ({ tableCellRecord: record, tableCellDefinition: definition }) =>
        record === null || definition === null ? null : { record, definition },
    ),
  }),
});
