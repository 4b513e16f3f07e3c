// Reading what a member has: the spaces with their role on each, and the teams that they are in.
import { canSeeSpace, grantsHeldBy, roleOf, spacesReachedBy } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { containsText } from "#src/db/contains-text.ts";
import { type Sql, sql } from "#src/db/database.ts";
import { type Entity, entity } from "#src/db/entity.ts";
import type { PageList } from "#src/db/page-list.ts";
import { type TeamMemberRow, teamMembers } from "#src/features/teams/reads.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** A space that a member has a role on: its id, and the role. */
export interface MemberSpaceRow {
  id: string;
  permission: Role;
}

/** A column of the member whose list it is. */
function ofMember(column: "userId" | "organizationId" | "role"): Sql {
  const name = { userId: sql`m."userId"`, organizationId: sql`m."organizationId"`, role: sql`m.role` }[column];
  return sql`(select ${name} from "OrganizationMember" m where m.id = p.id and not m.disabled)`;
}

/** Spaces once more, for lists below a member: only there is the member (`p.id`) whose role `permission` is. */
const memberSpaces: Entity<MemberSpaceRow, Viewer> = {
  ...entity<MemberSpaceRow, Viewer>({
    kind: "Space",
    stored: Prisma.SpaceScalarFieldEnum,
    derived: { permission: () => roleOf("space", ofMember("userId"), ofMember("role")) },
    visible: canSeeSpace,
  }),
};

/** Members that are not guests have a role on every space, so that only for guests the grants are looked through. */
export const spacesOfMember: PageList<MemberSpaceRow, Viewer, { order: "asc" | "desc" }> = {
  entity: memberSpaces,
  parent: sql`t."organizationId" = ${ofMember("organizationId")} and (${ofMember("role")} is not null
    or t.id in (${spacesReachedBy(grantsHeldBy(ofMember("userId"), ofMember("organizationId")))}))`,
  visible: "by its own rule",
  order: ({ order }) => ({ name: "age", key: sql`t.id`, type: "text", direction: order }),
};

export const teamsOfMember: PageList<TeamMemberRow, Viewer, { title?: string | null | undefined }> = {
  entity: teamMembers,
  parent: sql`t."organizationId" = (select m."organizationId" from "OrganizationMember" m where m.id = p.id)
    and t."userId" = (select m."userId" from "OrganizationMember" m where m.id = p.id)`,
  visible: "by its own rule",
  order: () => ({ name: "team", key: sql`t."teamId"`, type: "text", direction: "asc" }),
  where: ({ title }) =>
    title == null
      ? null
      : sql`exists (select from "Team" e where e.id = t."teamId" and ${containsText(sql`e."title"`, title)})`,
};
