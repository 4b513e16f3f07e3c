// The change request that an input names, read for a viewer who sees it.
import { itemRoleColumns, type ItemRoleParts } from "#src/access/content.ts";
import { found } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { changeRequestsOfSpace, namedBy } from "#src/features/change-requests/reads/change-requests.ts";
import type { ChangeRequestPlace } from "#src/features/content/commands/lock.ts";
import { spaces } from "#src/features/spaces/reads.ts";

/** How an input names a change request: by its id or its number within the space. */
export interface NamedChangeRequest {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

export interface ChangeRequestInHand {
  readonly changeRequestId: string;
  readonly place: ChangeRequestPlace;
  readonly createdById: string;
  readonly space: ItemRoleParts & { readonly id: string };
}

/**
 * The change request with the columns that rights on it depend on. NOT_FOUND when the viewer does not see it, or not in
 * this space.
 */
export async function changeRequestInHand(context: Context, named: NamedChangeRequest): Promise<ChangeRequestInHand> {
  const space = await context.reader.found(spaces, named.spaceId, want([...itemRoleColumns, "isAccessible"]));
  const by = namedBy(named.changeRequestId);
  const { id, createdById } = found(
    await context.reader.pick(changeRequestsOfSpace, space, { key: by, wanted: want(["createdById"]) }),
    "change request",
  );
  const place = { organizationId: space.organizationId, spaceId: space.id, changeRequestId: id };
  return { changeRequestId: id, place, createdById, space };
}
