// Where collections are asked for: `collection`, and from organizations and collections.
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
  t.find(collections, "A collection. NOT_FOUND when there is none with this id that the viewer may see."),
);

builder.prismaObjectField(Organization, "collections", (t) =>
  t.list(
    collectionsOfOrganization,
    "Its collections that the viewer may see, at any place: oldest first, or in their order where one place alone is listed. See `content` for collections and spaces together.",
    {
      args: {
        ...placeArguments,
        title: t.arg.string(titleFilter),
        orderBy: t.arg({ type: CollectionOrder, description: "How they are sorted." }),
      },
    },
  ),
);

builder.prismaObjectFields(Collection, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The owning organization; null for those outside it."),
  parent: t.rowOrNull(
    collections,
    "parentId",
    "The collection around it; null at the top, and when the viewer may not see that collection.",
  ),
  ancestors: t.field({
    type: [Collection],
    description: "The collections around it that the viewer may see, from the top down: its breadcrumbs.",
    select: { ancestors: true },
    resolve: ({ ancestors }, _args, context, info) => ancestorsOf(context, ancestors, projectionOf(info)),
  }),
  collections: t.list(
    collectionsOfCollection,
    "The collections directly inside it that the viewer may see, in their order.",
    {
      args: {
        title: t.arg.string(titleFilter),
        orderBy: t.arg({ type: CollectionOrder, description: "How they are sorted." }),
      },
    },
  ),
}));
