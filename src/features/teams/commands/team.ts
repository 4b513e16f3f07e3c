// Commands that create, rename and delete teams.
import { notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, changeIfAny, type Deleted, deleteIfThere } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, ifGiven } from "#src/domain/input.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { mayCreateTeam, mayDeleteTeam, mayUpdateTeam } from "#src/features/teams/access.ts";
import { loadTeam, namedMembers, putMembers, type TeamPlace } from "#src/features/teams/commands/members.ts";
import { settingChanges } from "#src/events/event.ts";
import { teamEvents } from "#src/features/teams/events.ts";
import { teamsIn } from "#src/features/teams/reads.ts";

const id = project([]);

/** The allowed length of the title of a team. */
export const teamTitleLength = { min: 1, max: 64 };

const checkTitle = (title: string) => checkText("title", title, teamTitleLength);

/** Does not add its creator. INVALID_INPUT names users who are not active members; CONFLICT for a taken title. */
export async function createTeam(
  context: Context,
  input: { organizationId: string; title: string; userIds?: readonly string[] | null | undefined },
): Promise<{ id: string }> {
  const { id: organizationId } = await context.reader.found(organizations, input.organizationId, id);
  const title = checkTitle(input.title);
  const userIds = ifGiven("userIds", input.userIds, (ids) => ids) ?? [];
  const team = { id: newId("Team"), organizationId };
  const createdAt = context.clock.now();
  return change(context, mayCreateTeam, team, async (transaction) => {
    const { put } = await namedMembers(transaction, organizationId, { userIds });
    await transaction.team.create({ data: { ...team, title, createdAt } });
    await putMembers(transaction, team, put, createdAt);
    const event = { type: teamEvents.created, subjectId: team.id, organizationId };
    return { result: { id: team.id }, events: [{ ...event, payload: { title, userIds: [...put.keys()] } }] };
  });
}

/** Renames a team. CONFLICT if another team of the organization has the title. */
export async function updateTeam(context: Context, input: TeamPlace & { title: string }): Promise<{ id: string }> {
  const team = await loadTeam(context, input);
  const title = checkTitle(input.title);
  return changeIfAny(context, mayUpdateTeam, team, async (transaction) => {
    const { id, organizationId } = team;
    const [before] = await transaction.$queryRaw<{ title: string }[]>`
      select title from "Team" where id = ${id} for no key update`;
    if (!before) throw notFound("team"); // deleted since it was read
    const changes = settingChanges(before, { title }, { title: "title" });
    if (changes.length === 0) return { result: { id }, events: [] };
    await transaction.team.update({ where: { id }, data: { title } });
    const event = { type: teamEvents.updated, subjectId: id, organizationId, payload: { changes } };
    return { result: { id }, events: [event] };
  });
}

export async function deleteTeam(context: Context, input: TeamPlace): Promise<Deleted> {
  const { id: organizationId } = await context.reader.found(organizations, input.organizationId, id);
  const one = { key: { id: input.teamId }, projection: id };
  const team = await context.reader.pick(teamsIn, { id: organizationId }, one);
  if (!team) return { deletedId: null };
  return deleteIfThere(context, mayDeleteTeam, { organizationId }, async (transaction) => {
    const [deleted] = await transaction.$queryRaw<{ title: string }[]>`
      delete from "Team" where id = ${team.id} returning title`;
    return deleted ? { type: teamEvents.deleted, subjectId: team.id, organizationId, payload: deleted } : null;
  });
}
