// The change request that an input names, in the hands of a viewer who sees it.
import { found } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { findChangeRequestIn, namedBy } from "#src/features/change-requests/reads/change-requests.ts";
import { type SpaceRoleParts, spaceRoleColumns } from "#src/features/spaces/access.ts";
import { findSpace } from "#src/features/spaces/reads.ts";

/** How an input names a change request: by its id or its number within the space. */
export interface NamedChangeRequest {
  readonly spaceId: string;
  readonly changeRequestId: string;
}

export interface ChangeRequestInHand {
  readonly changeRequestId: string;
  readonly createdById: string;
  readonly space: SpaceRoleParts & { readonly id: string };
}

/** The change request with what decides over rights. NOT_FOUND when the viewer does not see it, or not in this space. */
export async function changeRequestInHand(context: Context, named: NamedChangeRequest): Promise<ChangeRequestInHand> {
  const space = found(await findSpace(context, named.spaceId, want([...spaceRoleColumns, "isAccessible"])), "space");
  const by = namedBy(named.changeRequestId);
  const { id, createdById } = found(
    await findChangeRequestIn(context, space, by, want(["createdById"])),
    "change request",
  );
  return { changeRequestId: id, createdById, space };
}
