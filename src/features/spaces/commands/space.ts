// Creating spaces, new or as a copy, and changing their settings, who may view them, and their default level.
import { randomBytes } from "node:crypto";
import { itemRoleColumns } from "#src/access/content.ts";
import { found, invalidInput, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/database.ts";
import { want } from "#src/db/entity.ts";
import { change, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, given, ifGiven, type Optional } from "#src/domain/input.ts";
import type { Destination } from "#src/features/collections/access.ts";
import { findPlace, lockTrees } from "#src/features/collections/commands/place.ts";
import { collections, findDestination } from "#src/features/collections/reads.ts";
import { mayCreateSpace, mayDuplicateSpace, mayUpdateSpace } from "#src/features/spaces/access.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { Prisma, Revision } from "#src/generated/prisma/client.ts";
import type { SpaceVisibility } from "#src/generated/prisma/enums.ts";
import type { SpaceModel } from "#src/generated/prisma/models.ts";

interface NewSpace extends Optional<Pick<SpaceModel, "title" | "emoji" | "parentId" | "visibility" | "defaultLevel">> {
  readonly organizationId: string;
}

/** The title of a space as it is stored. INVALID_INPUT for more than 50 characters. */
const checkTitle = (text: string): string => checkText("title", text, { max: 50 });

/** The emoji of a space as it is stored; an empty text is none. INVALID_INPUT for more than 50 characters. */
const checkEmoji = (text: string): string => checkText("emoji", text, { max: 50 });

/**
 * Makes a space with its first revision, behind everything else in its place. Needs `create` there; the default level
 * is at most the viewer's own role.
 *
 * Throws NOT_FOUND for an organization or parent that the viewer may not see, INVALID_INPUT for texts that are too
 * long, and for the visibility `in_collection` at the top of the organization.
 */
export async function createSpace(context: Context, input: NewSpace): Promise<{ id: string }> {
  const { organizationId, defaultLevel = null } = input;
  const title = ifGiven("title", input.title, checkTitle) ?? "Untitled";
  const emoji = ifGiven("emoji", input.emoji, checkEmoji) ?? "📘";
  const parentId = ifGiven("parent", input.parentId, (id) => id) ?? null;
  const asked = ifGiven("visibility", input.visibility, (visibility) => visibility);
  const visible = asVisible(asked ?? (parentId === null ? "private" : "in_collection"), parentId);
  const to = await findDestination(context, { organizationId, parentId });
  return change(context, mayCreateSpace, { to, level: defaultLevel }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const place = await findPlace(transaction, context.viewer, { organizationId, parentId });
    const space = { organizationId, title, emoji, defaultLevel, ...visible, ...place };
    const id = await insertSpace(transaction, context, space);
    return { result: { id }, events: [{ type: spaceEvents.created, subjectId: id, organizationId, spaceId: id }] };
  });
}

/**
 * Copies a space: its settings and its content as of now, right behind it. Change requests, comments, grants,
 * synchronisation and the secret of a share link are not copied. Needs `create` in the place of the space.
 *
 * Throws NOT_FOUND for a space that the viewer may not see.
 */
export async function duplicateSpace(context: Context, id: string): Promise<{ id: string }> {
  const columns = want([...itemRoleColumns, "parentId"]);
  const space = await context.reader.found(spaces, id, columns);
  const { organizationId, parentId } = space;
  const to = await findPlaceOf(context, space);
  return change(context, mayDuplicateSpace, { space, to }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const original = found(
      await transaction.space.findFirst({
        where: { id, organizationId, parentId, deletedAt: null },
        include: { revision: { select: { treeHash: true, filesHash: true, variables: true, reusableContents: true } } },
      }),
      "space",
    );
    const { title, emoji, editMode, defaultLevel, visitorAuthBackend, visibility } = original;
    const behind = { side: "after", kind: "Space", id, path: "spaceId" } as const;
    const place = await findPlace(transaction, context.viewer, { organizationId, parentId }, behind);
    const copy = { organizationId, title, emoji, editMode, defaultLevel, visitorAuthBackend };
    const visible = asVisible(visibility, parentId);
    const copyId = await insertSpace(transaction, context, { ...copy, ...visible, ...place }, original.revision);
    const event = { type: spaceEvents.duplicated, subjectId: copyId, organizationId, spaceId: copyId };
    return { result: { id: copyId }, events: [{ ...event, payload: { from: id } }] };
  });
}

