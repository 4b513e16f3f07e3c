// What is undone when content goes to another organization.
import { type Sql, sql } from "#src/db/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { Moment } from "#src/domain/moments.ts";

/** Content that is about to leave the organization `from` for `to`. `collections` and `spaces` are SQL of ids. */
export interface Leaving {
  readonly from: string;
  readonly to: string;
  readonly collections: Sql;
  readonly spaces: Sql;
}

export const contentLeaves = new Moment<Leaving>("content leaves its organization");

/**
 * Removes what refers to content within its organization: the default content, and what other features refer to it
 * with.
 */
export async function leaveOrganization(transaction: Transaction, leaving: Leaving): Promise<void> {
  const { from, spaces } = leaving;
  await transaction.$executeRaw(
    sql`update "Organization" o set "defaultSpaceId" = null where o.id = ${from} and o."defaultSpaceId" in (${spaces})`,
  );
  await contentLeaves.come(transaction, leaving);
}
