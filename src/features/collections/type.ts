// The GraphQL type Collection, and the input for the position of a collection or space among its siblings.
import { ofLength } from "#src/graph/schema/rest-forms.ts";
import { collectionTexts } from "#src/features/collections/commands/collection.ts";
import { itemRole, itemRoleColumns } from "#src/access/content.ts";
import { collectionPermissions } from "#src/features/collections/access.ts";
import { collections } from "#src/features/collections/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { kindOfId } from "#src/base/ids.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";

const CollectionUrls = defineLinks("CollectionUrls", "Links of a collection.", {
  location: "The collection in /v1.",
  app: "The collection in the application.",
});

const CollectionPermissions = defineFlags("CollectionPermissions", "The permissions of the viewer on a collection.", {
  view: "See it.",
  admin: "Change, move, transfer and delete it.",
  viewInviteLinks:
    "View invite links of the collection: requires the role `admin`. docgraph has only invite links of organizations.",
  create: "Create collections and spaces in it.",
});

const onTypes = () => {
  throw new Error("Every type that implements ContentItem must define these fields.");
};

/** The common interface of collections and spaces, which share one list. */
export const ContentItem = builder.interfaceRef<{ id: string }>("ContentItem").implement({
  description: "A collection or a space: both share one order within their organization or parent collection.",
  resolveType: ({ id }) => kindOfId(id) ?? undefined,
  fields: (t) => ({
    id: t.id({
      description: "Opaque id, the same as in /v1; its prefix names the type.",
      resolve: onTypes,
    }),
    title: t.string({ description: "Title, at most 50 characters.", resolve: onTypes }),
    organizationId: t.id({ description: "Id of the owning organization.", resolve: onTypes }),
    parentId: t.id({
      nullable: true,
      description: "Id of the parent collection; null at the top level.",
      resolve: onTypes,
    }),
    position: t.string({
      description:
        "Position among the collections and spaces of the same parent, which are sorted by this string in byte order. It may change when other items move.",
      resolve: onTypes,
    }),
    createdAt: t.field({ type: "DateTime", description: "Time of creation.", resolve: onTypes }),
    updatedAt: t.field({ type: "DateTime", description: "Time of the last change.", resolve: onTypes }),
  }),
});

export const Collection = defineNode("Collection", collections, {
  description: "A group of spaces and of other collections.",
  resource: "collection",
  interfaces: [ContentItem],
  fields: (t) => ({
    title: t.exposeString("title", {
      description: "Title, at most 50 characters.",
      extensions: ofLength(collectionTexts.title),
    }),
    description: t.exposeString("description", {
      nullable: true,
      description: "Description, at most 100 characters.",
      extensions: ofLength(collectionTexts.description),
    }),
    organizationId: t.exposeID("organizationId", { description: "Id of the owning organization." }),
    parentId: t.exposeID("parentId", {
      nullable: true,
      description: "Id of the parent collection; null at the top level.",
    }),
    defaultLevel: t.expose("defaultLevel", {
      type: Role,
      nullable: true,
      description: "Default role of members on all content inside; null inherits that of the parent collection.",
    }),
    position: t.exposeString("position", {
      description:
        "Position among the collections and spaces of the same parent, which are sorted by this string in byte order. It may change when other items move.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Time of creation." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "Time of the last change." }),
    urls: t.value(CollectionUrls, "Links.", ({ id }, { publicUrl, links }) => ({
      location: `${publicUrl}/v1/collections/${id}`,
      app: links.app(`collections/${id}`, id),
    })),
    viewerRole: t.valueOrNull(
      Role,
      "The role of the viewer on it: the highest of their role in the organization or the default level, and the roles granted to them.",
      itemRoleColumns,
      (collection, { viewer }) => itemRole(viewer, collection),
    ),
    permissions: t.value(
      CollectionPermissions,
      "Permissions of the viewer.",
      itemRoleColumns,
      (collection, { viewer }) => collectionPermissions(viewer, collection),
    ),
  }),
});

export const contentOrderFields = {
  position: "By position among the collections and spaces of the same parent.",
  title: "By title, ignoring case.",
  createdAt: "By time of creation.",
  updatedAt: "By time of the last change.",
};

export const CollectionOrder = defineOrder("Collection", "collections", contentOrderFields);

export const placeArguments = builder.args((t) => ({
  nested: t.boolean({
    defaultValue: true,
    required: true,
    description: "Whether to list items inside collections, too; false lists only those at the top level.",
  }),
  parentId: t.id({ description: "Only children of this collection." }),
}));

const ContentPlaceInput = builder.inputType("ContentPlaceInput", {
  description:
    "A position directly before or after a space or collection of the same parent: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    beforeSpaceId: t.id({ description: "Places it directly before the space with this id." }),
    afterSpaceId: t.id({ description: "Places it directly after the space with this id." }),
    beforeCollectionId: t.id({ description: "Places it directly before the collection with this id." }),
    afterCollectionId: t.id({ description: "Places it directly after the collection with this id." }),
  }),
});

export const contentPlace = (t: InputFields) => ({
  place: t.field({ type: ContentPlaceInput, description: "Position in the parent; at the end by default." }),
});
