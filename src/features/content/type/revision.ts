// The GraphQL type Revision.
import { findRevision, type RevisionRow } from "#src/features/content/reads/revisions.ts";
import type { RevisionType as RevisionTypeValue } from "#src/generated/prisma/enums.ts";
import { builder, Node, Resource } from "#src/graph/builder.ts";
import { connectionOf } from "#src/graph/connections.ts";
import { findNodesBy } from "#src/graph/nodes.ts";
import { defineEnum } from "#src/graph/scalars.ts";

const RevisionType = defineEnum<RevisionTypeValue>("RevisionType", "How a revision came to be.", {
  initial: "The first one of a space.",
  edits: "By edits.",
  merge: "By merging a change request.",
  update: "By updating a change request from the main content.",
  import: "By an import.",
});

export const Revision = builder.objectRef<RevisionRow>("Revision").implement({
  description: "One state of a content, which never changes.",
  interfaces: [Node, Resource],
  fields: (t) => ({
    object: t.string({ description: "Always `revision`.", columns: [], resolve: () => "revision" }),
    type: t.expose("type", { type: RevisionType, description: "How it came to be." }),
    parents: t.exposeIDList("parents", {
      description: "Ids of the revisions that it stands on: the one before it first, then what was merged in.",
    }),
    message: t.exposeString("message", {
      nullable: true,
      description: "What its author said of it; null for nothing, and for those without a role on the space.",
    }),
    createdAt: t.expose("createdAt", {
      type: "DateTime",
      description: "When it was made; later than those it stands on.",
    }),
    spaceId: t.exposeID("spaceId", { description: "Id of its space." }),
    changeRequestId: t.exposeID("changeRequestId", {
      nullable: true,
      description: "Id of the change request in which it was made; null for the main content.",
    }),
  }),
});

export const RevisionConnection = connectionOf(Revision);

findNodesBy("Revision", findRevision);
