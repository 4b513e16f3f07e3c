// Commands that delete spaces, restore them within seven days, and remove them permanently.
import { guestIdsOf, isForMembers, itemRoleColumns } from "#src/access/content.ts";
import { DomainError, notFound } from "#src/base/errors.ts";
import type { Clock } from "#src/base/time.ts";
import { type Database, emptySql, type Sql, sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { removeBelow, type Step } from "#src/db/maintenance/remove-rows.ts";
import { change, type Deleted, deleteIfThere, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { Hook } from "#src/domain/hooks.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { mayDeleteSpace, mayRestoreSpace } from "#src/features/spaces/access.ts";
import { spaceDepartureEvents, spaceEvents, spaceTerminalEvents } from "#src/features/spaces/events.ts";
import { deletedSpaces, spaces } from "#src/features/spaces/reads.ts";

/** Marks a space as deleted; until its permanent removal seven days later, admins may restore it to its place. */
export async function deleteSpace(
  context: Context,
  id: string,
): Promise<Deleted & { organizationId: string | null; parentId: string | null }> {
  const space = await context.reader.row(spaces, id, project([...itemRoleColumns, "parentId"]));
  if (!space) return { deletedId: null, organizationId: null, parentId: null };
  const { organizationId, parentId } = space;
  return answersWith(context, { organizationId, parentId }, () =>
    deleteIfThere(context, mayDeleteSpace, space, (transaction) => noteDeletion(transaction, context, space)),
  );
}

/** Deletes a space in a transaction, and returns its event; null if it was already deleted. */
export async function noteDeletion(
  transaction: Transaction,
  { clock }: Context,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
): Promise<DomainEvent | null> {
  const [deleted] = await transaction.space.updateManyAndReturn({
    where: { id, organizationId, deletedAt: null },
    data: { deletedAt: clock.now() },
    select: { title: true },
  });
  return deleted
    ? { type: spaceTerminalEvents.deleted, subjectId: id, organizationId, spaceId: id, payload: deleted }
    : null;
}

/** Restores a deleted space in its place. Needs `admin` there. CONFLICT if the space is not deleted. */
export async function restoreSpace(context: Context, id: string): Promise<{ id: string }> {
  const projection = project(itemRoleColumns);
  const present = await context.reader.row(spaces, id, projection);
  const space = present ?? (await context.reader.found(deletedSpaces, id, projection));
  const { organizationId } = space;
  return change(context, mayRestoreSpace, space, async (transaction) => {
    const { count } = await transaction.space.updateMany({
      where: { id, organizationId, deletedAt: { gte: endOfRetention(context.clock) } },
      data: { deletedAt: null },
    });
    if (count === 0) {
      const isThere = await transaction.space.count({ where: { id, organizationId, deletedAt: null } });
      throw isThere ? new DomainError("CONFLICT", "The space is not deleted.") : notFound("space");
    }
    return { result: { id }, events: [{ type: spaceEvents.restored, subjectId: id, organizationId, spaceId: id }] };
  });
}

/** How long a deleted space can be restored (spec 1, section 8). */
export const retentionMs = 7 * 24 * 60 * 60 * 1000;

/** Spaces deleted before this instant cannot be restored, and are removed permanently. */
function endOfRetention(clock: Clock): Date {
  return new Date(clock.now().getTime() - retentionMs);
}

/** Spaces that are removed permanently in the same transaction: their ids, as SQL that selects them. */
export const onSpacesRemoved = new Hook<{ readonly spaces: Sql }>("spaces are removed permanently");

/** Spaces due for permanent removal, the longest deleted first: the first ones, or those after another one. */
export async function goneSpaces(
  { query }: Pick<Database, "query">,
  clock: Clock,
  { after, limit }: { after: GoneSpace | null; limit: number },
): Promise<GoneSpace[]> {
  const isAfter = after ? sql`and ("deletedAt", id) > (${after.deletedAt}::timestamptz, ${after.id}::text)` : emptySql;
  return query<GoneSpace>(
    sql`select id, "deletedAt" from "Space" where "deletedAt" < ${endOfRetention(clock).toISOString()}::timestamptz ${isAfter}
      order by "deletedAt", id limit ${limit}::int`,
  );
}

export type GoneSpace = { readonly id: string; readonly deletedAt: string };

/** Tables below a space that the last transaction still needs to find the audience. */
const neededLast = ["Grant", "SiteSpace"];

/** Thrown to end the removal of a space that another process removes or has removed. */
class TakenError extends Error {}

/** Removes a deleted space after its contents; without a viewer, so not by `change`. False if another process does. */
export async function removeGoneSpace(database: Database, id: string, most?: number): Promise<boolean> {
  const alone = <Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
    database.prisma.$transaction(async (transaction) => {
      // Forces index scans to find references to a removed row, even if many rows refer to few others: the
      // database would scan the whole table for each.
      const [mine] = await transaction.$queryRaw<object[]>(
        sql`select id, set_config('enable_seqscan', 'off', true) from "Space"
          where id = ${id} and "deletedAt" is not null for update skip locked`,
      );
      if (!mine) throw new TakenError();
      return work(transaction);
    });
  try {
    const step: Step = (deletion) => alone((transaction) => transaction.$executeRaw(deletion));
    await removeBelow(database, step, { table: "Space", id, leave: neededLast }, most);
    await alone((transaction) => removeAlone(transaction, id));
    return true;
  } catch (error) {
    if (error instanceof TakenError) return false;
    throw error;
  }
}

async function removeAlone(transaction: Transaction, id: string): Promise<void> {
  await transaction.$executeRaw(sql`update "Organization" set "defaultSpaceId" = null where "defaultSpaceId" = ${id}`);
  await onSpacesRemoved.run(transaction, { spaces: sql`select ${id}::text` });
  await transaction.$executeRaw(
    sql`with removed as (delete from "Space" t where t.id = ${id}
        returning id, "organizationId", title, ${isForMembers} as "isForMembers",
          ${guestIdsOf("space")} as "guestIds")
      insert into "OutboxEvent" (type, "subjectId", "organizationId", "spaceId", payload)
      select ${spaceDepartureEvents.purged}::text, id, "organizationId", id,
        json_build_object('title', title, 'wasForMembers', "isForMembers", 'guestIds', "guestIds") from removed`,
  );
}
