// The fields that list links and backlinks of spaces, pages, files and change requests.
import { partsOfId } from "#src/base/ids.ts";
import type { Context } from "#src/domain/context.ts";
import { ChangeRequest } from "#src/features/change-requests/type/change-request.ts";
import { DiffHunk } from "#src/features/content/type/changes.ts";
import { File } from "#src/features/content/type/file.ts";
import { aboutSection, PageHeading, PageSection, sectionArguments } from "#src/features/content/type/heading.ts";
import { Page } from "#src/features/content/type/page.ts";
import { backlinksOfPage, pagesThatLink } from "#src/features/links/reads/backlinks.ts";
import {
  asContentLinks,
  brokenByChange,
  linksOfContent,
  linksOfPage,
} from "#src/features/links/reads/content-links.ts";
import { htmlOfLines, htmlOfPage, outlineOfPage, sectionOfPage } from "#src/features/links/reads/page-html.ts";
import { contentIn, mainContentOf } from "#src/features/links/reads/linked-content.ts";
import {
  ContentLinkConnection,
  linkArguments,
  type LinkArguments,
  pageOfBacklinks,
  pageOfLinks,
  ResolvedReferenceConnection,
} from "#src/features/links/type/link.ts";
import { Space } from "#src/features/spaces/type.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { pageArguments } from "#src/graph/schema/nodes.ts";
import { linesWithout } from "#src/base/text/diff.ts";

async function linksOfSpace(context: Context, space: { id: string }, args: LinkArguments) {
  const content = await mainContentOf(context, space);
  return pageOfLinks(asContentLinks(content, await linksOfContent(context, content)), args, async () => 0);
}

builder.prismaObjectFields(Space, (t) => ({
  links: t.field({
    type: ContentLinkConnection,
    description: "Links of its main content, in the order of the first pages that contain them.",
    args: linkArguments,
    resolve: (space, args, context) => linksOfSpace(context, space, args),
  }),
  brokenLinks: t.field({
    type: ContentLinkConnection,
    description: "Broken links of its main content.",
    args: pageArguments,
    resolve: (space, args, context) => linksOfSpace(context, space, { ...args, status: "broken" }),
  }),
}));

builder.objectFields(Page, (t) => ({
  links: t.field({
    type: ContentLinkConnection,
    description:
      "Links of the page: in its text and included reusable contents, its cover, and the target of a link page.",
    args: linkArguments,
    resolve: async (page, args, context) =>
      pageOfLinks(await linksOfPage(context, page), args, async () => {
        const broken = await brokenByChange(context, await contentIn(context, page.revision));
        return broken.filter((link) => link.page.pageId === page.pageId).length;
      }),
  }),
  backlinks: t.field({
    type: ResolvedReferenceConnection,
    description:
      "Pages that link to it: of the same content, in tree order, and for a page of main content also current pages of other spaces that the viewer may " +
      "see.",
    args: pageArguments,
    resolve: async (page, args, context) => pageOfBacklinks(await backlinksOfPage(context, page), args),
  }),
}));

builder.objectField(File, "backlinks", (t) =>
  t.field({
    type: ResolvedReferenceConnection,
    description: "Pages of the same content that link to it or show it, in tree order.",
    args: pageArguments,
    resolve: async ({ id }, args, context) => {
      const parts = partsOfId("File", id);
      if (!parts) throw new Error("The id of a file does not name a file in a revision");
      return pageOfBacklinks(await pagesThatLink(context, { id: parts.revisionId }, parts.id), args);
    },
  }),
);

builder.prismaObjectField(ChangeRequest, "brokenLinks", (t) =>
  t.field({
    type: ContentLinkConnection,
    description: "Links that it breaks: broken in its content, but not in the current main content of its space.",
    args: pageArguments,
    select: { revisionId: true },
    resolve: async ({ revisionId }, args, context) => {
      const content = await contentIn(context, { id: revisionId });
      const broken = await brokenByChange(context, content);
      return pageOfLinks(asContentLinks(content, broken), args, async () => broken.length);
    },
  }),
);

builder.objectFields(Page, (t) => ({
  html: t.string({
    nullable: true,
    description:
      "The evaluated text as HTML without scripts and styles, for the style sheet `text.css` of the published pages; null for types without text. Links to pages lead to the application, and to download URLs of files; a link that leads nowhere is its text. INVALID_INPUT if the operation converts more text than the limit.",
    args: {
      linkBase: t.arg.string({
        description:
          "An address or path below which links lead to the paths of pages of this content, such as `/published/<space>`; other links within docgraph are then their texts.",
      }),
      markdown: t.arg.string({
        description:
          "A text to show in place of that of the page, such as an edit before it is saved; at most 500,000 characters.",
      }),
    },
    resolve: (page, { linkBase = null, markdown = null }, context) => htmlOfPage(context, page, { linkBase, markdown }),
  }),
  section: t.field({
    type: PageSection,
    nullable: true,
    description: aboutSection,
    args: { ...sectionArguments, linkBase: t.arg.string({ description: "As of `html`." }) },
    resolve: (page, { anchor: name, linkBase = null }, context) => sectionOfPage(context, page, { name, linkBase }),
  }),
  outline: t.field({
    type: [PageHeading],
    description: "The headings of the evaluated text, in order: each is in `html` with its anchor as id.",
    resolve: (page, _args, context) => outlineOfPage(context, page),
  }),
}));

const aboutLines = (which: string): string =>
  `The lines of the hunk in the ${which} text as HTML, as \`Page.html\`, but with expressions as they are written; null if it has no lines there. The lines are read as a text of their own. INVALID_INPUT if the operation converts more text than the limit.`;

builder.objectFields(DiffHunk, (t) => ({
  beforeHtml: t.string({
    nullable: true,
    description: aboutLines("earlier"),
    resolve: (hunk, _args, context) => hunk.before && htmlOfLines(context, hunk.before, linesWithout(hunk, "added")),
  }),
  afterHtml: t.string({
    nullable: true,
    description: aboutLines("later"),
    resolve: (hunk, _args, context) => hunk.after && htmlOfLines(context, hunk.after, linesWithout(hunk, "removed")),
  }),
}));
