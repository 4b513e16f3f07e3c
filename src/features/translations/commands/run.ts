// Running translations: once, whatever happens to the processes that do it. What comes of a run is one revision of the
// translated space.
import { DomainError } from "#src/base/errors.ts";
import { uncharged } from "#src/runtime/tenant.ts";
import { EngineError } from "#src/base/translator.ts";
import { sql } from "#src/db/connection/database.ts";
import { finishRun } from "#src/features/translations/commands/finish-run.ts";
import { type Translating, TranslationHold } from "#src/features/translations/commands/hold.ts";
import { translateSource } from "#src/features/translations/commands/translate-source.ts";

/**
 * Runs a translation, if it is due and no other process is at it; false where it is not. When `stopping` is aborted it
 * is left for another process. What it fails of is written to the translation, and it is tried again later.
 */
export async function runTranslation(at: Translating, id: string, stopping: AbortSignal): Promise<boolean> {
  using hold = await TranslationHold.take(at, id);
  if (!hold) return false;
  const signal = AbortSignal.any([hold.lost, stopping]);
  try {
    const { charge = uncharged } = at;
    const run = async () => finishRun(at, hold, await translateSource(at, hold, signal));
    await charge({ userId: hold.translation.createdById }, run);
    return true;
  } catch (error) {
    if (stopping.aborted) await hold.release();
    else if (!hold.lost.aborted) await hold.fail(explain(at, id, error)).catch(() => {}); // deleted meanwhile
    return false;
  }
}

function explain({ log }: Translating, id: string, error: unknown): string {
  if (error instanceof DomainError || error instanceof EngineError) return error.message;
  log.error({ err: error, translation: id }, "Unexpected error in a translation");
  return `Something went wrong; it is logged for ${id}. The run is tried again later.`;
}

/**
 * Makes translations due, by this time, whose source has another content than they were made from: those of these
 * spaces, or all. Answers how many there are.
 */
export async function markChanged(
  { database }: Pick<Translating, "database">,
  { dueAt, spaceIds }: { dueAt: Date; spaceIds?: readonly string[] },
): Promise<number> {
  const rows = await database.query(sql`update "Translation" t set "dueAt" = ${dueAt} from "Space" s, "Space" r
    where s.id = t."sourceSpaceId" and r.id = t."resultSpaceId" and s."deletedAt" is null and r."deletedAt" is null
      and t."autoUpdate" and t."dueAt" is null and s."revisionId" is distinct from t."sourceRevisionId"
      and ${spaceIds ? sql`s.id = any(${spaceIds}::text[])` : sql`true`} returning t.id`);
  return rows.length;
}

/** The translations that are due and that nobody runs, the one that waits longest first. */
export async function dueTranslations({ database, clock }: Pick<Translating, "database" | "clock">): Promise<string[]> {
  const now = clock.now();
  const rows = await database.prisma.translation.findMany({
    where: {
      dueAt: { lte: now },
      OR: [{ leaseUntil: null }, { leaseUntil: { lt: now } }],
      sourceSpace: { deletedAt: null },
      resultSpace: { deletedAt: null },
    },
    orderBy: { dueAt: "asc" },
    select: { id: true },
    take: 100,
  });
  return rows.map(({ id }) => id);
}
