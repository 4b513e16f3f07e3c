// The query `collection`, and the fields that list collections on organizations and collections.
import { titleFilter } from "#src/features/organizations/type/enums.ts";
import {
  ancestorsOf,
  collections,
  collectionsOfCollection,
  collectionsOfOrganization,
} from "#src/features/collections/reads.ts";
import { Collection, CollectionOrder, placeArguments } from "#src/features/collections/type.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

builder.queryField("collection", (t) =>
  t.find(collections, "A collection. NOT_FOUND if no collection with this id is visible to you."),
);

builder.prismaObjectField(Organization, "collections", (t) =>
  t.list(
    collectionsOfOrganization,
    "Collections of the organization that the viewer may see, at any depth: oldest first, or by position if only one parent is listed. `content` lists collections and spaces together.",
    {
      args: {
        ...placeArguments,
        title: t.arg.string(titleFilter),
        orderBy: t.arg({ type: CollectionOrder, description: "Sort order." }),
      },
    },
  ),
);

builder.prismaObjectFields(Collection, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The owning organization; null for viewers outside it."),
  parent: t.rowOrNull(
    collections,
    "parentId",
    "The parent collection; null at the top level, or if the viewer may not see the parent.",
  ),
  ancestors: t.field({
    type: [Collection],
    description: "Ancestor collections that the viewer may see, from the top level down: its breadcrumbs.",
    select: { ancestors: true },
    resolve: ({ ancestors }, _args, context, info) => ancestorsOf(context, ancestors, projectionOf(info)),
  }),
  collections: t.list(collectionsOfCollection, "Child collections that the viewer may see, by position.", {
    args: {
      title: t.arg.string(titleFilter),
      orderBy: t.arg({ type: CollectionOrder, description: "Sort order." }),
    },
  }),
}));
