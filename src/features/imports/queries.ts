// Where imports are asked for: from their space; and what they belong to.
import { revisions } from "#src/features/content/reads/revisions.ts";
import { importsOfSpace } from "#src/features/imports/reads.ts";
import { ContentImport } from "#src/features/imports/type.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.prismaObjectField(Space, "imports", (t) =>
  t.list(
    importsOfSpace,
    "The imports of what is at an address, into its content and that of its change requests, the last one first.",
  ),
);

builder.prismaObjectFields(ContentImport, (t) => ({
  space: t.row(spaces, "spaceId", "The space."),
  createdBy: t.row(namedUsers, "createdById", "Who started it."),
  revision: t.rowOrNull(
    revisions,
    "revisionId",
    "The revision that it made, or that was there where it changed nothing; null unless it is done.",
  ),
}));
