// Commands that create and copy spaces, and change their settings, audience and default level.
import { itemRoleColumns, type ItemRoleParts } from "#src/access/content.ts";
import { DomainError, found } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { inFigures } from "#src/base/limits.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, changeIfAny, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { Hook } from "#src/domain/hooks.ts";
import { checkText, given, ifGiven, type Optional } from "#src/domain/input.ts";
import { type DomainEvent, enumValue, settingChanges } from "#src/events/event.ts";
import { type Destination, roleAt } from "#src/features/collections/access.ts";
import { findPlace, lockTrees } from "#src/features/collections/commands/place.ts";
import { collections, findDestination } from "#src/features/collections/reads.ts";
import { mayCreateSpace, mayDuplicateSpace, mayUpdateSpace } from "#src/features/spaces/access.ts";
import {
  asAudience,
  asCreated,
  asVisible,
  keepRole,
  lockSettings,
  type SpaceSettings,
  readAudience,
} from "#src/features/spaces/commands/audience.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { Prisma, Revision } from "#src/generated/prisma/client.ts";
import type { SpaceModel } from "#src/generated/prisma/models.ts";

interface NewSpace extends Optional<
  Pick<SpaceModel, "title" | "emoji" | "parentId" | "visibility" | "openToMembers" | "defaultLevel">
> {
  readonly organizationId: string;
}

export const spaceTexts = { title: { max: 50 }, emoji: { max: 50 } };

const checkTitle = (text: string): string => checkText("title", text, spaceTexts.title);

const checkEmoji = (text: string): string => checkText("emoji", text, spaceTexts.emoji);

/** Creators of a space that is closed to members are granted their role. INVALID_INPUT as for {@link asCreated}. */
export async function createSpace(context: Context, input: NewSpace): Promise<{ id: string }> {
  const { organizationId, defaultLevel = null } = input;
  const title = ifGiven("title", input.title, checkTitle) ?? "Untitled";
  const emoji = ifGiven("emoji", input.emoji, checkEmoji) ?? "📘";
  const parentId = ifGiven("parentId", input.parentId, (id) => id) ?? null;
  const visible = asCreated(input, parentId);
  const to = await findDestination(context, { organizationId, parentId });
  return change(context, mayCreateSpace, { to, level: defaultLevel }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const place = await findPlace(transaction, context.viewer, { organizationId, parentId });
    const space = { organizationId, title, emoji, defaultLevel, ...visible, ...place };
    const id = await insertSpace(transaction, context, space);
    await keepRole(transaction, context, { id, organizationId, ...visible, role: roleAt(context.viewer, to) });
    const event = { type: spaceEvents.created, subjectId: id, organizationId, spaceId: id };
    return { result: { id }, events: [{ ...event, payload: { title, parentId, visibility: visible.visibility } }] };
  });
}

/** Creates a top-level space of an organization within a change that has locked the trees. Also returns its event. */
export async function addTopSpace(
  transaction: Transaction,
  context: Context,
  { organizationId, title }: { organizationId: string; title: string },
): Promise<{ id: string; event: DomainEvent }> {
  const visible = asCreated({}, null);
  const place = await findPlace(transaction, context.viewer, { organizationId, parentId: null });
  const space = { organizationId, title: checkTitle(title), emoji: "📘", ...visible, ...place };
  const id = await insertSpace(transaction, context, space);
  const role = roleAt(context.viewer, { organizationId, parent: null });
  await keepRole(transaction, context, { id, organizationId, ...visible, role });
  const event = { type: spaceEvents.created, subjectId: id, organizationId, spaceId: id };
  return { id, event: { ...event, payload: { title: space.title, parentId: null } } };
}

/** Copies settings and current content, right after the space. Viewers keep their role on a copy closed to members. */
export async function duplicateSpace(context: Context, id: string): Promise<{ id: string }> {
  const { space, to } = await spaceToCopy(context, id);
  const { organizationId } = space;
  return change(context, mayDuplicateSpace, { space, to }, async (transaction) => {
    const { id: copyId, title } = await copySpace(transaction, context, { space, to });
    const event = { type: spaceEvents.duplicated, subjectId: copyId, organizationId, spaceId: id };
    return { result: { id: copyId }, events: [{ ...event, payload: { copyId, title } }] };
  });
}

interface SpaceToCopy {
  readonly space: ItemRoleParts & Pick<SpaceModel, "id" | "parentId">;
  readonly to: Destination;
}

export async function spaceToCopy(context: Context, id: string): Promise<SpaceToCopy> {
  const space = await context.reader.found(spaces, id, project([...itemRoleColumns, "parentId"]));
  return { space, to: await findPlaceOf(context, space) };
}

/** The values of a copy that differ from the space. */
interface CopyOptions {
  readonly titled?: (title: string) => string;
  readonly searchLanguage?: SpaceModel["searchLanguage"];
  readonly isEmpty?: boolean;
}

