// Where links are asked for: from spaces, pages, files and change requests.
import { partsOfId } from "#src/base/ids.ts";
import type { Context } from "#src/domain/context.ts";
import { ChangeRequest } from "#src/features/change-requests/type/change-request.ts";
import { File } from "#src/features/content/type/file.ts";
import { Page } from "#src/features/content/type/page.ts";
import { backlinksOfPage, pagesThatLink } from "#src/features/links/reads/backlinks.ts";
import {
  asContentLinks,
  brokenByChange,
  linksOfContent,
  linksOfPage,
} from "#src/features/links/reads/content-links.ts";
import { contentIn, mainContentOf } from "#src/features/links/reads/linked-content.ts";
import {
  ContentLinkConnection,
  linkArguments,
  type LinksAsked,
  pageOfBacklinks,
  pageOfLinks,
  ResolvedReferenceConnection,
} from "#src/features/links/type/link.ts";
import { Space } from "#src/features/spaces/type.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { pageArguments } from "#src/graph/schema/nodes.ts";

async function linksOfSpace(context: Context, space: { id: string }, asked: LinksAsked) {
  const content = await mainContentOf(context, space);
  return pageOfLinks(asContentLinks(content, await linksOfContent(context, content)), asked, async () => 0);
}

builder.prismaObjectFields(Space, (t) => ({
  links: t.field({
    type: ContentLinkConnection,
    description: "The links of its main content, in the order of the pages on which they stand first.",
    args: linkArguments,
    resolve: (space, asked, context) => linksOfSpace(context, space, asked),
  }),
  brokenLinks: t.field({
    type: ContentLinkConnection,
    description: "Those of its links that are broken.",
    args: pageArguments,
    resolve: (space, asked, context) => linksOfSpace(context, space, { ...asked, status: "broken" }),
  }),
}));

builder.objectFields(Page, (t) => ({
  links: t.field({
    type: ContentLinkConnection,
    description: "Its links: those of its text and of what this includes, of its cover, and where a link page leads.",
    args: linkArguments,
    resolve: async (page, asked, context) =>
      pageOfLinks(await linksOfPage(context, page), asked, async () => {
        const broken = await brokenByChange(context, await contentIn(context, page.revision));
        return broken.filter((link) => link.page.pageId === page.pageId).length;
      }),
  }),
  backlinks: t.field({
    type: ResolvedReferenceConnection,
    description:
      "The pages that link to it: of the same content, in the order of the tree, and for a page of main content those of other spaces that the viewer may " +
      "see, as they are now.",
    args: pageArguments,
    resolve: async (page, asked, context) => pageOfBacklinks(await backlinksOfPage(context, page), asked),
  }),
}));

builder.objectField(File, "backlinks", (t) =>
  t.field({
    type: ResolvedReferenceConnection,
    description: "The pages of the same content that link to it or show it, in the order of the tree.",
    args: pageArguments,
    resolve: async ({ id }, asked, context) => {
      const parts = partsOfId("File", id);
      if (!parts) throw new Error("A file has an id that is not that of a file in a revision");
      return pageOfBacklinks(await pagesThatLink(context, { id: parts.revisionId }, parts.id), asked);
    },
  }),
);

builder.prismaObjectField(ChangeRequest, "brokenLinks", (t) =>
  t.field({
    type: ContentLinkConnection,
    description:
      "The links that it breaks: those that are broken in its content, and not in the main content of its space as it is now.",
    args: pageArguments,
    select: { revisionId: true },
    resolve: async ({ revisionId }, asked, context) => {
      const content = await contentIn(context, { id: revisionId });
      const broken = await brokenByChange(context, content);
      return pageOfLinks(asContentLinks(content, broken), asked, async () => broken.length);
    },
  }),
);
