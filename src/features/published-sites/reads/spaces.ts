// Reads of the spaces of published sites: the rights of the viewer on them beside the site.
import { itemRoleColumns } from "#src/access/content.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { spacePermissions } from "#src/features/spaces/access.ts";
import { spaces } from "#src/features/spaces/reads.ts";

const rights = project(itemRoleColumns);

/** Whether the viewer may edit the content of a published space. */
export async function mayEditSpace({ viewer, reader }: Context, spaceId: string): Promise<boolean> {
  if (viewer.userId === "") return false; // a visitor without an account
  const space = await reader.row(spaces, spaceId, rights);
  return space !== null && spacePermissions(viewer, space).edit;
}