/** Copies a space, right after it, within a change that the viewer may make. Returns the copy. */
export async function copySpace(
  transaction: Transaction,
  context: Context,
  { space: { id, organizationId, parentId }, to }: SpaceToCopy,
  { titled = (title) => title, searchLanguage, isEmpty = false }: CopyOptions = {},
): Promise<{ id: string; title: string; parentId: string | null }> {
  await lockTrees(transaction, organizationId);
  const original = found(
    await transaction.space.findFirst({
      where: { id, organizationId, parentId, deletedAt: null },
      include: { revision: { select: { treeHash: true, filesHash: true, variables: true, reusableContents: true } } },
    }),
    "space",
  );
  const { emoji, editMode, defaultLevel, freezesComputed, visitorAuthBackend, visibility, openToMembers } = original;
  const title = titled(original.title);
  const language = searchLanguage === undefined ? original.searchLanguage : searchLanguage;
  const behind = { side: "after", kind: "Space", id, path: "spaceId" } as const;
  const place = await findPlace(transaction, context.viewer, { organizationId, parentId }, behind);
  const settings = { title, emoji, editMode, defaultLevel, searchLanguage: language, freezesComputed };
  const visible = { ...asVisible(visibility, parentId), openToMembers };
  const copy = { organizationId, ...settings, visitorAuthBackend, ...visible, ...place };
  const copyId = await insertSpace(transaction, context, copy, isEmpty ? null : original.revision);
  await keepRole(transaction, context, { id: copyId, organizationId, ...visible, role: roleAt(context.viewer, to) });
  return { id: copyId, title, parentId };
}

/** The place of a space. The viewer has no role on a collection they do not see. */
async function findPlaceOf(
  context: Context,
  { organizationId, parentId }: { organizationId: string; parentId: string | null },
): Promise<Destination> {
  if (parentId === null) return { organizationId, parent: null };
  const parent = await context.reader.row(collections, parentId, project(itemRoleColumns));
  const none = { organizationId, inheritedLevel: null, grantedRole: null, isClosed: true };
  return { organizationId, parent: parent ?? none };
}

export const onSpaceCreated = new Hook<{ readonly id: string; readonly organizationId: string }>("a space is created");

/** The space and its first revision refer to each other by a deferred key. Content is shared, not copied. */
async function insertSpace(
  transaction: Transaction,
  { viewer, clock, quotas }: Context,
  space: Omit<Prisma.SpaceUncheckedCreateInput, "id" | "revisionId">,
  content: Pick<Revision, "treeHash" | "filesHash" | "variables" | "reusableContents"> | null = null,
): Promise<string> {
  const [id, revisionId, now] = [newId("Space"), newId("Revision"), clock.now()];
  const others = await transaction.space.count({ where: { organizationId: space.organizationId } });
  if (others >= quotas.spaces)
    throw new DomainError(
      "CONFLICT",
      `An organization may have at most ${inFigures(quotas.spaces)} spaces, and this one has ${inFigures(others)}: delete one first.`,
    );
  await transaction.space.create({ data: { ...space, id, revisionId, createdAt: now, updatedAt: now } });
  const revision = { id: revisionId, spaceId: id, type: "initial", authorId: viewer.userId, createdAt: now } as const;
  // The types do not allow writing read values, since null is not a JSON value there.
  await transaction.revision.create({ data: { ...revision, ...(content as Prisma.RevisionUncheckedCreateInput) } });
  await onSpaceCreated.run(transaction, { id, organizationId: space.organizationId });
  return id;
}

interface SpaceUpdate extends Optional<
  Pick<SpaceModel, "title" | "emoji" | "editMode" | "defaultLevel" | "searchLanguage"> &
    Pick<SpaceModel, "freezesComputed" | "visibility" | "openToMembers">
> {
  readonly id: string;
}

/** A space that becomes private is closed to members by default; the viewer then keeps `admin` by a grant. */
export async function updateSpace(context: Context, input: SpaceUpdate): Promise<{ id: string }> {
  const { id, defaultLevel } = input;
  const space = await context.reader.found(spaces, id, project(itemRoleColumns));
  const data = given({
    title: ifGiven("title", input.title, checkTitle),
    emoji: ifGiven("emoji", input.emoji, checkEmoji),
    editMode: ifGiven("editMode", input.editMode, (mode) => mode),
    searchLanguage: input.searchLanguage,
    freezesComputed: ifGiven("freezesComputed", input.freezesComputed, (freezes) => freezes),
    defaultLevel,
  });
  const asked = readAudience(input);
  const isAsked = Object.keys(asked).length > 0;
  if (!isAsked && Object.keys(data).length === 0) {
    await requireAllowed(context, mayUpdateSpace, space);
    return { id };
  }
  const { organizationId } = space;
  return changeIfAny(context, mayUpdateSpace, space, async (transaction) => {
    const before = await lockSettings(transaction, id, organizationId);
    const visible = isAsked ? asAudience(before, asked) : {};
    const changes = settingChanges<SpaceSettings>(before, { ...data, ...visible }, auditedColumns);
    if (changes.length === 0) return { result: { id }, events: [] };
    await transaction.space.update({
      where: { id },
      data: { ...data, ...visible, updatedAt: context.clock.now() },
      select: { id: true },
    });
    if (isAsked || defaultLevel !== undefined)
      await keepRole(transaction, context, { id, organizationId, ...before, ...visible, role: "admin" });
    const event = { type: spaceEvents.updated, subjectId: id, organizationId, spaceId: id, payload: { changes } };
    return { result: { id }, events: [event] };
  });
}

/** Without the secret of a share link. */
const auditedColumns = {
  title: "title",
  emoji: "emoji",
  editMode: ["editMode", enumValue],
  defaultLevel: ["defaultLevel", enumValue],
  searchLanguage: ["searchLanguage", enumValue],
  freezesComputed: "freezesComputed",
  visibility: ["visibility", enumValue],
  openToMembers: "openToMembers",
} as const;
