// Adds, changes and deletes terms of the glossary of an organization; its translations run again.
import { settingChanges } from "#src/events/event.ts";
import { DomainError, found, invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import {
  change,
  changeIfAny,
  type Deleted,
  deleteIfThere,
  requireAllowed,
  type Transaction,
} from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, given, ifGiven, type Optional } from "#src/domain/input.ts";
import { takeAdvisoryLock } from "#src/domain/advisory-lock.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { mayCreateTerm, mayDeleteTerm, mayUpdateTerm } from "#src/features/translations/access.ts";
import { glossaryEvents } from "#src/features/translations/events.ts";
import { glossaryTerms } from "#src/features/translations/reads.ts";
import type { Language } from "#src/generated/prisma/enums.ts";

/** The limits of characters of terms and translations, and of terms of an organization. */
export const limits = { term: 100, terms: 1_000 } as const;

/** The delay of runs in milliseconds, since terms are often changed one after another. */
const runDelayMs = 10_000;

type GivenTranslation = { readonly language: Language; readonly text: string };
type Translations = Readonly<Partial<Record<Language, string>>>;

const checkTerm = (term: string): string =>
  checkText("term", term, { min: 1, max: limits.term }).replaceAll(/\s+/g, " ");

/** The translations in their stored form, sorted by language, so that equal ones compare equal. */
function checkTranslations(translations: readonly GivenTranslation[]): Translations {
  const known = new Map<Language, string>();
  for (const [index, { language, text }] of translations.entries()) {
    const path = `translations/${index}`;
    if (known.has(language)) throw invalidInput(`${path}/language`, "is repeated.");
    known.set(language, checkText(`${path}/text`, text, { min: 1, max: limits.term }));
  }
  return Object.fromEntries([...known].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** NOT_FOUND for the organization, INVALID_INPUT for texts and repeated languages, CONFLICT for a known term. */
export async function createTerm(
  context: Context,
  input: { organizationId: string; term: string } & Optional<{ translations: readonly GivenTranslation[] }>,
): Promise<{ id: string }> {
  const { organizationId } = input;
  await context.reader.found(organizations, organizationId, project([]));
  const term = checkTerm(input.term);
  const translations = checkTranslations(input.translations ?? []);
  return change(context, mayCreateTerm, { organizationId }, async (transaction) => {
    await lockGlossary(transaction, organizationId);
    if ((await transaction.glossaryTerm.count({ where: { organizationId } })) >= limits.terms)
      throw new DomainError("CONFLICT", `A glossary may have at most ${limits.terms} terms: delete one first.`);
    const id = newId("GlossaryTerm");
    await requireNew(transaction, { id, organizationId, term });
    const createdAt = context.clock.now();
    await transaction.glossaryTerm.create({ data: { id, organizationId, term, translations, createdAt } });
    await scheduleRuns(transaction, context, organizationId);
    return {
      result: { id },
      events: [{ type: glossaryEvents.created, subjectId: id, organizationId, payload: { term } }],
    };
  });
}

/** NOT_FOUND unless the viewer sees it, INVALID_INPUT as {@link createTerm} does, CONFLICT for a known term. */
export async function updateTerm(
  context: Context,
  input: { glossaryTermId: string } & Optional<{ term: string; translations: readonly GivenTranslation[] }>,
): Promise<{ id: string }> {
  const { id, organizationId } = await context.reader.found(
    glossaryTerms,
    input.glossaryTermId,
    project(["organizationId"]),
  );
  await requireAllowed(context, mayUpdateTerm, { organizationId });
  const data = given({
    term: ifGiven("term", input.term, checkTerm),
    translations: ifGiven("translations", input.translations, checkTranslations),
  });
  return changeIfAny(context, mayUpdateTerm, { organizationId }, async (transaction) => {
    await lockGlossary(transaction, organizationId);
    const before = found(await transaction.glossaryTerm.findUnique({ where: { id } }), glossaryTerms.noun);
    const changes = settingChanges({ ...before, translations: before.translations as Translations }, data, audited);
    if (changes.length === 0) return { result: { id }, events: [] };
    if (data.term !== undefined) await requireNew(transaction, { id, organizationId, term: data.term });
    await transaction.glossaryTerm.update({ where: { id }, data });
    await scheduleRuns(transaction, context, organizationId);
    const payload = { term: data.term ?? before.term, changes };
    return { result: { id }, events: [{ type: glossaryEvents.updated, subjectId: id, organizationId, payload }] };
  });
}

const audited = {
  term: "term",
  translations: [
    "translations",
    (of: Translations) =>
      Object.entries(of)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)) // the database sorts differently
        .map(([language, text]) => `${language.replace("_", "-")}: ${text}`)
        .join("; "),
  ],
} as const;

/** Deletes a term; null if missing. Needs `create` in the organization; NOT_FOUND unless the viewer sees that. */
export async function deleteTerm(
  context: Context,
  { organizationId, glossaryTermId: id }: { organizationId: string; glossaryTermId: string },
): Promise<Deleted> {
  await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayDeleteTerm, { organizationId });
  return deleteIfThere(context, mayDeleteTerm, { organizationId }, async (transaction) => {
    const where = { id, organizationId };
    const term = await transaction.glossaryTerm.findUnique({ where });
    const { count } = await transaction.glossaryTerm.deleteMany({ where });
    if (!term || count === 0) return null;
    await scheduleRuns(transaction, context, organizationId);
    return { type: glossaryEvents.deleted, subjectId: id, organizationId, payload: { term: term.term } };
  });
}

/** Serializes changes of a glossary, which check the uniqueness and the limit of terms. */
const lockGlossary = (transaction: Transaction, organizationId: string): Promise<void> =>
  takeAdvisoryLock(transaction, `glossary of ${organizationId}`);

async function requireNew(
  transaction: Transaction,
  { id, organizationId, term }: { id: string; organizationId: string; term: string },
): Promise<void> {
  const others = await transaction.$queryRaw<object[]>(sql`select from "GlossaryTerm" g
    where g."organizationId" = ${organizationId} and g.id <> ${id} and lower(g.term) = lower(${term}) limit 1`);
  if (others.length > 0)
    throw new DomainError("CONFLICT", "The glossary already has this term.", [
      { path: "term", message: "is already in the glossary (case-insensitive)." },
    ]);
}

/** Schedules runs of the translations that are updated automatically; running ones run again. */
async function scheduleRuns(transaction: Transaction, { clock }: Context, organizationId: string): Promise<void> {
  await transaction.translation.updateMany({
    where: { organizationId, autoUpdate: true, resultSpaceId: { not: null } },
    data: { dueAt: new Date(clock.now().getTime() + runDelayMs) },
  });
}
