// Who of the guests has a collection or space that is about to go: the event of that is told to them, too.
import { guestIdsOf } from "#src/access/content.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";

const rows: Record<"collection" | "space", Sql> = { collection: sql`"Collection"`, space: sql`"Space"` };

/** Ids of the guests who have it by a grant, the first thousand: the fact `guestIds` of the event. */
export async function findGuests(
  transaction: Transaction,
  target: "collection" | "space",
  id: string,
): Promise<readonly string[]> {
  const [found] = await transaction.$queryRaw<{ guestIds: string[] }[]>(
    sql`select ${guestIdsOf(target)} as "guestIds" from ${rows[target]} t where t.id = ${id}`,
  );
  return found?.guestIds ?? [];
}
