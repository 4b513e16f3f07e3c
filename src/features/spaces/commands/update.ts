// Changing what a space says of itself, who may view it, and its default level.
import { itemRoleColumns } from "#src/access/content.ts";
import { notFound } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import { sql } from "#src/db/database.ts";
import { change, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { given, ifGiven } from "#src/domain/input.ts";
import { mayUpdateSpace } from "#src/features/spaces/access.ts";
import { checkEmoji, checkTitle } from "#src/features/spaces/commands/create.ts";
import { asVisible } from "#src/features/spaces/commands/visibility.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { Role, SpaceEditMode, SpaceVisibility } from "#src/generated/prisma/enums.ts";

export interface SpaceUpdate {
  readonly id: string;
  readonly title?: string | null | undefined;
  readonly emoji?: string | null | undefined;
  readonly editMode?: SpaceEditMode | null | undefined;
  readonly defaultLevel?: Role | null | undefined;
  readonly visibility?: SpaceVisibility | null | undefined;
}

/**
 * Changes the given fields. Needs `admin` there. Null leaves the default level to the collection around it. A space
 * that becomes `share_link` gets a new secret, and keeps none when it becomes anything else.
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
 * The columns of the new visibility; none where the space has it already, so that the link of a share-link space goes
 * on working.
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
