// Where spaces are asked for: `space`, and from organizations and collections.
import { found } from "#src/base/errors.ts";
import { findCollection } from "#src/features/collections/reads.ts";
import { Collection } from "#src/features/collections/type/collection.ts";
import { findOrganization } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { findSpace, pageSpacesOfCollection, pageSpacesOfOrganization } from "#src/features/spaces/reads.ts";
import { Space, SpaceConnection } from "#src/features/spaces/type.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.queryField("space", (t) =>
  t.field({
    type: Space,
    nullable: true,
    description: "A space. NOT_FOUND when there is none with this id that the viewer may see.",
    args: {
      id: t.arg.id({ required: true, description: "Id of the space." }),
      shareKey: t.arg.string({ description: "Secret key of the link, which opens a share-link space." }),
    },
    resolve: async (_root, { id, shareKey }, context, info) =>
      found(await findSpace(context, id, wantedRows(info, "Space"), shareKey ?? null), "space"),
  }),
);

builder.objectField(Organization, "spaces", (t) =>
  t.field({
    type: SpaceConnection,
    description: "Its spaces that the viewer may see, wherever they stand, oldest first.",
    args: pageArguments,
    columns: ["id"],
    resolve: (organization, args, context, info) =>
      pageSpacesOfOrganization(context, organization, args, wantedRows(info, "Space")),
  }),
);

builder.objectField(Collection, "spaces", (t) =>
  t.field({
    type: SpaceConnection,
    description: "The spaces directly inside it that the viewer may see, in their order.",
    args: pageArguments,
    columns: ["id"],
    resolve: (collection, args, context, info) =>
      pageSpacesOfCollection(context, collection, args, wantedRows(info, "Space")),
  }),
);

builder.objectFields(Space, (t) => ({
  organization: t.field({
    type: Organization,
    nullable: true,
    description: "The owning organization; null for those outside it.",
    columns: ["organizationId"],
    resolve: ({ organizationId }, _args, context, info) =>
      findOrganization(context, organizationId, wantedRows(info, "Organization")),
  }),
  parent: t.field({
    type: Collection,
    nullable: true,
    description: "The collection around it; null at the top, and when the viewer may not see that collection.",
    columns: ["parentId"],
    resolve: ({ parentId }, _args, context, info) =>
      parentId === null ? null : findCollection(context, parentId, wantedRows(info, "Collection")),
  }),
}));
