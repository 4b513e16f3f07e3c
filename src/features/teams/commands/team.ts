// Creating, renaming and deleting teams.
import { found, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { want } from "#src/db/entity.ts";
import { change } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, ifGiven } from "#src/domain/input.ts";
import { findOrganization } from "#src/features/organizations/reads.ts";
import { mayCreateTeam, mayDeleteTeam, mayUpdateTeam } from "#src/features/teams/access.ts";
import { namedMembers } from "#src/features/teams/commands/named.ts";
import { putMembers } from "#src/features/teams/commands/rows.ts";
import { findTeamIn, type TeamRow } from "#src/features/teams/reads.ts";

/** How an input says which team it means. */
export interface TeamPlace {
  readonly organizationId: string;
  readonly teamId: string;
}

const id = want([]);
const managed = want(["organizationId", "isOwnedByViewer"]);

/** The team that the input means, with what its actions ask. NOT_FOUND when the viewer sees none there. */
export async function teamInHand(context: Context, { organizationId, teamId }: TeamPlace): Promise<TeamRow> {
  found(await findOrganization(context, organizationId, id), "organization");
  return found(await findTeamIn(context, organizationId, teamId, managed), "team");
}

const checkTitle = (title: string) => checkText("title", title, { min: 1, max: 64 });

/**
 * Makes a team, with the users of the ids in `members` in it; whoever creates it is not, unless they are named.
 *
 * INVALID_INPUT for a bad title, and for ids that are of no active member, each named; CONFLICT when the title is taken. Nothing is made then.
 */
export async function createTeam(
  context: Context,
  input: { organizationId: string; title: string; members?: readonly string[] | null | undefined },
): Promise<{ id: string }> {
  const { id: organizationId } = found(await findOrganization(context, input.organizationId, id), "organization");
  const title = checkTitle(input.title);
  const members = ifGiven("members", input.members, (ids) => ids) ?? [];
  const team = { id: newId("Team"), organizationId };
  const createdAt = context.clock.now();
  return change(context, mayCreateTeam, team, async (transaction) => {
    const { put } = await namedMembers(transaction, organizationId, { members });
    await transaction.team.create({ data: { ...team, title, createdAt } });
    await putMembers(transaction, team, put, createdAt);
    return { result: { id: team.id }, events: [{ type: "team.created", subjectId: team.id, organizationId }] };
  });
}

/** Renames a team. INVALID_INPUT for a bad title, CONFLICT when another team of the organization has it. */
export async function updateTeam(context: Context, input: TeamPlace & { title: string }): Promise<{ id: string }> {
  const team = await teamInHand(context, input);
  const title = checkTitle(input.title);
  return change(context, mayUpdateTeam, team, async (transaction) => {
    const { count } = await transaction.team.updateMany({ where: { id: team.id }, data: { title } });
    if (count === 0) throw notFound("team"); // deleted since it was read
    const { id, organizationId } = team;
    return { result: { id }, events: [{ type: "team.updated", subjectId: id, organizationId }] };
  });
}

/** Deletes a team; its members leave it, and what was granted to it is gone. Answers whether it was there. */
export async function deleteTeam(context: Context, input: TeamPlace): Promise<{ deleted: boolean }> {
  const { id: organizationId } = found(await findOrganization(context, input.organizationId, id), "organization");
  const team = await findTeamIn(context, organizationId, input.teamId, id);
  if (!team) return { deleted: false };
  return change(context, mayDeleteTeam, { organizationId }, async (transaction) => {
    const { count } = await transaction.team.deleteMany({ where: { id: team.id } });
    const event = { type: "team.deleted", subjectId: team.id, organizationId } as const;
    return { result: { deleted: count > 0 }, events: [event] };
  });
}
