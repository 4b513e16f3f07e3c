// Where collections are asked for: `collection`, and from organizations and collections.
import { found } from "#src/base/errors.ts";
import {
  findCollection,
  pageCollectionsOfCollection,
  pageCollectionsOfOrganization,
} from "#src/features/collections/reads.ts";
import { Collection, CollectionConnection } from "#src/features/collections/type/collection.ts";
import { findOrganization } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.queryField("collection", (t) =>
  t.field({
    type: Collection,
    nullable: true,
    description: "A collection. NOT_FOUND when there is none with this id that the viewer may see.",
    args: { id: t.arg.id({ required: true, description: "Id of the collection." }) },
    resolve: async (_root, { id }, context, info) =>
      found(await findCollection(context, id, wantedRows(info, "Collection")), "collection"),
  }),
);

builder.objectField(Organization, "collections", (t) =>
  t.field({
    type: CollectionConnection,
    description:
      "Its collections that the viewer may see: all of them, oldest first, or only the top ones in their order.",
    args: {
      ...pageArguments,
      nested: t.arg.boolean({
        defaultValue: true,
        required: true,
        description: "Whether those inside other collections are listed too.",
      }),
    },
    columns: ["id"],
    resolve: (organization, args, context, info) =>
      pageCollectionsOfOrganization(context, organization, args, wantedRows(info, "Collection")),
  }),
);

builder.objectFields(Collection, (t) => ({
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
  collections: t.field({
    type: CollectionConnection,
    description: "The collections directly inside it that the viewer may see, in their order.",
    args: pageArguments,
    columns: ["id"],
    resolve: (collection, args, context, info) =>
      pageCollectionsOfCollection(context, collection, args, wantedRows(info, "Collection")),
  }),
}));
