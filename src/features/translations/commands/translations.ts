// Creates translations, changes their settings, runs and deletes them.
import { settingChanges } from "#src/events/event.ts";
import { DomainError, found, invalidInput } from "#src/base/errors.ts";
import { itemRoleColumns } from "#src/access/content.ts";
import { newId } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, changeIfAny, type Deleted, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, given, ifGiven, type Optional } from "#src/domain/input.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { mayDeleteSpace } from "#src/features/spaces/access.ts";
import { noteDeletion, onSpacesRemoved } from "#src/features/spaces/commands/delete.ts";
import { copySpace, spaceToCopy } from "#src/features/spaces/commands/space.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import {
  mayCreateTranslation,
  mayDeleteTranslation,
  mayRunTranslation,
  mayUpdateTranslation,
} from "#src/features/translations/access.ts";
import {
  translationEvent,
  translationEvents,
  translationTerminalEvents,
  translationProgressEvents,
} from "#src/features/translations/events.ts";
import { codeOf, searchLanguageOf } from "#src/features/translations/model/languages.ts";
import { type TranslationRow, translations, translationsOfOrganization } from "#src/features/translations/reads.ts";
import { unclaimed } from "#src/jobs/long-work.ts";
import type { Language } from "#src/generated/prisma/enums.ts";
import type { TranslationModel } from "#src/generated/prisma/models.ts";
import type { GivenDocument } from "#src/documents/document.ts";
import { writeDocuments } from "#src/documents/convert.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import { beforeContentTransfer } from "#src/features/collections/commands/move.ts";

export type NamedTranslation = { readonly organizationId: string; readonly translationId: string };

const columns = project(["id", "organizationId", "sourceSpaceId", "language", "resultSpaceId"]);

/** The translation; null if the viewer sees none. NOT_FOUND for the organization. */
async function findTranslation(
  { reader }: Context,
  { organizationId, translationId: id }: NamedTranslation,
): Promise<TranslationRow | null> {
  const request = { key: { id }, projection: columns };
  const translation = await reader.pick(translationsOfOrganization, { id: organizationId }, request);
  if (!translation) await reader.found(organizations, organizationId, project([]));
  return translation;
}

const loadTranslation = async (context: Context, name: NamedTranslation): Promise<TranslationRow> =>
  found(await findTranslation(context, name), translations.noun);

interface NewTranslation extends GivenInstructions, Optional<{ autoUpdate: boolean }> {
  readonly organizationId: string;
  readonly language: Language;
  readonly source: { readonly spaceId: string; readonly language?: Language | null | undefined };
}

/**
 * Places the translated space right after the source, with its settings and empty until the first run ends. Throws
 * NOT_FOUND, INVALID_INPUT for the instructions and the source language, CONFLICT without an engine and for a known
 * language.
 */
export async function createTranslation(context: Context, input: NewTranslation): Promise<{ id: string }> {
  const { organizationId, language, source } = input;
  await context.reader.found(organizations, organizationId, project(["id"]));
  const { space, to } = await spaceToCopy(context, source.spaceId);
  found(space.organizationId === organizationId ? space : null, spaces.noun);
  await requireAllowed(context, mayCreateTranslation, { space, to });
  const sourceLanguage = ifGiven("source/language", source.language, (code) => code) ?? "en";
  if (language === sourceLanguage) throw invalidInput("language", "must differ from the source language.");
  const instructions = (await readInstructions(input)) ?? "";
  const autoUpdate = ifGiven("autoUpdate", input.autoUpdate, (value) => value) ?? true;
  requireEngine(context);
  return change(context, mayCreateTranslation, { space, to }, async (transaction) => {
    await transaction.$executeRaw`select from "Space" where id = ${space.id} for no key update`;
    if ((await transaction.translation.count({ where: { sourceSpaceId: space.id, language } })) > 0)
      throw new DomainError("CONFLICT", "The space is already translated into this language.", [
        { path: "language", message: "has a translation of the space." },
      ]);
    const titled = (title: string) => titleIn(title, language);
    const options = { titled, searchLanguage: searchLanguageOf(language), isEmpty: true };
    const { id: resultSpaceId, ...copy } = await copySpace(transaction, context, { space, to }, options);
    const [id, now] = [newId("Translation"), context.clock.now()];
    const settings = { organizationId, sourceSpaceId: space.id, sourceLanguage, language, instructions, autoUpdate };
    const made = { createdById: context.viewer.userId, createdAt: now, updatedAt: now, dueAt: now };
    const { revisionId } = await transaction.space.findUniqueOrThrow({ where: { id: resultSpaceId } });
    const result = { resultSpaceId, engineRevisionId: revisionId }; // which is empty
    await transaction.translation.create({ data: { id, ...settings, ...made, ...result } });
    const ofSpace = { subjectId: resultSpaceId, organizationId, spaceId: resultSpaceId };
    return {
      result: { id },
      events: [
        { type: spaceEvents.created, ...ofSpace, payload: { ...copy } },
        translationEvent(translationEvents.created, { id, ...settings }, { resultSpaceId }),
      ],
    };
  });
}

/** CONFLICT if the gateway has no engine. */
function requireEngine({ translator }: Context): void {
  if (!translator)
    throw new DomainError(
      "CONFLICT",
      "This gateway has no translation engine: ask its operator to set TRANSLATION_URL.",
    );
}

/** The title of a space with the language, at most 50 characters. */
function titleIn(title: string, language: Language): string {
  const end = ` (${codeOf(language)})`;
  const start = Array.from(title).slice(0, 50 - end.length);
  return start.join("") + end;
}

