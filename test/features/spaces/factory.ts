// Creates spaces and revisions for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { type Place, placeIn } from "#test/features/collections/factory.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** A revision of the content of a space, `edits` unless another type is given. */
export function addRevision(rows: Rows, given: { spaceId: string } & Partial<Prisma.RevisionCreateManyInput>) {
  return rows.add("Revision", { id: newId("Revision"), type: "edits", createdAt: nextInstant(), ...given });
}

/**
 * A space with its first revision: visible with the collection `parent`, or at the top of the organization private and
 * open to members, like a new space by default. If `private` is given it is closed to them.
 */
export function addSpace(
  rows: Rows,
  { parent, ...given }: { organizationId: string; parent?: Place } & Partial<Prisma.SpaceCreateManyInput>,
) {
  const id = given.id ?? newId("Space");
  const createdAt = nextInstant();
  return rows.add("Space", {
    title: `Space ${nextNumber()}`,
    emoji: "📘",
    visibility: parent ? "in_collection" : "private",
    openToMembers: !parent && given.visibility === undefined,
    revisionId: addRevision(rows, { spaceId: id, type: "initial" }).id,
    createdAt,
    updatedAt: createdAt,
    ...given,
    id,
    ...placeIn(given.organizationId, parent),
  });
}
