// Commands that change the members of a team, one or many at once.
import { DomainError, type ErrorDetail, found, invalidInput, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { pointerStep } from "#src/base/json.ts";
import { isStorable } from "#src/base/text/forms.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, type Deleted, deleteIfThere, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { ifGiven } from "#src/domain/input.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { mayRemoveTeamMember, maySetTeamMember, mayUpdateTeamMembers } from "#src/features/teams/access.ts";
import { teamEvents } from "#src/features/teams/events.ts";
import { membersOfTeam, type TeamRow, teamsIn } from "#src/features/teams/reads.ts";
import type { TeamRole } from "#src/generated/prisma/enums.ts";

export type TeamPlace = { readonly organizationId: string; readonly teamId: string };

const managed = project(["organizationId", "isOwnedByViewer"]);

/** The team of the input, with the columns that rights need. NOT_FOUND if the viewer does not see it there. */
export async function loadTeam(context: Context, { organizationId, teamId }: TeamPlace): Promise<TeamRow> {
  await context.reader.found(organizations, organizationId, project([]));
  const one = { key: { id: teamId }, projection: managed };
  return found(await context.reader.pick(teamsIn, { id: organizationId }, one), "team");
}

type Names = readonly string[] | null | undefined;
type Roles = readonly { readonly user: string; readonly role: TeamRole }[] | null | undefined;

/**
 * Adds and removes members of a team and changes their roles, all or nothing. `remove` takes precedence over `add` and
 * `memberships`; `add` keeps existing roles. INVALID_INPUT names, with the path, users who are not active members of
 * the organization (disabled ones can only be removed).
 */
export async function updateTeamMembers(
  context: Context,
  input: TeamPlace & { add?: Names; remove?: Names; memberships?: Roles },
): Promise<{ id: string }> {
  const team = await loadTeam(context, input);
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

/** NOT_FOUND for a user who is not in the organization, INVALID_INPUT for a disabled one. */
export async function setTeamMember(
  context: Context,
  input: TeamPlace & { userId: string; role?: TeamRole | null | undefined },
): Promise<{ id: string }> {
  const team = await loadTeam(context, input);
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
    const [id = ""] = rows.map((row) => row.id); // one row for each user
    const payload = {
      teamId,
      userId,
      teamRoleBefore: before?.role ?? null,
      teamRole: role ?? before?.role ?? "member",
    };
    return { result: { id }, events: [{ type: teamEvents.memberSet, subjectId: id, organizationId, payload }] };
  });
}

export async function removeTeamMember(context: Context, input: TeamPlace & { userId: string }): Promise<Deleted> {
  const team = await loadTeam(context, input);
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

type TeamIds = { readonly id: string; readonly organizationId: string };

/** Roles by user id; null is `member` for new members, and no change for existing ones. */
type Put = ReadonlyMap<string, TeamRole | null>;

/** Locks the team until the transaction ends, which serializes changes. NOT_FOUND if deleted. */
async function lockTeam(transaction: Transaction, { id }: TeamIds): Promise<void> {
  const rows = await transaction.$queryRaw<{ id: string }[]>`select id from "Team" where id = ${id} for no key update`;
  if (rows.length === 0) throw notFound("team");
}

type LockedMember = { readonly userId: string; readonly email: string; readonly disabled: boolean };

/** The members with these user ids and lowercase e-mail addresses, locked in the organization until the commit. */
function lockMembers(
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

/** Adds members of the organization to the team, or changes their role there. Returns the ids of the memberships. */
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

/** Users of a request by id or e-mail address (`userIds` takes only ids). */
interface Named {
  readonly userIds?: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly memberships?: readonly { readonly user: string; readonly role: TeamRole }[];
}

/** The outcome: users to add or change, and users to remove. No user is in both. */
type Planned = { readonly put: Put; readonly out: ReadonlySet<string> };

/**
 * Finds and locks the named users ({@link lockMembers}). `remove` takes precedence over everything, a role in
 * `memberships` over `add`. INVALID_INPUT names, with the path, all users who are not members, users to add who are
 * disabled, and users with two roles.
 */
export async function namedMembers(
  transaction: Transaction,
  organizationId: string,
  { userIds = [], add = [], remove = [], memberships = [] }: Named,
): Promise<Planned> {
  const names = [...add, ...remove, ...memberships.map(({ user }) => user)];
  const emails = new Set(names.filter(isEmail).map(plainEmail));
  const ids = [...userIds, ...names].filter((name) => !isEmail(name));
  const byName = new Map<string, LockedMember>();
  for (const member of await lockMembers(transaction, organizationId, { ids, emails: [...emails] })) {
    byName.set(member.userId, member);
    if (emails.has(member.email)) byName.set(member.email, member); // `userIds` does not match addresses
  }
  const plan = new Plan((name) => byName.get(isEmail(name) ? plainEmail(name) : name));
  remove.forEach((name, index) => plan.remove(name, `/remove/${index}`));
  userIds.forEach((name, index) => plan.add(name, null, `userIds/${index}`));
  add.forEach((name, index) => plan.add(name, null, `/add/${index}`));
  for (const { user, role } of memberships) plan.add(user, role, `/memberships/${pointerStep(user)}`);
  return plan.done();
}

/** Collects the outcome. Users to remove come first. */
class Plan {
  readonly #memberOf: (name: string) => LockedMember | undefined;
  readonly #put = new Map<string, TeamRole | null>();
  readonly #out = new Set<string>();
  readonly #refused: ErrorDetail[] = [];

  constructor(memberOf: (name: string) => LockedMember | undefined) {
    this.#memberOf = memberOf;
  }

  /** Disabled members can be removed like others. */
  remove(name: string, path: string): void {
    const member = this.#memberOf(name);
    if (member) this.#out.add(member.userId);
    else this.#refused.push({ path, message: `${name} is not a member of the organization.` });
  }

  add(name: string, role: TeamRole | null, path: string): void {
    const refuse = (message: string) => void this.#refused.push({ path, message: `${name} ${message}` });
    const member = this.#memberOf(name);
    if (!member) return refuse("is not a member of the organization.");
    if (this.#out.has(member.userId)) return;
    if (member.disabled) return refuse("is disabled in the organization.");
    const known = this.#put.get(member.userId) ?? null;
    if (role !== null && known !== null && role !== known) return refuse("has another role in another entry.");
    this.#put.set(member.userId, role ?? known);
  }

  done(): Planned {
    const [first] = this.#refused;
    if (!first) return { put: this.#put, out: this.#out };
    const message = this.#refused.length > 1 ? "Several users are not valid: see `details`." : first.message;
    throw new DomainError("INVALID_INPUT", message, this.#refused);
  }
}

const isEmail = (name: string) => name.includes("@");
const plainEmail = (email: string) => email.trim().toLowerCase();