/** New instructions start a run. NOT_FOUND unless the viewer sees it, INVALID_INPUT for the instructions. */
export async function updateTranslation(
  context: Context,
  input: NamedTranslation & GivenInstructions & Optional<{ autoUpdate: boolean }>,
): Promise<{ id: string }> {
  const translation = await loadTranslation(context, input);
  await requireAllowed(context, mayUpdateTranslation, translation);
  const { id } = translation;
  const instructions = await readInstructions(input);
  const autoUpdate = ifGiven("autoUpdate", input.autoUpdate, (value) => value);
  const data = given({ instructions, autoUpdate });
  return changeIfAny(context, mayUpdateTranslation, translation, async (transaction) => {
    await transaction.$executeRaw`select from "Translation" where id = ${id} for update`;
    const before = found(await transaction.translation.findUnique({ where: { id } }), translations.noun);
    const audited = { instructions: "instructions", autoUpdate: "autoUpdate" } as const;
    const changes = settingChanges<TranslationModel>(before, data, audited);
    if (changes.length === 0) return { result: { id }, events: [] };
    const now = context.clock.now();
    const isOther = instructions !== undefined && instructions !== before.instructions;
    await transaction.translation.update({
      where: { id },
      data: { ...data, updatedAt: now, ...(isOther && { dueAt: now, failures: 0 }) },
    });
    return { result: { id }, events: [translationEvent(translationEvents.updated, before, { changes })] };
  });
}

/** NOT_FOUND unless the viewer sees it, CONFLICT without an engine, and if the translated space was deleted. */
export async function runTranslationNow(context: Context, name: NamedTranslation): Promise<{ id: string }> {
  const translation = await loadTranslation(context, name);
  const { id } = translation;
  await requireAllowed(context, mayRunTranslation, translation);
  requireEngine(context);
  if (translation.resultSpaceId === null)
    throw new DomainError(
      "CONFLICT",
      "The translated space was deleted: delete this translation, and create a new one.",
    );
  const now = context.clock.now();
  return changeIfAny(context, mayRunTranslation, translation, async (transaction) => {
    const { count } = await transaction.translation.updateMany({
      where: { id, ...unclaimed(now) },
      data: { status: "pending", dueAt: now, failures: 0, updatedAt: now },
    });
    const event = translationEvent(translationProgressEvents.progressed, translation, { status: "pending" });
    return { result: { id }, events: count > 0 ? [event] : [] };
  });
}

/** `deleteResult` needs `admin` on the space. Null if the viewer sees none. NOT_FOUND for the organization. */
export async function deleteTranslation(
  context: Context,
  { deleteResult, ...name }: NamedTranslation & Optional<{ deleteResult: boolean }>,
): Promise<Deleted & { organizationId: string }> {
  const { organizationId } = name;
  const translation = await findTranslation(context, name);
  if (!translation) return { deletedId: null, organizationId };
  const { id, resultSpaceId } = translation;
  await requireAllowed(context, mayDeleteTranslation, { translation, space: null });
  const space =
    deleteResult && resultSpaceId !== null
      ? await context.reader.row(spaces, resultSpaceId, project(itemRoleColumns))
      : null;
  if (space) await requireAllowed(context, mayDeleteSpace, space); // its error is more specific
  type Result = Deleted & { organizationId: string };
  const subject = { translation, space };
  return changeIfAny<typeof subject, Result>(context, mayDeleteTranslation, subject, async (transaction) => {
    const { count } = await transaction.translation.deleteMany({ where: { id } });
    if (count === 0) return { result: { deletedId: null, organizationId }, events: [] };
    const deleted = space && (await noteDeletion(transaction, context, space));
    const event = translationEvent(translationTerminalEvents.deleted, translation);
    return { result: { deletedId: id, organizationId }, events: deleted ? [deleted, event] : [event] };
  });
}

/** Instructions as a document or as Markdown. */
type GivenInstructions = Optional<{ instructions: GivenDocument; instructionsMarkdown: string }>;

/** The limit of characters of instructions as Markdown. */
export const instructionsLimit = 10_000;

/** Undefined if none are given. INVALID_INPUT for both forms at once, null, too long ones and invalid documents. */
async function readInstructions({
  instructions,
  instructionsMarkdown,
}: GivenInstructions): Promise<string | undefined> {
  if (instructions !== undefined && instructionsMarkdown !== undefined)
    throw invalidInput("instructions", "must not be set together with `instructionsMarkdown`: set only one of them.");
  const path = instructions === undefined ? "instructionsMarkdown" : "instructions";
  if (instructions === null || instructionsMarkdown === null) throw invalidInput(path, "must not be null.");
  if (instructions === undefined && instructionsMarkdown === undefined) return undefined;
  const documents = instructions ? [{ document: instructions, path }] : [];
  const [text = instructionsMarkdown ?? ""] = await writeDocuments(documents);
  return checkText(path, text, { max: instructionsLimit });
}

/** When spaces leave: deletes translations of them as sources, and detaches them as translated spaces. */
export const translationsLeave = beforeContentTransfer.join(async (transaction, { spaces }) => {
  await transaction.$executeRaw(sql`delete from "Translation" t where t."sourceSpaceId" in (${spaces})`);
  await detachResults(transaction, spaces);
});

/** When translated spaces are removed permanently: their translations are not due again. */
export const translationsEnd = onSpacesRemoved.join((transaction, { spaces }) => detachResults(transaction, spaces));

async function detachResults(transaction: Transaction, spaces: Sql): Promise<void> {
  await transaction.$executeRaw(
    sql`update "Translation" t set "resultSpaceId" = null, "dueAt" = null where t."resultSpaceId" in (${spaces})`,
  );
}
