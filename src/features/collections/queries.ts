// Where collections are asked for: `collection`, and from organizations and collections.
import { collections, collectionsOfCollection, collectionsOfOrganization } from "#src/features/collections/reads.ts";
import { Collection } from "#src/features/collections/type.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { builder } from "#src/graph/builder.ts";

builder.queryField("collection", (t) =>
  t.find(collections, "A collection. NOT_FOUND when there is none with this id that the viewer may see."),
);

builder.prismaObjectField(Organization, "collections", (t) =>
  t.list(
    collectionsOfOrganization,
    "Its collections that the viewer may see: all of them, oldest first, or only the top ones in their order.",
    {
      args: {
        nested: t.arg.boolean({
          defaultValue: true,
          required: true,
          description: "Whether those inside other collections are listed too.",
        }),
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
  collections: t.list(
    collectionsOfCollection,
    "The collections directly inside it that the viewer may see, in their order.",
  ),
}));
