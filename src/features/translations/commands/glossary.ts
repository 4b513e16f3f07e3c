// Adding terms to the glossary of an organization, changing and deleting them. Translations follow.
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
import { takeTurn } from "#src/domain/advisory-lock.ts";
import { settingChanges } from "#src/events/event.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { mayCreateTerm, mayDeleteTerm, mayUpdateTerm } from "#src/features/translations/access/glossary.ts";
import { glossaryEvents } from "#src/features/translations/events.ts";
import { glossaryTerms } from "#src/features/translations/reads/glossary.ts";
import type { Language } from "#src/generated/prisma/enums.ts";

/** The most characters of a term and of its translations, and the most terms of an organization. */
export const limits = { term: 100, terms: 1_000 } as const;

/** How long, in milliseconds, runs wait for more changes: terms are often changed one after another. */
const quietMs = 10_000;

interface GivenTranslation {
  readonly language: Language;
  readonly text: string;
}

type Translations = Readonly<Partial<Record<Language, string>>>;

const checkTerm = (term: string): string =>
  checkText("term", term, { min: 1, max: limits.term }).replaceAll(/\s+/g, " ");

/** As they are stored, in the order of the languages' codes, so that what is the same is equal. */
function checkTranslations(translations: readonly GivenTranslation[]): Translations {
  const known = new Map<Language, string>();
  for (const [index, { language, text }] of translations.entries()) {
    const path = `translations/${index}`;
    if (known.has(language)) throw invalidInput(`${path}/language`, "is given twice.");
    known.set(language, checkText(`${path}/text`, text, { min: 1, max: limits.term }));
  }
  return Object.fromEntries([...known].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Adds a term, with how it is translated into some languages. Needs `create` in the organization. Throws NOT_FOUND for
 * an organization that the viewer may not see, INVALID_INPUT for texts that are too long or empty and for a language
 * twice, CONFLICT for a term that is there in any letter case and where there are too many.
 */
export async function createTerm(
  context: Context,
  input: { organizationId: string; term: string } & Optional<{ translations: readonly GivenTranslation[] }>,
): Promise<{ id: string }> {
  const { organizationId } = input;
  await context.reader.found(organizations, organizationId, project([]));
  const term = checkTerm(input.term);
  const translations = checkTranslations(input.translations ?? []);
  return change(context, mayCreateTerm, { organizationId }, async (transaction) => {
    await holdGlossary(transaction, organizationId);
    if ((await transaction.glossaryTerm.count({ where: { organizationId } })) >= limits.terms)
      throw new DomainError("CONFLICT", `A glossary has at most ${limits.terms} terms.`);
    const id = newId("GlossaryTerm");
    await requireNew(transaction, { id, organizationId, term });
    const createdAt = context.clock.now();
    await transaction.glossaryTerm.create({ data: { id, organizationId, term, translations, createdAt } });
    await makeDue(transaction, context, organizationId);
    return {
      result: { id },
      events: [{ type: glossaryEvents.created, subjectId: id, organizationId, payload: { term } }],
    };
  });
}

/**
 * Changes a term: what is given. Needs `create` in the organization. Throws NOT_FOUND for one that the viewer may not
 * see, INVALID_INPUT as for a new one, CONFLICT where another term is the same.
 */
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
    await holdGlossary(transaction, organizationId);
    const before = found(await transaction.glossaryTerm.findUnique({ where: { id } }), glossaryTerms.noun);
    const changes = settingChanges(
      { ...before, translations: before.translations as Translations },
      data,
      auditedColumns,
    );
    if (changes.length === 0) return { result: { id }, events: [] };
    if (data.term !== undefined) await requireNew(transaction, { id, organizationId, term: data.term });
    await transaction.glossaryTerm.update({ where: { id }, data });
    await makeDue(transaction, context, organizationId);
    const payload = { term: data.term ?? before.term, changes };
    return { result: { id }, events: [{ type: glossaryEvents.updated, subjectId: id, organizationId, payload }] };
  });
}

/** What is told of a term that is changed. */
const auditedColumns = {
  term: "term",
  translations: [
    "translations",
    (of: Translations) =>
      Object.entries(of)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)) // the database has an order of its own
        .map(([language, text]) => `${language.replace("_", "-")}: ${text}`)
        .join("; "),
  ],
} as const;

/**
 * Deletes a term of the organization. Needs `create` there. Answers null for one that is not there; throws NOT_FOUND
 * for an organization that the viewer may not see.
 */
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
    await makeDue(transaction, context, organizationId);
    return { type: glossaryEvents.deleted, subjectId: id, organizationId, payload: { term: term.term } };
  });
}

/** Of those who change a glossary one goes on at a time: so that no term is there twice, and there are not too many. */
const holdGlossary = (transaction: Transaction, organizationId: string): Promise<void> =>
  takeTurn(transaction, `glossary of ${organizationId}`);

async function requireNew(
  transaction: Transaction,
  { id, organizationId, term }: { id: string; organizationId: string; term: string },
): Promise<void> {
  const others = await transaction.$queryRaw<object[]>(sql`select from "GlossaryTerm" g
    where g."organizationId" = ${organizationId} and g.id <> ${id} and lower(g.term) = lower(${term}) limit 1`);
  if (others.length > 0)
    throw new DomainError("CONFLICT", "The glossary has this term already.", [
      { path: "term", message: "is in the glossary already, in any letter case." },
    ]);
}

/** Has the translations of the organization that follow their sources run again soon; also those that run now. */
async function makeDue(transaction: Transaction, { clock }: Context, organizationId: string): Promise<void> {
  await transaction.translation.updateMany({
    where: { organizationId, autoUpdate: true, resultSpaceId: { not: null } },
    data: { dueAt: new Date(clock.now().getTime() + quietMs) },
  });
}
