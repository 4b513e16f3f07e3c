// Creating translations, changing their settings, having them run, and deleting them.
import { DomainError, found, invalidInput } from "#src/base/errors.ts";
import { itemRoleColumns } from "#src/access/content.ts";
import { newId } from "#src/base/ids.ts";
import { want } from "#src/db/reading/entity.ts";
import { change, changeIfAny, type Deleted, requireAllowed } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { given, ifGiven, type Optional } from "#src/domain/input.ts";
import { settingChanges } from "#src/events/setting-changes.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { mayDeleteSpace } from "#src/features/spaces/access.ts";
import { noteDeletion } from "#src/features/spaces/commands/delete.ts";
import { copySpace, spaceToCopy } from "#src/features/spaces/commands/space.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import {
  mayCreateTranslation,
  mayDeleteTranslation,
  mayRunTranslation,
  mayUpdateTranslation,
} from "#src/features/translations/access.ts";
import { type GivenInstructions, readInstructions } from "#src/features/translations/commands/instructions.ts";
import {
  translationEvent,
  translationEvents,
  translationFarewellEvents,
  translationProgressEvents,
} from "#src/features/translations/events.ts";
import { codeOf, searchLanguageOf } from "#src/features/translations/model/languages.ts";
import { type TranslationRow, translations, translationsOfOrganization } from "#src/features/translations/reads.ts";
import type { Language } from "#src/generated/prisma/enums.ts";
import type { TranslationModel } from "#src/generated/prisma/models.ts";

/** How a translation is named: by its id in its organization. */
export interface NamedTranslation {
  readonly organizationId: string;
  readonly translationId: string;
}

const columns = want(["id", "organizationId", "sourceSpaceId", "language", "resultSpaceId"]);

/** The translation; null where there is none that the viewer may see. NOT_FOUND for the organization. */
async function translationIfThere(
  { reader }: Context,
  { organizationId, translationId: id }: NamedTranslation,
): Promise<TranslationRow | null> {
  const request = { key: { id }, wanted: columns };
  const translation = await reader.pick(translationsOfOrganization, { id: organizationId }, request);
  if (!translation) await reader.found(organizations, organizationId, want([]));
  return translation;
}

const translationInHand = async (context: Context, name: NamedTranslation): Promise<TranslationRow> =>
  found(await translationIfThere(context, name), translations.noun);

interface NewTranslation extends GivenInstructions, Optional<{ autoUpdate: boolean }> {
  readonly organizationId: string;
  readonly language: Language;
  readonly source: { readonly spaceId: string; readonly language?: Language | null | undefined };
}

/**
 * Adds the translation of a space into another language, with the space that it is made into: right behind the source,
 * with the same settings, and empty until the first run has ended, which begins at once. Needs `create` in the
 * organization and in that place, and a role on the source.
 *
 * Throws NOT_FOUND for an organization or a space in it that the viewer may not see, INVALID_INPUT for instructions
 * that are too long and for a language into itself, CONFLICT where the gateway has no engine, naming the setting, and
 * for a language into which the space is translated already.
 */
