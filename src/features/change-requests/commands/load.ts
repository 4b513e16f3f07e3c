// Loads the change request that an input names, and locks it with the revisions to merge.
import { itemRoleColumns, type ItemRoleParts } from "#src/access/content.ts";
import { found } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import { project, type Projection } from "#src/db/reading/entity.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import {
  type ChangeRequestRow,
  changeRequests,
  changeRequestsOfSpace,
} from "#src/features/change-requests/reads/change-requests.ts";
import { type ChangeRequestPlace, type Head, lockChangeRequest } from "#src/features/content/commands/lock.ts";
import type { Sides } from "#src/features/content/model/merge/sides.ts";
import { type SpaceRow, spaces } from "#src/features/spaces/reads.ts";
import { namedBy } from "#src/features/content/reads/revisions.ts";

export interface LoadedChangeRequest {
  readonly changeRequestId: string;
  readonly place: ChangeRequestPlace;
  readonly createdById: string;
  readonly space: ItemRoleParts & { readonly id: string };
}

/** Finds a change request by its id or, in a path of /v1, by its number in the space. `own` must have `spaceId`. */
export async function findChangeRequest(
  context: Context,
  changeRequestId: string,
  { ofSpace, own }: { ofSpace: Projection; own: Projection },
): Promise<{ space: SpaceRow; row: ChangeRequestRow }> {
  const spaceId = context.path?.["spaceId"];
  if (spaceId === undefined) {
    const row = await context.reader.found(changeRequests, changeRequestId, own);
    return { space: await context.reader.found(spaces, row.spaceId, ofSpace), row };
  }
  const space = await context.reader.found(spaces, spaceId, ofSpace);
  const one = { key: namedBy(changeRequestId), projection: own };
  const row = await context.reader.pick(changeRequestsOfSpace, space, one);
  return { space, row: found(row, "change request") };
}

/** The change request with the columns that permissions depend on. Throws as {@link findChangeRequest} does. */
export async function loadChangeRequest(context: Context, changeRequestId: string): Promise<LoadedChangeRequest> {
  const { space, row } = await findChangeRequest(context, changeRequestId, { ofSpace: spaceColumns, own: ownColumns });
  const place = { organizationId: space.organizationId, spaceId: space.id, changeRequestId: row.id };
  return { changeRequestId: row.id, place, createdById: row.createdById, space };
}

const spaceColumns = project([...itemRoleColumns, "isAccessible"]);
const ownColumns = project(["createdById", "spaceId"]);

/** Ours is the change request, theirs the main content, base the last main revision that both contain. */
type Heads = Sides<Head>;
type Locking = { readonly withMain?: boolean; readonly evenArchived?: boolean };

/** Locks a change request as `lockChangeRequest` does, and returns the revisions read under the lock. */
export async function lockHeads(transaction: Transaction, place: ChangeRequestPlace, options: Locking): Promise<Heads> {
  const { spaceId } = place;
  const { revisionId: ours, baseId: base } = await lockChangeRequest(transaction, place, options);
  // Only a statement that starts after the lock was acquired sees the current main content.
  const rows = await transaction.$queryRaw<(Head & { isMain: boolean })[]>(
    sql`select r.id as "revisionId", r."treeHash", r."filesHash", r.variables, r."reusableContents", r."createdAt",
      r.id = s."revisionId" as "isMain" from "Space" s join "Revision" r on r.id in (s."revisionId", ${ours}, ${base}) where s.id = ${spaceId}`,
  );
  const byId = new Map(rows.map((row) => [row.revisionId, row]));
  const heads = { base: byId.get(base), ours: byId.get(ours), theirs: rows.find(({ isMain }) => isMain) };
  // Foreign keys guarantee that all three exist.
  if (!heads.base || !heads.ours || !heads.theirs) throw new Error(`${spaceId} misses a revision`);
  return { base: heads.base, ours: heads.ours, theirs: heads.theirs };
}
