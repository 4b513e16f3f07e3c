// Where content is asked for: from spaces, and from revisions to pages. Change requests ask for theirs themselves.
import { found } from "#src/base/errors.ts";
import { lastingId } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { oneOf, type Optional } from "#src/domain/input.ts";
import { changesSince, comparedRevisionColumns } from "#src/features/content/reads/changes.ts";
import { filesOfRevision } from "#src/features/content/reads/files.ts";
import {
  findPageIn,
  listPages,
  type PageInRevision,
  pageKey,
  pagesOf,
  pagesRevisionColumns,
} from "#src/features/content/reads/pages.ts";
import { contentOf, historyOfPage, revisions, revisionsOfSpace } from "#src/features/content/reads/revisions.ts";
import { ContentChanges } from "#src/features/content/type/changes.ts";
import { File } from "#src/features/content/type/file.ts";
import { Page, pageTree } from "#src/features/content/type/page.ts";
import { ContentReference, type ReferenceInRevision } from "#src/features/content/type/page-parts.ts";
import { Revision, revisionArguments } from "#src/features/content/type/revision.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionTypeOf, pageArguments } from "#src/graph/schema/nodes.ts";
import { columnsOf, projectionOf } from "#src/graph/run/selection.ts";

builder.prismaObjectFields(Space, (t) => ({
  content: t.field({
    type: Revision,
    description: "Its main content: the active revision, that of `revisionId`, for all who may view the space.",
    resolve: (space, _args, context, info) => contentOf(context, space, projectionOf(info)),
  }),
  revisions: t.list(
    revisionsOfSpace,
    "The revisions of its main content, newest first; none for those without a role on the space.",
    { args: revisionArguments },
  ),
}));

const PageKey = builder.inputType("PageKey", {
  description: "What a page of a revision is found by: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "Id of the page: `pageId`, or `id` in any revision." }),
    path: t.string({ description: "Path of the page, without a slash at the start." }),
  }),
});

const withComputed = builder.args((t) => ({
  computed: t.boolean({
    defaultValue: true,
    description:
      "Whether computed pages have the text that was made of them, and the pages that were made are below them; otherwise pages are as they were written.",
  }),
}));

builder.prismaObjectFields(Revision, (t) => ({
  space: t.rowOrNull(
    spaces,
    "spaceId",
    "Its space; null for those who came by a link and may not see the space without.",
  ),
  parentRevisions: t.field({
    type: [Revision],
    description:
      "Its parents that the viewer may see, in the order of `parentRevisionIds`: those without a role on the space see only the active revision.",
    select: { parents: true },
    resolve: async ({ parents }, _args, { reader }, info) => {
      const found = await Promise.all(parents.map((id) => reader.row(revisions, id, projectionOf(info))));
      return found.filter((revision) => revision !== null);
    },
  }),
  author: t.rowOrNull(
    namedUsers,
    "authorId",
    "Who made it; null for nobody in particular, and for those without a role on the space.",
  ),
  pages: t.field({
    type: [Page],
    description: "The pages at the top, in their order. The whole tree below them is read in one statement.",
    args: withComputed,
    select: columnsOf(pagesRevisionColumns),
    resolve: (revision, asked, context) => listPages(context, revision, asked),
  }),
  allPages: t.field({
    type: [Page],
    description:
      "All pages, on every level, in the order of the tree: each before those below it, and these before what follows beside it.",
    args: withComputed,
    extensions: pageTree,
    select: columnsOf(pagesRevisionColumns),
    resolve: (revision, asked, context) => listPages(context, revision, { ...asked, all: true }),
  }),
  pageCount: t.int({
    description: "Number of pages, on all levels.",
    select: { treeHash: true },
    resolve: async (revision, _args, context) => (await pagesOf(context, revision)).byId.size,
  }),
  page: t.field({
    type: Page,
    nullable: true,
    description: "One of its pages. NOT_FOUND when there is none.",
    args: { by: t.arg({ type: PageKey, required: true, description: "What it is found by." }), ...withComputed },
    select: columnsOf(pagesRevisionColumns),
    resolve: async (revision, { by, ...asked }, context) =>
      found(await findPageIn(context, revision, idOrPath(by), asked), "page"),
  }),
  files: t.list(filesOfRevision, "Its files, oldest first."),
  allFiles: t.field({
    type: [File],
    description: "All its files, oldest first; a content has at most 10,000.",
    select: { filesHash: true },
    resolve: async (revision, _args, { reader }, info) => [
      ...(await reader.all(filesOfRevision, revision, { args: {}, projection: projectionOf(info) })),
    ],
  }),
  file: t.pick(filesOfRevision, "One of its files. NOT_FOUND when there is none of this id.", {
    args: { id: t.arg.id({ required: true, description: "Id of the file: `fileId`, or `id` in any revision." }) },
    key: ({ id }) => ({ fileId: lastingId("File", id) }),
  }),
  changes: t.field({
    type: ContentChanges,
    nullable: true,
    description:
      "What differs from another revision of the space. Null for those who do not see its first parent; NOT_FOUND for a revision that is not there.",
    args: {
      sinceRevisionId: t.arg.id({
        description:
          "Id of the revision to compare with; its first parent when left out, and an empty content where it has none.",
      }),
    },
    select: { parents: true, ...columnsOf(comparedRevisionColumns) },
    resolve: (revision, { sinceRevisionId }, context) => changesSince(context, revision, sinceRevisionId ?? null),
  }),
}));

builder.objectField(Page, "history", (t) =>
  t.field({
    type: connectionTypeOf(revisions),
    description:
      "The revisions in which it was created, edited, moved to another parent or deleted, compared with the first parent of each, newest first: of the main " +
      "content, or of the change request in which its revision was made. Those without a role on the space see only the active revision. However long the " +
      "history is, a page of it is read from an index.",
    args: pageArguments,
    resolve: (page, asked, { reader }, info) =>
      reader.page(historyOfPage, pageKey(page), { page: asked, args: {}, projection: projectionOf(info) }),
  }),
);

builder.objectField(ContentReference, "page", (t) =>
  t.field({
    type: Page,
    nullable: true,
    description:
      "The page, that of the anchor included: as the same revision has it, or the main content of another space as it is now. Null where there is none of the " +
      "id, where the viewer may not see that space, and for other kinds.",
    resolve: (reference, _args, context) => findLinkedPage(context, reference),
  }),
);

async function findLinkedPage(context: Context, reference: ReferenceInRevision): Promise<PageInRevision | null> {
  const { page, space: spaceId, within } = reference;
  if (page === undefined) return null;
  if (spaceId === undefined || spaceId === within.spaceId) return findPageIn(context, within, { id: page });
  const space = await context.reader.row(spaces, spaceId, project([]));
  return space && findPageIn(context, await contentOf(context, space, project(pagesRevisionColumns)), { id: page });
}

function idOrPath(by: Optional<{ id: string; path: string }>): { id: string } | { path: string } {
  const [name, value] = oneOf("by", { id: by.id, path: by.path });
  return name === "id" ? { id: value } : { path: value };
}
