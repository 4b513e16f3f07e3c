// Changing who is in a team: many at once, or one.
import { invalidInput, notFound } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, type Deleted, deleteIfThere, requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { ifGiven } from "#src/domain/input.ts";
import { mayRemoveTeamMember, maySetTeamMember, mayUpdateTeamMembers } from "#src/features/teams/access.ts";
import { lockMembers, lockTeam, namedMembers, putMembers } from "#src/features/teams/commands/named.ts";
import { teamInHand, type TeamPlace } from "#src/features/teams/commands/team.ts";
import { teamEvents } from "#src/features/teams/events.ts";
import { membersOfTeam } from "#src/features/teams/reads.ts";
import type { TeamRole } from "#src/generated/prisma/enums.ts";

type Names = readonly string[] | null | undefined;
type Roles = readonly { readonly user: string; readonly role: TeamRole }[] | null | undefined;

/**
 * Adds, removes and gives roles to members of a team, all or nothing. `remove` takes precedence over `add` and
 * `memberships`; `add` keeps present roles. INVALID_INPUT names, with their place, all who are not active members of
 * the organization (disabled ones can only be removed).
 */
export async function updateTeamMembers(
  context: Context,
  input: TeamPlace & { add?: Names; remove?: Names; memberships?: Roles },
): Promise<{ id: string }> {
  const team = await teamInHand(context, input);
  const named = {
    add: ifGiven("add", input.add, (names) => names) ?? [],
    remove: ifGiven("remove", input.remove, (names) => names) ?? [],
    memberships: ifGiven("memberships", input.memberships, (roles) => roles) ?? [],
  };
  const { id, organizationId } = team;
  if (Object.values(named).every(({ length }) => length === 0)) {
    await requireAllowed(context, mayUpdateTeamMembers, team);
    return { id };
  }
  return change(context, mayUpdateTeamMembers, team, async (transaction) => {
    await lockTeam(transaction, team);
    const { put, out } = await namedMembers(transaction, organizationId, named);
    const removed = await transaction.$queryRaw<{ userId: string }[]>`
      delete from "TeamMember" where "teamId" = ${id} and "userId" = any(${[...out]}::text[]) returning "userId"`;
    await putMembers(transaction, team, put, context.clock.now());
    const payload = { userIds: [...put.keys()], removedUserIds: removed.map(({ userId }) => userId) };
    return { result: { id }, events: [{ type: teamEvents.membersUpdated, subjectId: id, organizationId, payload }] };
  });
}

/**
 * Puts a member of the organization into a team, or changes their role; without a role new ones are `member`. NOT_FOUND
 * for a user who is not in the organization, INVALID_INPUT for a disabled one.
 */
export async function setTeamMember(
  context: Context,
  input: TeamPlace & { userId: string; role?: TeamRole | null | undefined },
): Promise<{ id: string }> {
  const team = await teamInHand(context, input);
  const role = ifGiven("role", input.role, (given) => given) ?? null;
  const { id: teamId, organizationId } = team;
  const { userId } = input;
  return change(context, maySetTeamMember, team, async (transaction) => {
    await lockTeam(transaction, team);
    const [member] = await lockMembers(transaction, organizationId, { ids: [userId], emails: [] });
    if (!member) throw notFound("member");
    if (member.disabled) throw invalidInput("userId", "is disabled in the organization.");
    const before = await transaction.teamMember.findFirst({ where: { teamId, userId }, select: { role: true } });
    const rows = await putMembers(transaction, team, new Map([[userId, role]]), context.clock.now());
    const [id = ""] = rows.map((row) => row.id); // one for each that is put
    const payload = {
      teamId,
      userId,
      teamRoleBefore: before?.role ?? null,
      teamRole: role ?? before?.role ?? "member",
    };
    return { result: { id }, events: [{ type: teamEvents.memberSet, subjectId: id, organizationId, payload }] };
  });
}

/** Takes somebody out of a team. Says whether they were in it. */
export async function removeTeamMember(context: Context, input: TeamPlace & { userId: string }): Promise<Deleted> {
  const team = await teamInHand(context, input);
  const { userId } = input;
  const member = await context.reader.pick(membersOfTeam, team, { key: { userId }, projection: project([]) });
  if (!member) return { deletedId: null };
  const { id: teamId, organizationId } = team;
  return deleteIfThere(context, mayRemoveTeamMember, team, async (transaction) => {
    const [removed] = await transaction.$queryRaw<{ teamRole: TeamRole }[]>`
      delete from "TeamMember" where id = ${member.id} returning role::text as "teamRole"`;
    const payload = { teamId, userId, ...removed };
    return removed ? { type: teamEvents.memberRemoved, subjectId: member.id, organizationId, payload } : null;
  });
}
