// The fields of spaces, revisions and pages that read content. Change requests define their own.
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
import {
  anyRevisionOfSpace,
  contentOf,
  historyOfPage,
  revisions,
  revisionsOfSpace,
} from "#src/features/content/reads/revisions.ts";
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
    description:
      "The current revision of its main content, with the id `revisionId`. Visible to all who may view the space.",
    resolve: (space, _args, context, info) => contentOf(context, space, projectionOf(info)),
  }),
  revisions: t.list(
    revisionsOfSpace,
    "Revisions of its main content, newest first; empty for viewers without a role on the space.",
    { args: revisionArguments },
  ),
  revision: t.pick(
    anyRevisionOfSpace,
    "A revision of its main content or of one of its change requests. NOT_FOUND if no such revision is visible to you.",
  ),
}));

const PageKey = builder.inputType("PageKey", {
  description: "The key of a page within a revision: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "Id of the page: `pageId`, or `id` in any revision." }),
    path: t.string({ description: "Path of the page, without a leading slash." }),
  }),
});

const withComputed = builder.args((t) => ({
  computed: t.boolean({
    defaultValue: true,
    description: "True: computed pages have their computed text and subpages; false: pages are as users wrote them.",
  }),
}));

builder.prismaObjectFields(Revision, (t) => ({
  space: t.rowOrNull(spaces, "spaceId", "Its space; null for viewers who have access only by a link."),
  parentRevisions: t.field({
    type: [Revision],
    description:
      "Parents that the viewer may see, in the order of `parentRevisionIds`. Viewers without a role on the space see only the current revision.",
    select: { parents: true },
    resolve: async ({ parents }, _args, { reader }, info) => {
      const found = await Promise.all(parents.map((id) => reader.row(revisions, id, projectionOf(info))));
      return found.filter((revision) => revision !== null);
    },
  }),
  author: t.rowOrNull(
    namedUsers,
    "authorId",
    "User who created it; null if no user did, and for viewers without a role on the space.",
  ),
  pages: t.field({
    type: [Page],
    description: "Top-level pages, in order. The whole tree is read in one statement.",
    args: withComputed,
    select: columnsOf(pagesRevisionColumns),
    resolve: (revision, args, context) => listPages(context, revision, args),
  }),
  allPages: t.field({
    type: [Page],
    description: "All pages on all levels, in depth-first order, parents first.",
    args: withComputed,
    extensions: pageTree,
    select: columnsOf(pagesRevisionColumns),
    resolve: (revision, args, context) => listPages(context, revision, { ...args, all: true }),
  }),
  pageCount: t.int({
    description: "Number of pages on all levels.",
    select: { treeHash: true },
    resolve: async (revision, _args, context) => (await pagesOf(context, revision)).byId.size,
  }),
  page: t.field({
    type: Page,
    nullable: true,
    description: "A page of the revision. NOT_FOUND if it does not exist.",
    args: { by: t.arg({ type: PageKey, required: true, description: "Key of the page." }), ...withComputed },
    select: columnsOf(pagesRevisionColumns),
    resolve: async (revision, { by, ...args }, context) =>
      found(await findPageIn(context, revision, idOrPath(by), args), "page"),
  }),
  files: t.list(filesOfRevision, "Files, oldest first."),
  allFiles: t.field({
    type: [File],
    description: "All files, oldest first; at most 10,000.",
    select: { filesHash: true },
    resolve: async (revision, _args, { reader }, info) => [
      ...(await reader.all(filesOfRevision, revision, { args: {}, projection: projectionOf(info) })),
    ],
  }),
  file: t.pick(filesOfRevision, "A file of the revision. NOT_FOUND if it does not exist.", {
    args: { id: t.arg.id({ required: true, description: "Id of the file: `fileId`, or `id` in any revision." }) },
    key: ({ id }) => ({ fileId: lastingId("File", id) }),
  }),
  changes: t.field({
    type: ContentChanges,
    nullable: true,
    description:
      "Differences to another revision of the space. Null if the viewer does not see the first parent; NOT_FOUND if `sinceRevisionId` is not visible to you.",
    args: {
      sinceRevisionId: t.arg.id({
        description:
          "Id of the revision to compare with; by default the first parent or, if it has none, an empty content.",
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
      "Revisions in which it was created, edited, moved to another parent or deleted, each compared with its first parent, newest first: of the main " +
      "content, or of the change request in which its revision was created. Viewers without a role on the space see only the current revision. Read from an " +
      "index, so the length of the history does not matter.",
    args: pageArguments,
    resolve: (page, args, { reader }, info) =>
      reader.page(historyOfPage, pageKey(page), { page: args, args: {}, projection: projectionOf(info) }),
  }),
);

builder.objectField(ContentReference, "page", (t) =>
  t.field({
    type: Page,
    nullable: true,
    description:
      "The page, also for an anchor: from the same revision, or from the current main content of another space. Null if it does not exist, " +
      "if the viewer may not see that space, and for other kinds.",
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
