// The translation memory of each organization, so that each segment is sent once, and its monthly quota of words.
import { DomainError } from "#src/base/errors.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { removeOlder } from "#src/db/maintenance/remove-rows.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Clock } from "#src/base/time.ts";
import type { Claimed } from "#src/jobs/long-work.ts";

/** Translations of segments by their hashes; null if the response of the engine was unusable. */
export type Remembered = ReadonlyMap<string, string | null>;

const dayMs = 24 * 3_600_000;
/** How long an unused segment is kept. */
const keptDays = 180;

/** The known translations of these hashes. Records their use, to a day. */
export async function recall(
  { database: { prisma }, clock }: { database: Database; clock: Clock },
  organizationId: string,
  hashes: readonly string[],
): Promise<Map<string, string | null>> {
  const where = { organizationId, hash: { in: [...new Set(hashes)] } };
  const rows = await prisma.translationSegment.findMany({ where, select: { hash: true, text: true, usedAt: true } });
  const now = clock.now();
  const unused = rows.filter(({ usedAt }) => now.getTime() - usedAt.getTime() > dayMs).map(({ hash }) => hash);
  if (unused.length > 0)
    await prisma.translationSegment.updateMany({
      where: { organizationId, hash: { in: unused } },
      data: { usedAt: now },
    });
  return new Map(rows.map(({ hash, text }) => [hash, text]));
}

/** Removes segments that no run has used for 180 days, and returns their number. */
export async function trimSegments(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptDays * dayMs);
  return removeOlder(database, { table: "TranslationSegment", column: "usedAt", before });
}

/** Stores translations; known ones stay, since a revision may contain them. */
export async function remember(
  transaction: Transaction,
  { organizationId, now }: { organizationId: string; now: Date },
  made: Remembered,
): Promise<void> {
  const data = Array.from(made, ([hash, text]) => ({ organizationId, hash, text, createdAt: now, usedAt: now }));
  await transaction.translationSegment.createMany({ data, skipDuplicates: true });
}

/** The first day of the month in whose quota words count. */
const monthOf = (now: Date): string => `${now.toISOString().slice(0, 7)}-01`;

/**
 * Reserves words of the monthly quota until the run books them, reserves others or ends, or its lease expires.
 * Returns false if the run has lost its lease. CONFLICT if the quota has fewer words left.
 */
export async function reserveWords(
  transaction: Transaction,
  of: { claimed: Claimed; organizationId: string; words: number; most: number; now: Date },
): Promise<boolean> {
  const { claimed, organizationId, words, most, now } = of;
  // Runs of one organization wait here for each other.
  const booked = await bookWords(transaction, { organizationId, words: 0, now });
  const { _sum: reserved } = await transaction.translation.aggregate({
    where: { organizationId, leaseUntil: { gt: now }, id: { not: claimed.id } },
    _sum: { reservedWords: true },
  });
  if (booked + (reserved.reservedWords ?? 0) + words > most)
    throw new DomainError(
      "CONFLICT",
      `The monthly limit of ${most.toLocaleString("en")} words of the organization would be exceeded. The run continues next month, ` +
        "or after the operator raises TRANSLATION_WORDS.",
    );
  const { count } = await transaction.translation.updateMany({ where: claimed, data: { reservedWords: words } });
  return count > 0;
}

/** Adds to the words translated for the organization in this month, and returns their sum. */
export async function bookWords(
  transaction: Transaction,
  { organizationId, words, now }: { organizationId: string; words: number; now: Date },
): Promise<number> {
  const rows = await transaction.$queryRaw<{ words: number }[]>(
    sql`insert into "TranslationWords" as w ("organizationId", month, words)
      values (${organizationId}, ${monthOf(now)}::date, ${words})
      on conflict ("organizationId", month) do update set words = w.words + excluded.words returning words`,
  );
  return rows[0]?.words ?? 0;
}