/** The place of a space. The viewer has no role on a collection that they do not see. */
async function findPlaceOf(
  context: Context,
  { organizationId, parentId }: { organizationId: string; parentId: string | null },
): Promise<Destination> {
  if (parentId === null) return { organizationId, parent: null };
  const parent = await context.reader.row(collections, parentId, want(itemRoleColumns));
  return { organizationId, parent: parent ?? { organizationId, inheritedLevel: null, grantedRole: null } };
}

/**
 * Writes a space and its first revision, which name each other: the key from space to revision is checked on commit.
 * Content that is there already is shared, not copied.
 */
async function insertSpace(
  transaction: Transaction,
  { viewer, clock }: Context,
  space: Omit<Prisma.SpaceUncheckedCreateInput, "id" | "revisionId">,
  content: Pick<Revision, "treeHash" | "filesHash" | "variables" | "reusableContents"> | null = null,
): Promise<string> {
  const [id, revisionId, now] = [newId("Space"), newId("Revision"), clock.now()];
  await transaction.space.create({ data: { ...space, id, revisionId, createdAt: now, updatedAt: now } });
  const revision = { id: revisionId, spaceId: id, type: "initial", authorId: viewer.userId, createdAt: now } as const;
  // Values that were read can be written, but not by the types: there null is not a JSON value.
  await transaction.revision.create({ data: { ...revision, ...(content as Prisma.RevisionUncheckedCreateInput) } });
  return id;
}

interface SpaceUpdate extends Optional<
  Pick<SpaceModel, "title" | "emoji" | "editMode" | "defaultLevel" | "visibility">
> {
  readonly id: string;
}

/**
 * Changes the given fields. Needs `admin` there. With null the default level is that of the collection around it. A
 * space that becomes `share_link` gets a new secret, and keeps none when it becomes anything else.
 *
 * Throws NOT_FOUND for a space that the viewer may not see, INVALID_INPUT for texts that are too long, for other fields
 * that are null, and for the visibility `in_collection` at the top of the organization.
 */
export async function updateSpace(context: Context, input: SpaceUpdate): Promise<{ id: string }> {
  const { id, defaultLevel } = input;
  const space = await context.reader.found(spaces, id, want(itemRoleColumns));
  const data = given({
    title: ifGiven("title", input.title, checkTitle),
    emoji: ifGiven("emoji", input.emoji, checkEmoji),
    editMode: ifGiven("editMode", input.editMode, (mode) => mode),
    defaultLevel,
  });
  const visibility = ifGiven("visibility", input.visibility, (value) => value);
  if (visibility === undefined && Object.keys(data).length === 0) {
    await requireAllowed(context, mayUpdateSpace, space);
    return { id };
  }
  const { organizationId } = space;
  return change(context, mayUpdateSpace, space, async (transaction) => {
    const visible = visibility && (await findVisible(transaction, { id, organizationId, visibility }));
    const { count } = await transaction.space.updateMany({
      where: { id, organizationId, deletedAt: null },
      data: { ...data, ...visible, updatedAt: context.clock.now() },
    });
    if (count === 0) throw notFound("space");
    return { result: { id }, events: [{ type: spaceEvents.updated, subjectId: id, organizationId, spaceId: id }] };
  });
}

/**
 * The columns of the new visibility; none where the space has it already, so that the link of a share-link space keeps
 * working.
 */
async function findVisible(
  transaction: Transaction,
  { id, organizationId, visibility }: { id: string; organizationId: string; visibility: SpaceVisibility },
) {
  const [current] = await transaction.$queryRaw<{ parentId: string | null; visibility: SpaceVisibility }[]>(
    sql`select "parentId", visibility from "Space" where id = ${id} and "organizationId" = ${organizationId} for update`,
  );
  if (!current) throw notFound("space");
  return current.visibility === visibility ? {} : asVisible(visibility, current.parentId);
}

/** The columns of a visibility; a share link gets a new secret. INVALID_INPUT for `in_collection` without one. */
function asVisible(
  visibility: SpaceVisibility,
  parentId: string | null,
): { visibility: SpaceVisibility; shareKey: string | null } {
  if (visibility === "in_collection" && parentId === null) {
    throw invalidInput("visibility", "must not be in-collection for a space that is in no collection.");
  }
  return { visibility, shareKey: visibility === "share_link" ? randomBytes(24).toString("base64url") : null };
}

/** The visibility that a space keeps in a new place: what was visible with its collection is private at the top. */
export function keepVisible(visibility: SpaceVisibility, parentId: string | null): SpaceVisibility {
  return visibility === "in_collection" && parentId === null ? "private" : visibility;
}
