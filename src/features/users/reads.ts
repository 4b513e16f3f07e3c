// Reading users: people see themselves and everybody with whom they share an organization.
import { entity, type Stored } from "#src/db/entity.ts";
import { sql } from "#src/db/database.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { UserModel } from "#src/generated/prisma/models.ts";

export type UserRow = Stored<UserModel>;

declare module "#src/db/entity.ts" {
  interface Rows {
    User: UserRow;
  }
}

export const users = entity<UserRow, Viewer>({
  kind: "User",
  visible: (viewer) => sql`(t.id = ${viewer.userId} or exists (select from "OrganizationMember" m
    where m."userId" = t.id and m."organizationId" = any(${viewer.organizations}::text[])))`,
});

/** Somebody whom a visible row names, such as its author: visible with it, also after leaving the organization. */
export const namedUsers = { ...users, visible: () => sql`true` };
