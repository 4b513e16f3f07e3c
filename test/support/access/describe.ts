// The tests of permissions and tenants of one feature: its mutations are those of its deeds, and its routes are in the
// registry.
import { describe } from "vitest";
import { features } from "#src/features/index.ts";
import { deedsOf } from "#test/support/access/deeds.ts";
import { mutations, restOperation } from "#test/support/access/operations.ts";
import { describePermissions } from "#test/support/access/permissions.ts";
import { describeTenants } from "#test/support/access/tenant-table.ts";

/** Tests of the feature of this name, which is that of its folder. */
export async function describeAccess(name: string): Promise<void> {
  const routes = features.find((feature) => feature.name === name)?.routes ?? [];
  const deeds = await deedsOf(name);
  const names = new Set(deeds.map(({ mutation }) => mutation));
  if (deeds.length > 0) describe("permissions", () => describePermissions(deeds));
  if (names.size > 0) describe("tenants", () => describeTenants(mutations(names)));
  if (routes.length > 0) describe("/v1", () => describeTenants(routes.map(restOperation)));
}
