// Reads of grants, which are visible to admins of the collection or space.
import { isAdministered, itemRoleColumns, type ItemRoleParts } from "#src/access/content.ts";
import { allOf, isOneOf, whenGiven } from "#src/db/reading/filters.ts";
import { byId } from "#src/db/reading/orders.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { sql } from "#src/db/connection/database.ts";
import { entity, type Stored, project } from "#src/db/reading/entity.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import type { Optional } from "#src/domain/input.ts";
import { collections } from "#src/features/collections/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { mayListAllGrants, mayListGrants } from "#src/features/grants/access.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import type { GrantModel } from "#src/generated/prisma/models.ts";

type GrantRow = Stored<GrantModel>;

/** The target of a grant: exactly one of the two. */
export type GrantItem = Optional<{ collectionId: string; spaceId: string }>;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    Grant: GrantRow;
  }
}

// In the subqueries `t` is the collection or space, so the column of the grant is selected first.
const administered = (viewer: Viewer) => sql`(exists (
    select from (select t."spaceId" as id) o join "Space" t on t.id = o.id where t."deletedAt" is null and ${isAdministered("space", viewer)})
  or exists (select from (select t."collectionId" as id) o join "Collection" t on t.id = o.id where ${isAdministered("collection", viewer)}))`;

export const grants = entity<GrantRow, Viewer>({ kind: "Grant", visible: administered });

export type GrantHolderKind = "user" | "team";

export const grantsOfCollection: PageList<
  GrantRow,
  Viewer,
  Optional<{ holders: GrantHolderKind }>,
  ItemRoleParts & { id: string }
> = {
  entity: grants,
  parent: sql`t."collectionId" = p.id`,
  policy: mayListGrants,
  visible: "with parent",
  order: byId(),
  where: ({ holders }) =>
    holders == null ? sql`true` : holders === "user" ? sql`t."userId" is not null` : sql`t."teamId" is not null`,
};

export const grantsOfSpace: typeof grantsOfCollection = { ...grantsOfCollection, parent: sql`t."spaceId" = p.id` };

/** Only grants to these users or teams. */
type GrantFilter = Optional<{ userIds: readonly string[]; teamIds: readonly string[]; role: Role }>;

export const grantsOfOrganization: PageList<GrantRow, Viewer, GrantFilter> = {
  entity: grants,
  parent: sql`t."organizationId" = p.id`,
  policy: mayListAllGrants,
  visible: "by its own rule",
  order: byId(),
  where: ({ userIds, teamIds, role }) =>
    allOf(
      whenGiven(userIds, (ids) => isOneOf(sql`t."userId"`, ids)),
      whenGiven(teamIds, (ids) => isOneOf(sql`t."teamId"`, ids)),
      whenGiven(role, (given) => sql`t.role = ${given}::"Role"`),
    ),
};

/** Grants to a member directly, without those to teams. */
export const grantsOfMember: PageList<GrantRow, Viewer> = {
  entity: grants,
  parent: sql`(t."organizationId", t."userId") = (select m."organizationId", m."userId" from "OrganizationMember" m where m.id = p.id)`,
  visible: "by its own rule",
  order: byId(),
};

export const grantsOfTeam: PageList<GrantRow, Viewer> = { ...grantsOfMember, parent: sql`t."teamId" = p.id` };

/** A collection or space with the columns that roles depend on; null if the viewer may not see it. */
export async function findGrantItem(
  context: Context,
  { collectionId, spaceId }: GrantItem,
): Promise<ItemRoleParts | null> {
  if (spaceId != null) return context.reader.row(spaces, spaceId, project(itemRoleColumns));
  return collectionId == null ? null : context.reader.row(collections, collectionId, project(itemRoleColumns));
}
