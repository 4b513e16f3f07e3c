// Creates memberships of organizations, users who are members, and grants on content for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import { addToken } from "#test/features/tokens/factory.ts";
import { addUser } from "#test/features/users/factory.ts";
import { nextInstant, type Rows } from "#test/support/rows.ts";
import { sortNameOf } from "#test/support/sort-names.ts";

/** A user who can call the gateway. */
export interface Person {
  /** Id of the user. */
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
  /** Text of a valid API token. */
  readonly token: string;
  /** Id of the membership in the organization that they were created for; empty without one. */
  readonly memberId: string;
}

/** A membership; role null is a guest. */
export function addMember(
  rows: Rows,
  given: {
    organizationId: string;
    userId: string;
    role: Role | null;
  } & Partial<Prisma.OrganizationMemberCreateManyInput>,
) {
  const sortName = sortNameOf(rows, given.userId);
  return rows.add("OrganizationMember", {
    id: newId("OrganizationMember"),
    joinedAt: nextInstant(),
    sortName,
    ...given,
  });
}

/** A user with a token who belongs to no organization. */
export function addPerson(rows: Rows, given: Partial<Prisma.UserCreateManyInput> = {}): Person {
  const { id, email, displayName } = addUser(rows, given);
  const { token } = addToken(rows, { userId: id });
  return { id, email, displayName, token, memberId: "" };
}

/** A user with a token who is a member of an organization. */
export function addPersonIn(
  rows: Rows,
  given: { organizationId: string; role: Role | null } & Partial<Prisma.OrganizationMemberCreateManyInput>,
  user: Partial<Prisma.UserCreateManyInput> = {},
): Person {
  const person = addPerson(rows, user);
  return { ...person, memberId: addMember(rows, { ...given, userId: person.id }).id };
}

/** A role for a member (`userId`) or a team (`teamId`) on a collection (`collectionId`) or a space (`spaceId`). */
export function addGrant(
  rows: Rows,
  given: { organizationId: string; role: Role } & Partial<Prisma.GrantCreateManyInput>,
) {
  return rows.add("Grant", { id: newId("Grant"), createdAt: nextInstant(), ...given });
}
