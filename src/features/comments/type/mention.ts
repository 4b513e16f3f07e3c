// The GraphQL type Mention.
import { findMainPage } from "#src/features/comments/reads/targets.ts";
import { mentions } from "#src/features/comments/reads/comments.ts";
import { Page } from "#src/features/content/type/page.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";

export const Mention = defineNode("Mention", mentions, {
  description:
    "That a user is named in a comment, a reply or a page of the main content, by a reference to them: there as long as the text names them. Only they see it.",
  fields: (t) => ({
    pageId: t.exposeID("pageId", {
      nullable: true,
      description: "Id of the page whose text it is, its `pageId`; null for a comment or reply.",
    }),
    page: t.field({
      type: Page,
      nullable: true,
      description: "That page, in the main content as it is now; null for a comment or reply.",
      select: { spaceId: true, pageId: true },
      resolve: ({ spaceId, pageId }, _args, context) =>
        pageId === null ? null : findMainPage(context, spaceId, pageId),
    }),
    mentionedAt: t.expose("mentionedAt", { type: "DateTime", description: "When the text named them first." }),
  }),
});
