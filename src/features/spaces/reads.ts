// Reads of spaces: members except guests see those of their organization that are not closed to them, guests those
// granted to them, and everybody the open ones.
import {
  canSeeCollection,
  canSeeSpace,
  isAccessible,
  isAdministered,
  itemRoleParts,
  type ItemRoleParts,
} from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { kindOfId } from "#src/base/ids.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { type Entity, entity, type Stored, type Projection } from "#src/db/reading/entity.ts";
import { allOf, whenGiven } from "#src/db/reading/filters.ts";
import { byPosition, byTime, orderedBy } from "#src/db/reading/orders.ts";
import type { Page, PageArguments } from "#src/db/reading/page.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import {
  collections,
  type ContentFilter,
  contentOrders,
  hasTitle,
  isAtPlace,
  orderOfPlaced,
  type PlacedContentFilter,
} from "#src/features/collections/reads.ts";
import type { AddressedSite } from "#src/base/public-urls.ts";
import type { SpaceVisibility } from "#src/generated/prisma/enums.ts";
import type { SpaceModel } from "#src/generated/prisma/models.ts";

/** A site that shows a space, and the path to the space there, with the key of a share-link site first. */
export interface ShownOn extends AddressedSite {
  readonly path: readonly string[];
}

export interface SpaceRow extends Stored<SpaceModel>, ItemRoleParts {
  /** Whether the viewer has a role on it, so sees its change requests and comments; false when only open to anyone. */
  isAccessible: boolean;
  /** The key of its link if it is a share-link space and the request has that key; null otherwise. */
  givenKey: string | null;
  /** Numbers of change requests, open and draft ones, and open comments on the main content; null without a role. */
  counts: readonly [changeRequests: number, open: number, draft: number, comments: number] | null;
  /** The first published site that shows it without a condition; the feature "sites" derives it. */
  shownOn: ShownOn | null;
}

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    Space: SpaceRow;
  }
}

/** Whether the viewer has a role on space `t`. The content of a deleted space is hidden from everybody. */
function hasRoleOnSpace(viewer: Viewer): Sql {
  return sql`(t."deletedAt" is null and ${isAccessible(viewer)})`;
}

export const spaces = entity<SpaceRow, Viewer>({
  kind: "Space",
  derived: {
    ...itemRoleParts("space"),
    isAccessible: hasRoleOnSpace,
    counts: (viewer) => sql`case when ${hasRoleOnSpace(viewer)} then coalesce((
      select array[n."changeRequests", n."openChangeRequests", n."draftChangeRequests", n."openComments"]
      from "SpaceCount" n where n."spaceId" = t.id), '{0,0,0,0}') end`,
    givenKey: ({ shareKey }) =>
      shareKey === null
        ? sql`null::text`
        : sql`case when t."visibility" = 'share_link' and t."shareKey" = ${shareKey} then t."shareKey" end`,
  },
  visible: canSeeSpace,
});

/** Whether space `t` can still be restored: the next run of the job removes it permanently. */
const isRestorable = sql`t."deletedAt" > now() - interval '7 days'`;

/** Deleted spaces, which only their admins see to restore them. */
export const deletedSpaces: Entity<SpaceRow, Viewer> = {
  ...spaces,
  visible: (viewer) => sql`t."deletedAt" is not null and ${isAdministered("space", viewer)}`,
};

type SpaceFilter = { readonly visibilities?: readonly SpaceVisibility[] | null | undefined };

const isVisibleAs = ({ visibilities }: SpaceFilter): Sql | null =>
  whenGiven(visibilities, (values) => sql`t."visibility" = any(${values}::"SpaceVisibility"[])`);

/** Spaces found by id: also deleted ones, if the viewer may still restore them. */
export const findableSpaces: Entity<SpaceRow, Viewer> = {
  ...spaces,
  orElse: {
    ...deletedSpaces,
    visible: (viewer) =>
      viewer.findsDeleted === false ? sql`false` : sql`(${isRestorable} and ${deletedSpaces.visible(viewer)})`,
  },
};

export const spacesOfOrganization: PageList<SpaceRow, Viewer, SpaceFilter & PlacedContentFilter> = {
  entity: spaces,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: orderOfPlaced,
  where: (args) => allOf(isAtPlace(args), isVisibleAs(args)),
};

export const spacesOfCollection: PageList<SpaceRow, Viewer, SpaceFilter & ContentFilter> = {
  entity: spaces,
  parent: sql`t."parentId" = p.id`,
  visible: "by its own rule",
  order: orderedBy(contentOrders, byPosition),
  where: (args) => allOf(hasTitle(args.title), isVisibleAs(args)),
};

/** Spaces that can still be restored, last deleted first. */
export const deletedSpacesOfOrganization: PageList<SpaceRow, Viewer> = {
  entity: deletedSpaces,
  parent: sql`t."organizationId" = p.id and ${isRestorable}`,
  visible: "by its own rule",
  order: byTime("deletedAt", "desc"),
};

/** Collections and spaces as items of one list. A union without conditions is read in the order of indexes. */
const contentItems = entity<{ id: string }, Viewer>({
  kind: "Space",
  table: sql`(select c.id, c."organizationId", c."parentId", c."ancestors", c."position", c."defaultLevel",
      false as "openToMembers", null::timestamptz as "deletedAt", null::"SpaceVisibility" as "visibility", null::text as "shareKey"
    from "Collection" c union all
    select s.id, s."organizationId", s."parentId", s."ancestors", s."position", s."defaultLevel",
      s."openToMembers", s."deletedAt", s."visibility", s."shareKey" from "Space" s)`,
  stored: { id: "id" },
  // Collections have no visibility.
  visible: (viewer) =>
    sql`t."deletedAt" is null and case when t."visibility" is null then ${canSeeCollection(viewer)} else ${canSeeSpace(viewer)} end`,
});

type ContentPlace = { readonly parentId?: string | null | undefined };

/** The collections and spaces at the top level of an organization, or directly in one of its collections, in order. */
export const contentOfOrganization: PageList<{ id: string }, Viewer, ContentPlace> = {
  entity: contentItems,
  parent: sql`t."organizationId" = p.id`,
  visible: "by its own rule",
  order: byPosition,
  where: ({ parentId }) => (parentId == null ? sql`t."parentId" is null` : sql`t."parentId" = ${parentId}`),
};

export const contentOfCollection: PageList<{ id: string }, Viewer, ContentPlace> = {
  entity: contentItems,
  parent: sql`t."parentId" = p.id`,
  visible: "by its own rule",
  order: byPosition,
};

interface ContentWanted {
  readonly items: Projection;
  readonly collections: Projection;
  readonly spaces: Projection;
}

/** A page of collections and spaces, in three statements for any number of parents. */
export async function contentPage(
  { reader }: Context,
  list: typeof contentOfOrganization,
  parent: { id: string },
  { projection, args, page }: { projection: ContentWanted; args: ContentPlace; page: PageArguments },
): Promise<Page<{ id: string }>> {
  const places = await reader.page(list, parent, { page, args, projection: projection.items });
  const rows = places.nodes.map(({ id }) =>
    kindOfId(id) === "Space"
      ? reader.row(spaces, id, projection.spaces)
      : reader.row(collections, id, projection.collections),
  );
  return places.of(await Promise.all<{ id: string } | null>(rows));
}
