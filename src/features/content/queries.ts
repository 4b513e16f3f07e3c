// Where content is asked for: from spaces, and from revisions to pages. Change requests ask for theirs themselves.
import { found, invalidInput } from "#src/base/errors.ts";
import { changesSince, comparedRevisionColumns } from "#src/features/content/reads/changes/compare.ts";
import { findFile, listFiles, pageFiles } from "#src/features/content/reads/files.ts";
import { pagesOf } from "#src/features/content/reads/pages.ts";
import {
  findPageIn,
  listAllPages,
  listTopPages,
  pagesRevisionColumns,
} from "#src/features/content/reads/pages-in-revision.ts";
import { contentOf, pageRevisionsOfSpace } from "#src/features/content/reads/revisions.ts";
import { ContentChanges } from "#src/features/content/type/changes.ts";
import { File, FileConnection } from "#src/features/content/type/file.ts";
import { Page, pageTree } from "#src/features/content/type/page.ts";
import { Revision, RevisionConnection } from "#src/features/content/type/revision.ts";
import { findSpace } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { namedUser } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.objectFields(Space, (t) => ({
  content: t.field({
    type: Revision,
    description: "Its main content: the active revision, for whoever may view the space.",
    columns: ["id"],
    resolve: (space, _args, context, info) => contentOf(context, space, wantedRows(info, "Revision")),
  }),
  revisions: t.field({
    type: RevisionConnection,
    description: "The revisions of its main content, newest first; none for those without a role on the space.",
    args: pageArguments,
    columns: ["id", "isAccessible"],
    resolve: (space, args, context, info) => pageRevisionsOfSpace(context, space, args, wantedRows(info, "Revision")),
  }),
}));

builder.objectFields(Revision, (t) => ({
  space: t.field({
    type: Space,
    nullable: true,
    description: "Its space; null for those who came by a link and may not see the space without.",
    columns: ["spaceId"],
    resolve: ({ spaceId }, _args, context, info) => findSpace(context, spaceId, wantedRows(info, "Space")),
  }),
  author: t.field({
    type: User,
    nullable: true,
    description: "Who made it; null for nobody in particular, and for those without a role on the space.",
    columns: ["authorId"],
    resolve: ({ authorId }, _args, context, info) =>
      authorId === null ? null : namedUser(context, authorId, wantedRows(info, "User")),
  }),
  pages: t.field({
    type: [Page],
    description: "The pages at the top, in their order. The whole tree below them is read in one statement.",
    columns: pagesRevisionColumns,
    resolve: (revision, _args, context) => listTopPages(context, revision),
  }),
  allPages: t.field({
    type: [Page],
    description:
      "All pages, on every level, in the order of the tree: each before those below it, and these before what follows beside it.",
    extensions: pageTree,
    columns: pagesRevisionColumns,
    resolve: (revision, _args, context) => listAllPages(context, revision),
  }),
  pageCount: t.int({
    description: "Number of pages, on all levels.",
    columns: ["treeHash"],
    resolve: async (revision, _args, context) => (await pagesOf(context, revision)).byId.size,
  }),
  page: t.field({
    type: Page,
    nullable: true,
    description: "One of its pages, by exactly one of the arguments. NOT_FOUND when there is none.",
    args: {
      id: t.arg.id({ description: "Id of the page." }),
      path: t.arg.string({ description: "Path of the page, without a slash at the start." }),
    },
    columns: pagesRevisionColumns,
    resolve: async (revision, args, context) => found(await findPageIn(context, revision, idOrPath(args)), "page"),
  }),
  files: t.field({
    type: FileConnection,
    description: "Its files, oldest first.",
    args: pageArguments,
    columns: ["filesHash"],
    resolve: (revision, args, context, info) => pageFiles(context, revision, args, wantedRows(info, "File")),
  }),
  allFiles: t.field({
    type: [File],
    description: "All its files, oldest first; a content has at most 10,000.",
    columns: ["filesHash"],
    resolve: (revision, _args, context, info) => listFiles(context, revision, wantedRows(info, "File")),
  }),
  file: t.field({
    type: File,
    nullable: true,
    description: "One of its files. NOT_FOUND when there is none of this id.",
    args: { id: t.arg.id({ required: true, description: "Id of the file." }) },
    columns: ["filesHash"],
    resolve: async (revision, { id }, context, info) =>
      found(await findFile(context, revision, id, wantedRows(info, "File")), "file"),
  }),
  changes: t.field({
    type: ContentChanges,
    nullable: true,
    description:
      "What differs from another revision of the space. Null for those who do not see its first parent; NOT_FOUND for a revision `since` that " +
      "is not there.",
    args: {
      since: t.arg.id({
        description:
          "Id of the revision to compare with; its first parent when left out, and an empty content where it has none.",
      }),
    },
    columns: ["parents", ...comparedRevisionColumns],
    resolve: (revision, { since }, context) => changesSince(context, revision, since ?? null),
  }),
}));

function idOrPath({
  id,
  path,
}: {
  id?: string | null | undefined;
  path?: string | null | undefined;
}): { id: string } | { path: string } {
  if ((id == null) === (path == null)) throw invalidInput("id", "give exactly one of id and path.");
  return path == null ? { id: id ?? "" } : { path };
}
