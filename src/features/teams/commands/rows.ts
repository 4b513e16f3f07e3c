// The rows of memberships in teams, written in one statement for any number of them, and the locks under which that is
// safe.
import { notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { isStorable } from "#src/base/text/storable.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { TeamRole } from "#src/generated/prisma/enums.ts";

interface TeamIds {
  readonly id: string;
  readonly organizationId: string;
}

/** Roles by user id; null is `member` for those who are not in the team yet, and no change for those who are. */
export type Put = ReadonlyMap<string, TeamRole | null>;

/**
 * Holds the team until the transaction ends, so that changes of who is in it come one after another. NOT_FOUND when it
 * is gone.
 */
export async function lockTeam(transaction: Transaction, { id }: TeamIds): Promise<void> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`select id from "Team" where id = ${id} for no key update`;
  if (rows.length === 0) throw notFound("team");
}

/** A member of the organization. */
export interface LockedMember {
  readonly userId: string;
  readonly email: string;
  readonly disabled: boolean;
}

/**
 * The members of the organization of these user ids and e-mail addresses (in lower case); none of them can leave it
 * until the transaction ends.
 */
export function lockMembers(
  transaction: Transaction,
  organizationId: string,
  { ids, emails }: { ids: readonly string[]; emails: readonly string[] },
): Promise<LockedMember[]> {
  return transaction.$queryRaw`
    select m."userId", u.email, m.disabled from "OrganizationMember" m join "User" u on u.id = m."userId"
    where m."organizationId" = ${organizationId} and m."userId" = any(array(
      select e.id from "User" e where e.email = any(${emails.filter(isStorable)}::text[]) union all select unnest(${ids.filter(isStorable)}::text[])))
    for key share of m`;
}

/** Puts members of the organization into the team, or changes their role there. Answers the ids of the memberships. */
export async function putMembers(
  transaction: Transaction,
  team: TeamIds,
  put: Put,
  createdAt: Date,
): Promise<{ id: string }[]> {
  if (put.size === 0) return [];
  const ids = Array.from(put, () => newId("TeamMember"));
  return transaction.$queryRaw`
    insert into "TeamMember" (id, "teamId", "organizationId", "userId", role, "createdAt")
    select n.id, ${team.id}, ${team.organizationId}, n."userId", coalesce(n.role::"TeamRole", e.role, 'member'), ${createdAt.toISOString()}::timestamptz
    from unnest(${ids}::text[], ${[...put.keys()]}::text[], ${[...put.values()]}::text[]) n(id, "userId", role)
      left join "TeamMember" e on e."teamId" = ${team.id} and e."userId" = n."userId"
    on conflict ("teamId", "userId") do update set role = excluded.role
    returning id`;
}
