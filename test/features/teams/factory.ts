// Creates teams for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { TeamRole } from "#src/generated/prisma/enums.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";
import { sortNameOf } from "#test/support/sort-names.ts";

/** An empty team. */
export function addTeam(rows: Rows, given: { organizationId: string } & Partial<Prisma.TeamCreateManyInput>) {
  return rows.add("Team", {
    id: newId("Team"),
    title: `Team ${nextNumber()}`,
    createdAt: nextInstant(),
    ...given,
  });
}

/** Adds a member or guest of the organization to a team. */
export function addTeamMember(
  rows: Rows,
  team: { id: string; organizationId: string },
  user: { id: string },
  role: TeamRole = "member",
) {
  return rows.add("TeamMember", {
    id: newId("TeamMember"),
    teamId: team.id,
    organizationId: team.organizationId,
    userId: user.id,
    sortName: sortNameOf(rows, user.id),
    role,
    createdAt: nextInstant(),
  });
}
