// The audience of a space: its visibility, access of members while it is private, and the secret of its link.
import { randomBytes } from "node:crypto";
import { DomainError, found, invalidInput } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { itemRoleColumns } from "#src/access/content.ts";
import { change, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { given, ifGiven, type Optional } from "#src/domain/input.ts";
import { Hook } from "#src/domain/hooks.ts";
import { mayRotateShareKey } from "#src/features/spaces/access.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { Role, SearchLanguage, SpaceEditMode, SpaceVisibility } from "#src/generated/prisma/enums.ts";

type Audience = { readonly visibility: SpaceVisibility; readonly openToMembers: boolean };

type Asked = Partial<Audience>;

type Present = Audience & { readonly parentId: string | null };

export function readAudience(input: Optional<Audience>): Asked {
  return given({
    visibility: ifGiven("visibility", input.visibility, (visibility) => visibility),
    openToMembers: ifGiven("openToMembers", input.openToMembers, (isOpen) => isOpen),
  });
}

/** The audience of a new space: by default that of its collection; at the top level, private and open to members. */
export function asCreated(input: Optional<Audience>, parentId: string | null) {
  const { visibility, openToMembers } = readAudience(input);
  const byPlace = parentId === null ? "private" : "in_collection";
  const visible = asVisible(visibility ?? byPlace, parentId);
  if (openToMembers === true) requirePrivate(visible.visibility);
  return { ...visible, openToMembers: openToMembers ?? (visibility === undefined && parentId === null) };
}

export interface SpaceSettings extends Present {
  readonly title: string;
  readonly emoji: string;
  readonly editMode: SpaceEditMode;
  readonly defaultLevel: Role | null;
  readonly searchLanguage: SearchLanguage | null;
  readonly freezesComputed: boolean;
}

/** The settings of a space, which is locked until the transaction ends. NOT_FOUND if it was deleted. */
export async function lockSettings(
  transaction: Transaction,
  id: string,
  organizationId: string,
): Promise<SpaceSettings> {
  const [current] = await transaction.$queryRaw<SpaceSettings[]>(
    sql`select "parentId", visibility, "openToMembers", title, emoji, "editMode", "defaultLevel", "searchLanguage", "freezesComputed" from "Space"
      where id = ${id} and "organizationId" = ${organizationId} and "deletedAt" is null for update`,
  );
  return found(current ?? null, "space");
}

/**
 * The columns of the new audience. A space that becomes private is closed to members by default.
 * INVALID_INPUT as {@link asVisible}, and for `openToMembers` unless the space is private.
 */
export function asAudience(current: Present, asked: Asked) {
  const visibility = asked.visibility ?? current.visibility;
  if (asked.openToMembers === true) requirePrivate(visibility);
  const openToMembers = asked.openToMembers ?? (asked.visibility === undefined && current.openToMembers);
  return visibility === current.visibility
    ? { visibility, openToMembers }
    : { ...asVisible(visibility, current.parentId), openToMembers };
}

function requirePrivate(visibility: SpaceVisibility): void {
  if (visibility !== "private") throw invalidInput("openToMembers", "can only be true for a private space.");
}

/** The columns of a visibility; a share link gets a new secret. INVALID_INPUT for `in_collection` without one. */
export function asVisible(
  visibility: SpaceVisibility,
  parentId: string | null,
): { visibility: SpaceVisibility; shareKey: string | null } {
  if (visibility === "in_collection" && parentId === null) {
    throw invalidInput("visibility", "must not be in-collection for a space without a collection.");
  }
  return { visibility, shareKey: visibility === "share_link" ? newShareKey() : null };
}

/** 192 random bits as 32 characters that need no escaping in addresses. */
const newShareKey = (): string => randomBytes(24).toString("base64url");

/** At the top level, a space visible with its collection becomes private and open to members. */
export function keepVisible({ visibility, openToMembers }: Audience, parentId: string | null): Audience {
  return visibility === "in_collection" && parentId === null
    ? { visibility: "private", openToMembers: true }
    : { visibility, openToMembers };
}

export const isForMembers = ({
  visibility,
  openToMembers,
  defaultLevel,
}: Audience & { defaultLevel: Role | null }): boolean =>
  visibility !== "private" || openToMembers || defaultLevel !== null;

/** A user with the role `role` closed a space to members, and keeps that role. */
export const spaceCloses = new Hook<{
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly role: Role;
}>("space is closed to members");

/** If a space is closed to members, grants the viewer their current role there. */
export async function keepRole(
  transaction: Transaction,
  { viewer }: Context,
  { id, organizationId, role, visibility, openToMembers }: Audience & SpaceRole,
): Promise<void> {
  const isClosed = visibility === "private" && !openToMembers;
  if (!isClosed || role === null || viewer.adminOf.includes(organizationId)) return;
  await spaceCloses.run(transaction, { id, organizationId, userId: viewer.userId, role });
}

interface SpaceRole {
  readonly id: string;
  readonly organizationId: string;
  readonly role: Role | null;
}

/** Replaces the secret of a share-link space: the former link stops working. Needs `admin`. CONFLICT for others. */
export async function rotateShareKey(context: Context, id: string): Promise<{ id: string }> {
  const space = await context.reader.found(spaces, id, project(itemRoleColumns));
  const { organizationId } = space;
  return change(context, mayRotateShareKey, space, async (transaction) => {
    const { visibility } = await lockSettings(transaction, id, organizationId);
    if (visibility !== "share_link")
      throw new DomainError("CONFLICT", "The space has no link: only a space with the visibility share-link has one.");
    await transaction.space.update({
      where: { id },
      data: { shareKey: newShareKey(), updatedAt: context.clock.now() },
    });
    const event = { type: spaceEvents.shareKeyRotated, subjectId: id, organizationId, spaceId: id };
    return { result: { id }, events: [event] };
  });
}
