// The GraphQL type ContentReference: what links, covers and computed pages refer to.
import { collections } from "#src/features/collections/reads.ts";
import type { ContentReference as ContentReferenceValue } from "#src/features/content/model/references.ts";
import { findFileIn } from "#src/features/content/reads/files.ts";
import type { PagesRevision } from "#src/features/content/reads/pages.ts";
import { File } from "#src/features/content/type/file.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { users } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { wanted } from "#src/graph/run/selection.ts";

export const ReferenceKind = defineEnum("ReferenceKind", "What a reference leads to.", {
  file: "A file of the content.",
  page: "A page of the content, or of the space that is named with it.",
  url: "An address.",
  anchor: "A place on a page.",
  space: "A space.",
  user: "A user.",
  collection: "A collection.",
  openapi: "An OpenAPI specification.",
});

/** A reference that is made in a revision. */
export interface ReferenceInRevision extends ContentReferenceValue {
  readonly within: PagesRevision;
}

export const ContentReference = builder.objectRef<ReferenceInRevision>("ContentReference").implement({
  description: "A reference to any kind of content, with what its kind needs; everything else is null.",
  fields: (t) => ({
    kind: t.expose("kind", { type: ReferenceKind, description: "What it leads to." }),
    fileId: t.exposeID("file", { nullable: true, description: "Id of the file." }),
    pageId: t.exposeID("page", { nullable: true, description: "Id of the page, that of the anchor included." }),
    url: t.exposeString("url", { nullable: true, description: "The address." }),
    anchor: t.exposeString("anchor", { nullable: true, description: "The place on the page." }),
    spaceId: t.exposeID("space", {
      nullable: true,
      description: "Id of the space; with a page, that of the page where it is not this one.",
    }),
    userId: t.exposeID("user", { nullable: true, description: "Id of the user." }),
    collectionId: t.exposeID("collection", { nullable: true, description: "Id of the collection." }),
    file: t.field({
      type: File,
      nullable: true,
      description: "The file, as the same revision has it; null where that has none of the id, and for other kinds.",
      resolve: ({ file, within }, _args, context, info) =>
        file === undefined ? null : findFileIn(context, within, file, wanted(info)),
    }),
    space: t.rowOrNull(
      spaces,
      ({ space }) => space ?? null,
      "The space; null for other kinds, and where the viewer may not see it.",
    ),
    user: t.rowOrNull(
      users,
      ({ user }) => user ?? null,
      "The user; null for other kinds, and where the viewer may not see them.",
    ),
    collection: t.rowOrNull(
      collections,
      ({ collection }) => collection ?? null,
      "The collection; null for other kinds, and where the viewer may not see it.",
    ),
    spec: t.exposeString("spec", { nullable: true, description: "Slug or id of the OpenAPI specification." }),
  }),
});
