// Runs translations exactly once, even if processes fail. Each run creates one revision.
import { DomainError } from "#src/base/errors.ts";
import { uncharged } from "#src/runtime/tenant.ts";
import { EngineError } from "#src/base/translator.ts";
import { identifier, type Sql, sql } from "#src/db/connection/database.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import { finishRun } from "#src/features/translations/commands/finish-run.ts";
import {
  claimTranslation,
  type Failure,
  type Translating,
  TranslationRun,
} from "#src/features/translations/commands/translation-run.ts";
import { translateSource } from "#src/features/translations/commands/translate-source.ts";
import type { TranslationModel } from "#src/generated/prisma/models.ts";
import { type LongWork, released, workOn } from "#src/jobs/long-work.ts";

/** False if it is not due, or runs elsewhere. An error is written to the translation, which runs again later. */
export async function runTranslation(at: Translating, id: string, stopping: AbortSignal): Promise<boolean> {
  const { charge = uncharged, database } = at;
  const work: LongWork<TranslationModel, boolean> = {
    table: "Translation",
    noun: "translation",
    claim: (columns) => claimTranslation(at, id, columns),
    release: (where) => database.prisma.translation.updateMany({ where, data: { ...released, reservedWords: 0 } }),
    start(translation, lease) {
      const run = new TranslationRun(at, lease, translation);
      return {
        async run() {
          const { createdById: userId } = translation;
          await charge({ userId }, async () => finishRun(at, run, await translateSource(at, run)));
          return true;
        },
        async fail(error) {
          if (!lease.signal.aborted) await run.fail(explain(at, id, error)).catch(() => {}); // deleted meanwhile
          return false;
        },
      };
    },
  };
  return (await workOn(at, work, stopping)) ?? false;
}

function explain({ log }: Translating, id: string, error: unknown): Failure {
  if (error instanceof DomainError || error instanceof EngineError) return error;
  const known = answerOf(error, log);
  if (known) return { message: `${known.message} It will be retried later.`, code: known.code };
  log.error({ err: error, translation: id }, "Unexpected error in a translation");
  const message = `The run failed unexpectedly; the log has the error for ${id}. It will be retried later.`;
  return { message, code: "INTERNAL" };
}

/** Schedules translations whose source has changed: of these spaces, or all. Returns their number. */
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

// As values the conditions on spaces are looked up for due rows only; as a join they would read all spaces first.
const exists = (column: string) =>
  sql`(select s."deletedAt" is null from "Space" s where s.id = t.${identifier(column)})`;

/** The condition that a translation `t` is due, that no process runs it, and that both of its spaces exist. */
export const isTranslationDue = (now: Sql): Sql =>
  sql`t."dueAt" <= ${now} and (t."leaseUntil" is null or t."leaseUntil" < ${now})
    and ${exists("sourceSpaceId")} and ${exists("resultSpaceId")}`;

/** The due translations that no process runs, the longest due first. */
export async function dueTranslations({ database, clock }: Pick<Translating, "database" | "clock">): Promise<string[]> {
  const now = sql`${clock.now().toISOString()}::timestamptz`;
  const rows = await database.query<{ id: string }>(
    sql`select t.id from "Translation" t where ${isTranslationDue(now)} order by t."dueAt" limit 100`,
  );
  return rows.map(({ id }) => id);
}
