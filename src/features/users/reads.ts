// Reads of users: people see themselves and everybody with whom they share an organization.
import { anyContainsTextByIndex, containsText } from "#src/db/reading/filters.ts";
import { entity, type Stored } from "#src/db/reading/entity.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Search } from "#src/db/reading/page-list.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { UserModel } from "#src/generated/prisma/models.ts";

export type UserRow = Stored<UserModel>;

declare module "#src/db/reading/entity.ts" {
  interface Rows {
    User: UserRow;
  }
}

export const users = entity<UserRow, Viewer>({
  kind: "User",
  visible: (viewer) => sql`(t.id = ${viewer.userId} or exists (select from "OrganizationMember" m
    where m."userId" = t.id and m."organizationId" = any(${viewer.organizations}::text[])))`,
});

/** A user named by a visible row, such as its author: visible with it, even after leaving the organization. */
export const namedUsers = { ...users, visible: () => sql`true` };

/** Whether the name or e-mail address of the user of row `t`, a membership, contains a text, case-insensitive. */
export const isOfUserNamed = (text: string): Sql => sql`exists (select from "User" u where u.id = t."userId"
  and (${containsText(sql`u."displayName"`, text)} or ${containsText(sql`u.email`, text)}))`;

export function searchUsers(text: string): Search {
  const names = [sql`u."displayName"`, sql`u.email`];
  const found = sql`t."userId" in (select u.id from "User" u where ${anyContainsTextByIndex(names, text)})`;
  return { probe: isOfUserNamed(text), found };
}
