// Who is meant by the users that a change of a team names, and what shall become of each: the state table of team
// membership.
import { DomainError, type ErrorDetail } from "#src/base/errors.ts";
import type { Transaction } from "#src/domain/change.ts";
import { type LockedMember, lockMembers, type Put } from "#src/features/teams/commands/rows.ts";
import type { TeamRole } from "#src/generated/prisma/enums.ts";

/** Users as a request names them: by id, or by e-mail address too (`members` takes ids only). */
export interface Named {
  readonly members?: readonly string[];
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  readonly memberships?: readonly { readonly user: string; readonly role: TeamRole }[];
}

/** What shall be: who comes in or changes role, and who goes out. Nobody is in both. */
export interface Planned {
  readonly put: Put;
  readonly out: ReadonlySet<string>;
}

/**
 * Finds everybody named, and says what shall become of them: `remove` wins over everything, a role in `memberships`
 * over `add`.
 *
 * INVALID_INPUT names all who are not members of the organization, those to be put in whose membership is disabled, and
 * those who are given two roles; each detail has the place (JSON pointer) in the request. The members found are locked
 * ({@link lockMembers}).
 */
export async function namedMembers(
  transaction: Transaction,
  organizationId: string,
  { members = [], add = [], remove = [], memberships = [] }: Named,
): Promise<Planned> {
  const names = [...add, ...remove, ...memberships.map(({ user }) => user)];
  const emails = new Set(names.filter(isEmail).map(plainEmail));
  const ids = [...members, ...names].filter((name) => !isEmail(name));
  const byName = new Map<string, LockedMember>();
  for (const member of await lockMembers(transaction, organizationId, { ids, emails: [...emails] })) {
    byName.set(member.userId, member);
    if (emails.has(member.email)) byName.set(member.email, member); // `members` finds nobody by address
  }
  const plan = new Plan((name) => byName.get(isEmail(name) ? plainEmail(name) : name));
  remove.forEach((name, index) => plan.remove(name, `/remove/${index}`));
  members.forEach((name, index) => plan.add(name, null, `/members/${index}`));
  add.forEach((name, index) => plan.add(name, null, `/add/${index}`));
  for (const { user, role } of memberships) plan.add(user, role, `/memberships/${pointerStep(user)}`);
  return plan.done();
}

/** Collects what shall be. Those to be removed come first. */
class Plan {
  readonly #memberOf: (name: string) => LockedMember | undefined;
  readonly #put = new Map<string, TeamRole | null>();
  readonly #out = new Set<string>();
  readonly #refused: ErrorDetail[] = [];

  constructor(memberOf: (name: string) => LockedMember | undefined) {
    this.#memberOf = memberOf;
  }

  /** A disabled member can be removed like every other. */
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
    if (role !== null && known !== null && role !== known) return refuse("is given another role by another entry.");
    this.#put.set(member.userId, role ?? known);
  }

  done(): Planned {
    const [first] = this.#refused;
    if (!first) return { put: this.#put, out: this.#out };
    const message = this.#refused.length > 1 ? "Several users cannot be taken; see details." : first.message;
    throw new DomainError("INVALID_INPUT", message, this.#refused);
  }
}

const isEmail = (name: string) => name.includes("@");
const plainEmail = (email: string) => email.trim().toLowerCase();

/** A property's name as a step of a JSON pointer (RFC 6901). */
const pointerStep = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
