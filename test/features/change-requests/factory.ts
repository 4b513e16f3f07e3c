// Creates change requests for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { addRevision } from "#test/features/spaces/factory.ts";
import { nextInstant, type Rows } from "#test/support/rows.ts";

const lastNumbers = new Map<string, number>();

function nextNumberIn(spaceId: string): number {
  const number = (lastNumbers.get(spaceId) ?? 0) + 1;
  lastNumbers.set(spaceId, number);
  return number;
}

/**
 * An open change request with its own revision, based on the active revision of the space. Merged ones also get the
 * merge revision. Numbers count from 1 in each space.
 */
export function addChangeRequest(
  rows: Rows,
  given: {
    space: { id: string; revisionId: string };
    createdById: string;
  } & Partial<Prisma.ChangeRequestCreateManyInput>,
) {
  const { space, ...fields } = given;
  const number = fields.number ?? nextNumberIn(space.id);
  const createdAt = nextInstant();
  const id = fields.id ?? newId("ChangeRequest");
  const made = { spaceId: space.id, changeRequestId: id };
  const revision = addRevision(rows, { ...made, parents: [space.revisionId], authorId: given.createdById });
  const merged =
    fields.status === "merged" &&
    addRevision(rows, { spaceId: space.id, type: "merge", parents: [space.revisionId, revision.id] });
  return rows.add("ChangeRequest", {
    id,
    spaceId: space.id,
    number,
    status: "open",
    subject: `Change ${number}`,
    createdAt,
    updatedAt: createdAt,
    revisionId: revision.id,
    revisionInitialId: space.revisionId,
    revisionMergedId: merged ? merged.id : null,
    ...fields,
  });
}
