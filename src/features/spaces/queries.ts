// Where spaces are asked for: `space`, and from organizations and collections.
import { collections } from "#src/features/collections/reads.ts";
import { Collection } from "#src/features/collections/type.ts";
import { organizations, publishers } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { DefaultContent } from "#src/features/organizations/type/parts.ts";
import { OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import { spaces, spacesOfCollection, spacesOfOrganization } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { builder } from "#src/graph/builder.ts";
import { wanted } from "#src/graph/selection.ts";

builder.queryField("space", (t) =>
  t.find(spaces, "A space. NOT_FOUND when there is none with this id that the viewer may see.", {
    args: {
      shareKey: t.arg.string({
        description: "Secret key of the link, which opens a share-link space and tells where it is published.",
      }),
    },
    scope: (viewer, { shareKey }) => (shareKey == null ? viewer : { ...viewer, shareKey }),
  }),
);

builder.prismaObjectField(Organization, "spaces", (t) =>
  t.list(spacesOfOrganization, "Its spaces that the viewer may see, at any place, oldest first."),
);

builder.prismaObjectField(Collection, "spaces", (t) =>
  t.list(spacesOfCollection, "The spaces directly inside it that the viewer may see, in their order."),
);

builder.objectField(DefaultContent, "space", (t) =>
  t.rowOrNull(spaces, "spaceId", "The space; null for a site, and where the viewer may not see it."),
);

builder.prismaObjectFields(Space, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The owning organization; null for those outside it."),
  publisher: t.field({
    type: OrganizationProfile,
    description: "The owning organization as everybody who sees the space is shown it.",
    select: { organizationId: true },
    resolve: ({ organizationId }, _args, { reader }, info) => reader.found(publishers, organizationId, wanted(info)),
  }),
  parent: t.rowOrNull(
    collections,
    "parentId",
    "The collection around it; null at the top, and when the viewer may not see that collection.",
  ),
}));