export async function createTranslation(context: Context, input: NewTranslation): Promise<{ id: string }> {
  const { organizationId, language, source } = input;
  await context.reader.found(organizations, organizationId, want(["id"]));
  const { space, to } = await spaceToCopy(context, source.spaceId);
  found(space.organizationId === organizationId ? space : null, spaces.noun);
  await requireAllowed(context, mayCreateTranslation, { space, to });
  const sourceLanguage = ifGiven("source/language", source.language, (code) => code) ?? "en";
  if (language === sourceLanguage) throw invalidInput("language", "must be another language than that of the source.");
  const instructions = (await readInstructions(input)) ?? "";
  const autoUpdate = ifGiven("autoUpdate", input.autoUpdate, (value) => value) ?? true;
  requireEngine(context);
  return change(context, mayCreateTranslation, { space, to }, async (transaction) => {
    await transaction.$executeRaw`select from "Space" where id = ${space.id} for no key update`;
    if ((await transaction.translation.count({ where: { sourceSpaceId: space.id, language } })) > 0)
      throw new DomainError("CONFLICT", "The space is translated into this language already.", [
        { path: "language", message: "has a translation of the space." },
      ]);
    const titled = (title: string) => titleIn(title, language);
    const options = { titled, searchLanguage: searchLanguageOf(language), isEmpty: true };
    const { id: resultSpaceId, ...copy } = await copySpace(transaction, context, { space, to }, options);
    const [id, now] = [newId("Translation"), context.clock.now()];
    const settings = { organizationId, sourceSpaceId: space.id, sourceLanguage, language, instructions, autoUpdate };
    const made = { createdById: context.viewer.userId, createdAt: now, updatedAt: now, dueAt: now };
    const { revisionId } = await transaction.space.findUniqueOrThrow({ where: { id: resultSpaceId } });
    const result = { resultSpaceId, engineRevisionId: revisionId }; // which holds nothing
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

/** CONFLICT where the gateway has no engine. */
function requireEngine({ translator }: Context): void {
  if (!translator)
    throw new DomainError(
      "CONFLICT",
      "This gateway has no engine that translates: whoever runs it has to set TRANSLATION_URL.",
    );
}

/** The title of a space with the language, at most 50 characters. */
function titleIn(title: string, language: Language): string {
  const end = ` (${codeOf(language)})`;
  return `${Array.from(title)
    .slice(0, 50 - end.length)
    .join("")}${end}`;
}

/**
 * Changes the settings of a translation; other instructions make a run follow. Needs `create` in the organization.
 * Throws NOT_FOUND for one that the viewer may not see, INVALID_INPUT for instructions that are too long.
 */
export async function updateTranslation(
  context: Context,
  input: NamedTranslation & GivenInstructions & Optional<{ autoUpdate: boolean }>,
): Promise<{ id: string }> {
  const translation = await translationInHand(context, input);
  await requireAllowed(context, mayUpdateTranslation, translation);
  const { id } = translation;
  const instructions = await readInstructions(input);
  const autoUpdate = ifGiven("autoUpdate", input.autoUpdate, (value) => value);
  const data = given({ instructions, autoUpdate });
  return changeIfAny(context, mayUpdateTranslation, translation, async (transaction) => {
    await transaction.$executeRaw`select from "Translation" where id = ${id} for update`;
    const before = found(await transaction.translation.findUnique({ where: { id } }), translations.noun);
    const told = { instructions: "instructions", autoUpdate: "autoUpdate" } as const;
    const changes = settingChanges<TranslationModel>(before, data, told);
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

/**
 * Has a translation run now, whenever that was due. One that runs goes on. Needs `create` in the organization. Throws
 * NOT_FOUND for one that the viewer may not see, CONFLICT where the gateway has no engine, and where the translated
 * space is gone.
 */
export async function runTranslationNow(context: Context, name: NamedTranslation): Promise<{ id: string }> {
  const translation = await translationInHand(context, name);
  const { id } = translation;
  await requireAllowed(context, mayRunTranslation, translation);
  requireEngine(context);
  if (translation.resultSpaceId === null)
    throw new DomainError("CONFLICT", "The translated space is gone: delete this translation, and create another one.");
  const now = context.clock.now();
  return changeIfAny(context, mayRunTranslation, translation, async (transaction) => {
    const { count } = await transaction.translation.updateMany({
      where: { id, OR: [{ leaseUntil: null }, { leaseUntil: { lt: now } }] },
      data: { status: "pending", dueAt: now, failures: 0, updatedAt: now },
    });
    const event = translationEvent(translationProgressEvents.progressed, translation, { status: "pending" });
    return { result: { id }, events: count > 0 ? [event] : [] };
  });
}

/**
 * Deletes a translation; the translated space stays, unless `deleteResult` deletes it, too, which needs `admin` on it.
 * Needs `create` in the organization. Answers null for one that is not there or that the viewer may not see; NOT_FOUND
 * for the organization.
 */
export async function deleteTranslation(
  context: Context,
  { deleteResult, ...name }: NamedTranslation & Optional<{ deleteResult: boolean }>,
): Promise<Deleted & { organizationId: string }> {
  const { organizationId } = name;
  const translation = await translationIfThere(context, name);
  if (!translation) return { deletedId: null, organizationId };
  const { id, resultSpaceId } = translation;
  await requireAllowed(context, mayDeleteTranslation, { translation, space: null });
  const space =
    deleteResult && resultSpaceId !== null
      ? await context.reader.row(spaces, resultSpaceId, want(itemRoleColumns))
      : null;
  if (space) await requireAllowed(context, mayDeleteSpace, space); // says more than the refusal of both
  type Result = Deleted & { organizationId: string };
  const subject = { translation, space };
  return changeIfAny<typeof subject, Result>(context, mayDeleteTranslation, subject, async (transaction) => {
    const { count } = await transaction.translation.deleteMany({ where: { id } });
    if (count === 0) return { result: { deletedId: null, organizationId }, events: [] };
    const deleted = space && (await noteDeletion(transaction, context, space));
    const event = translationEvent(translationFarewellEvents.deleted, translation);
    return { result: { deletedId: id, organizationId }, events: deleted ? [deleted, event] : [event] };
  });
}
