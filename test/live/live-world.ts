// The world of the proofs: five spaces, an admin, and another user.
import type pg from "pg";
import type { LiveWorld } from "#test/live/subscriber-group.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { createWorld, times } from "#test/support/world.ts";

export async function makeLiveWorld(pool: pg.Pool): Promise<LiveWorld & { readonly otherToken: string }> {
  const world = createWorld({ pool });
  const { admin, creator, organization } = await world.organization();
  const organizationId = organization.id;
  const spaces = await world.insert((rows) => times(5, () => addSpace(rows, { organizationId })));
  return { token: admin.token, otherToken: creator.token, organizationId, spaces: spaces.map(({ id }) => id) };
}
