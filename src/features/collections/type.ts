// The GraphQL type Collection, and the input that says where a collection or space is placed among its siblings.
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
  location: "The collection in the REST interface.",
  app: "The collection in the application.",
});

const CollectionPermissions = defineFlags("CollectionPermissions", "What the viewer may do with a collection.", {
  view: "See it.",
  admin: "Change, move, transfer and delete it.",
  viewInviteLinks:
    "The role to see invite links of its own, which is `admin`. docgraph has invite links of organizations only.",
  create: "Create collections and spaces in it.",
});

const onTypes = () => {
  throw new Error("Every type that is a ContentItem has these fields itself.");
};

/** What collections and spaces have in common, as items of one list. */
export const ContentItem = builder.interfaceRef<{ id: string }>("ContentItem").implement({
  description: "A collection or a space, as they stand in one order in an organization or a collection.",
  resolveType: ({ id }) => kindOfId(id) ?? undefined,
  fields: (t) => ({
    id: t.id({
      description: "Opaque id, the same as in REST; starts with a prefix that says the type.",
      resolve: onTypes,
    }),
    title: t.string({ description: "Title, at most 50 characters.", resolve: onTypes }),
    organizationId: t.id({ description: "Id of the owning organization.", resolve: onTypes }),
    parentId: t.id({
      nullable: true,
      description: "Id of the collection around it; null at the top.",
      resolve: onTypes,
    }),
    position: t.string({
      description:
        "Its place among the collections and spaces of the same parent, which are sorted by this text, byte by byte. It may change when others move.",
      resolve: onTypes,
    }),
    createdAt: t.field({ type: "DateTime", description: "When it was created.", resolve: onTypes }),
    updatedAt: t.field({ type: "DateTime", description: "When it was last changed.", resolve: onTypes }),
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
      description: "Id of the collection around it; null at the top.",
    }),
    defaultLevel: t.expose("defaultLevel", {
      type: Role,
      nullable: true,
      description: "Default role of members on everything inside; null takes that of the collection around it.",
    }),
    position: t.exposeString("position", {
      description:
        "Its place among the collections and spaces of the same parent, which are sorted by this text, byte by byte. It may change when others move.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was last changed." }),
    urls: t.value(CollectionUrls, "Links.", ({ id }, { publicUrl, links }) => ({
      location: `${publicUrl}/v1/collections/${id}`,
      app: links.app(`collections/${id}`, id),
    })),
    viewerRole: t.valueOrNull(
      Role,
      "The viewer's own role on it: the highest of their role in the organization or the default level, and of what is granted to them.",
      itemRoleColumns,
      (collection, { viewer }) => itemRole(viewer, collection),
    ),
    permissions: t.value(CollectionPermissions, "What the viewer may do.", itemRoleColumns, (collection, { viewer }) =>
      collectionPermissions(viewer, collection),
    ),
  }),
});

export const contentOrderFields = {
  position: "Their place among the collections and spaces of the same parent.",
  title: "Their title, in any letter case.",
  createdAt: "When they were created.",
  updatedAt: "When they were last changed.",
};

export const CollectionOrder = defineOrder("Collection", "collections", contentOrderFields);

export const placeArguments = builder.args((t) => ({
  nested: t.boolean({
    defaultValue: true,
    required: true,
    description: "Whether those inside collections are listed too; false lists only those at the top.",
  }),
  parentId: t.id({ description: "Only those directly inside the collection of this id." }),
}));

const ContentPlaceInput = builder.inputType("ContentPlaceInput", {
  description: "A place among the spaces and collections of one parent, beside one of them: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    beforeSpaceId: t.id({ description: "Id of the space right before which it is put." }),
    afterSpaceId: t.id({ description: "Id of the space right after which it is put." }),
    beforeCollectionId: t.id({ description: "Id of the collection right before which it is put." }),
    afterCollectionId: t.id({ description: "Id of the collection right after which it is put." }),
  }),
});

export const contentPlace = (t: InputFields) => ({
  place: t.field({ type: ContentPlaceInput, description: "Its place there; behind everything else when left out." }),
});
