// Removing what was derived from texts that nobody reads any more: those of old revisions and of closed change
// requests.
import { type Database, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { draftTexts, forgetDerived, inTurn } from "#src/features/content/commands/derive.ts";
import { derivedKinds, kindsAsRows } from "#src/features/content/commands/derived.ts";

/** How many are looked at in one transaction. */
const batch = 1000;

interface Derived {
  readonly hash: string;
  readonly kind: string;
  readonly variant: string;
}

/**
 * Removes what was derived from texts that no present page has, nor any change request that is open or a draft, and
 * that nobody has stored for a day. It is derived again where it is needed again, with the revision that brings it or
 * soon after; what a writer brings back at this very moment, by the job `content.derive`. Answers how much was removed.
 */
export async function dropDerived(database: Database): Promise<number> {
  const drafts = await database.query<{ hash: string }>(sql`select distinct d.hash from (${draftTexts(sql`true`)}) d`);
  const inDrafts = drafts.map(({ hash }) => hash);
  let removed = 0;
  for (let after: Derived | null = { hash: "", kind: "", variant: "" }; after !== null;) {
    const from: Derived = after;
    const done = await database.prisma.$transaction((transaction) => dropSome(transaction, from, inDrafts));
    after = done.after;
    removed += done.removed;
  }
  return removed;
}

/** The same for a batch. Answers where to go on; null at the end. */
async function dropSome(transaction: Transaction, after: Derived, inDrafts: readonly string[]) {
  const kinds = [...derivedKinds.values()];
  await transaction.$queryRaw(inTurn);
  const rows = await transaction.$queryRaw<(Derived & { isUsed: boolean })[]>(
    sql`select t.hash, t.kind, t.variant, d."storedAt" > now() - interval '1 day' or t.hash = any(${inDrafts}::text[])
        or exists (select from "PresentPage" p join "Space" s on s.id = p."spaceId" cross join lateral ${kindsAsRows(kinds)}
          where p.hash = t.hash and k.kind = t.kind and k.variant = t.variant) as "isUsed"
      from "DerivedText" t join "ContentDocument" d on d.hash = t.hash
      where (t.hash, t.kind, t.variant) > (${after.hash}, ${after.kind}, ${after.variant})
      order by t.hash, t.kind, t.variant limit ${batch}::int`,
  );
  const gone = Map.groupBy(
    rows.filter(({ isUsed }) => !isUsed),
    ({ kind }) => kind,
  );
  let removed = 0;
  for (const kind of kinds) {
    const some = gone.get(kind.name) ?? [];
    if (some.length > 0) await forgetDerived(transaction, kind, some);
    removed += some.length;
  }
  return { after: rows.length < batch ? null : (rows.at(-1) ?? null), removed };
}
