// Reading users: a person is seen by themself and by whoever shares an organization with them.
import { entity, type Stored, type Wanted } from "#src/db/entity.ts";
import { sql } from "#src/db/database.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Context } from "#src/domain/context.ts";
import { Prisma } from "#src/generated/prisma/client.ts";
import type { UserModel } from "#src/generated/prisma/models.ts";

export type UserRow = Stored<UserModel>;

const users = entity<UserRow, Viewer>({
  kind: "User",
  stored: Prisma.UserScalarFieldEnum,
  visible: (viewer) => sql`(t.id = ${viewer.userId} or exists (select from "OrganizationMember" m
    where m."userId" = t.id and m."organizationId" = any(${viewer.organizations}::text[])))`,
});

/** Whoever stands in a visible row, such as the author of a comment: visible with it, also after leaving the organization. */
const namedUsers = { ...users, name: "named", visible: () => sql`true` };

export function findUser(context: Context, id: string, wanted: Wanted): Promise<UserRow | null> {
  return context.reader.row(users, id, wanted);
}

/** The user that a row in hand names. Throws when it is gone, which foreign keys prevent. */
export async function namedUser(context: Context, id: string, wanted: Wanted): Promise<UserRow> {
  const user = await context.reader.row(namedUsers, id, wanted);
  if (!user) throw new Error(`No user ${id}, though a row names it`);
  return user;
}
