// Where spaces are asked for: `space`, and from organizations and collections, alone or together with collections.
import { titleFilter } from "#src/features/organizations/type/enums.ts";
import type { GraphQLResolveInfo } from "graphql";
import { project } from "#src/db/reading/entity.ts";
import { ancestorsOf, collections } from "#src/features/collections/reads.ts";
import { Collection, ContentItem, placeArguments } from "#src/features/collections/type.ts";
import { organizations, publishers } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { DefaultContent, OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import {
  contentOfCollection,
  contentOfOrganization,
  contentPage,
  deletedSpacesOfOrganization,
  findableSpaces,
  spaces,
  spacesOfCollection,
  spacesOfOrganization,
} from "#src/features/spaces/reads.ts";
import { Space, SpaceOrder, SpaceVisibility } from "#src/features/spaces/type.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionOf, pageArguments } from "#src/graph/schema/nodes.ts";
import { projectionOf, wantedInPage } from "#src/graph/run/selection.ts";

builder.queryField("space", (t) =>
  t.find(
    findableSpaces,
    "A space; also one that was deleted within the last seven days, for those who may restore it. NOT_FOUND when there is none with this id that the viewer may see.",
    {
      args: {
        shareKey: t.arg.string({
          description: "Secret key of the link, which opens a share-link space and tells where it is published.",
        }),
      },
      scope: (viewer, { shareKey }) => (shareKey == null ? viewer : { ...viewer, shareKey }),
    },
  ),
);

const filterArguments = builder.args((t) => ({
  title: t.string(titleFilter),
  visibilities: t.field({ type: [SpaceVisibility], description: "Only those of one of these visibilities." }),
  orderBy: t.field({ type: SpaceOrder, description: "How they are sorted." }),
}));

const ContentItemConnection = connectionOf(ContentItem as never);

function wantedOfContent(info: GraphQLResolveInfo) {
  const [ofCollections, ofSpaces] = [wantedInPage(info, "Collection"), wantedInPage(info, "Space")];
  return { items: project([], ofSpaces.cursors, ofSpaces.selected), collections: ofCollections, spaces: ofSpaces };
}

builder.prismaObjectFields(Organization, (t) => ({
  spaces: t.list(
    spacesOfOrganization,
    "Its spaces that the viewer may see, at any place: oldest first, or in their order where one place alone is listed. See `content` for collections and spaces together.",
    { args: { ...placeArguments, ...filterArguments } },
  ),
  content: t.field({
    type: ContentItemConnection,
    description:
      "The collections and spaces at its top that the viewer may see, in their one order. With `content` of the collections below it is the tree of a sidebar: three SQL statements a level.",
    args: {
      ...pageArguments,
      parentId: t.arg.id({
        description: "What is directly inside the collection of this id, in the place of the top.",
      }),
    },
    resolve: ({ id }, { parentId, ...page }, context, info) =>
      contentPage(
        context,
        contentOfOrganization,
        { id },
        { page, args: { parentId }, projection: wantedOfContent(info) },
      ),
  }),
  deletedSpaces: t.list(
    deletedSpacesOfOrganization,
    "Its deleted spaces that the viewer may restore, the one deleted last first: those of the last seven days. What belongs to them is hidden until they are restored.",
  ),
}));

builder.prismaObjectFields(Collection, (t) => ({
  spaces: t.list(spacesOfCollection, "The spaces directly inside it that the viewer may see, in their order.", {
    args: filterArguments,
  }),
  content: t.field({
    type: ContentItemConnection,
    description: "The collections and spaces directly inside it that the viewer may see, in their one order.",
    args: pageArguments,
    resolve: ({ id }, page, context, info) =>
      contentPage(context, contentOfCollection, { id }, { page, args: {}, projection: wantedOfContent(info) }),
  }),
}));

builder.objectField(DefaultContent, "space", (t) =>
  t.rowOrNull(spaces, "spaceId", "The space; null for a site, and where the viewer may not see it."),
);

builder.prismaObjectFields(Space, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The owning organization; null for those outside it."),
  publisher: t.field({
    type: OrganizationProfile,
    description: "The owning organization as everybody who sees the space is shown it.",
    select: { organizationId: true },
    resolve: ({ organizationId }, _args, { reader }, info) =>
      reader.found(publishers, organizationId, projectionOf(info)),
  }),
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
}));
