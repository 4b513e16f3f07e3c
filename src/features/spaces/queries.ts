// The query fields of spaces: `space`, and lists of organizations and collections, with or without collections.
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
    "A space by its id; also one deleted within the last seven days, if you may restore it. NOT_FOUND if no space with this id is visible to you.",
    {
      args: {
        shareKey: t.arg.string({
          description: "Secret key of the link, which opens a share-link space and reveals its published address.",
        }),
        includeDeleted: t.arg.boolean({
          required: true,
          defaultValue: true,
          description: "Whether a deleted space that you may restore is found.",
        }),
      },
      scope: (viewer, { shareKey, includeDeleted }) =>
        shareKey == null && includeDeleted
          ? viewer
          : { ...viewer, shareKey: shareKey ?? viewer.shareKey, findsDeleted: includeDeleted },
    },
  ),
);

const filterArguments = builder.args((t) => ({
  title: t.string(titleFilter),
  visibilities: t.field({ type: [SpaceVisibility], description: "Only spaces with one of these visibilities." }),
  orderBy: t.field({ type: SpaceOrder, description: "Sort order." }),
}));

const ContentItemConnection = connectionOf(ContentItem as never);

function wantedOfContent(info: GraphQLResolveInfo) {
  const [ofCollections, ofSpaces] = [wantedInPage(info, "Collection"), wantedInPage(info, "Space")];
  return { items: project([], ofSpaces.cursors, ofSpaces.selected), collections: ofCollections, spaces: ofSpaces };
}

builder.prismaObjectFields(Organization, (t) => ({
  spaces: t.list(
    spacesOfOrganization,
    "Its visible spaces on all levels: oldest first, or in their order if only one parent is listed. See `content` for collections and spaces together.",
    { args: { ...placeArguments, ...filterArguments } },
  ),
  content: t.field({
    type: ContentItemConnection,
    description:
      "The visible collections and spaces at its top level, in their common order. With `content` of collections, it makes the tree of a sidebar with three SQL statements per level.",
    args: {
      ...pageArguments,
      parentId: t.arg.id({
        description: "Id of a collection, to list its direct content instead of the top level.",
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
    "Its spaces deleted in the last seven days that the viewer may restore, last deleted first. Their content is hidden until they are restored.",
  ),
}));

builder.prismaObjectFields(Collection, (t) => ({
  spaces: t.list(spacesOfCollection, "The visible spaces directly inside it, in their order.", {
    args: filterArguments,
  }),
  content: t.field({
    type: ContentItemConnection,
    description: "The visible collections and spaces directly inside it, in their common order.",
    args: pageArguments,
    resolve: ({ id }, page, context, info) =>
      contentPage(context, contentOfCollection, { id }, { page, args: {}, projection: wantedOfContent(info) }),
  }),
}));

builder.objectField(DefaultContent, "space", (t) =>
  t.rowOrNull(spaces, "spaceId", "The space; null for a site, and if it is not visible to you."),
);

builder.prismaObjectFields(Space, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The owning organization; null for outsiders."),
  publisher: t.field({
    type: OrganizationProfile,
    description: "The public profile of the owning organization, for everybody who sees the space.",
    select: { organizationId: true },
    resolve: ({ organizationId }, _args, { reader }, info) =>
      reader.found(publishers, organizationId, projectionOf(info)),
  }),
  parent: t.rowOrNull(
    collections,
    "parentId",
    "The parent collection; null at the top level, and if the collection is not visible to you.",
  ),
  ancestors: t.field({
    type: [Collection],
    description: "Its visible ancestor collections, from the top down (breadcrumbs).",
    select: { ancestors: true },
    resolve: ({ ancestors }, _args, context, info) => ancestorsOf(context, ancestors, projectionOf(info)),
  }),
}));
