// The field `imports` of spaces, and the relations of imports.
import { revisions } from "#src/features/content/reads/revisions.ts";
import { importsOfSpace } from "#src/features/imports/reads.ts";
import { ContentImport } from "#src/features/imports/type.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.prismaObjectField(Space, "imports", (t) =>
  t.list(importsOfSpace, "Imports of URLs into its main content and its change requests, newest first."),
);

builder.prismaObjectFields(ContentImport, (t) => ({
  space: t.row(spaces, "spaceId", "The space."),
  createdBy: t.row(namedUsers, "createdById", "User who started it."),
  revision: t.rowOrNull(
    revisions,
    "revisionId",
    "The new revision, or the current one if nothing changed; null unless it is done.",
  ),
}));
