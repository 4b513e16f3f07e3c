// The tests of permissions and tenants of one feature: its mutations are those of its deeds, and its routes are in the
// registry.
import { describe } from "vitest";
import { features } from "#src/features/index.ts";
import { deedsOf } from "#test/support/access/permission-cases.ts";
import { mutations, restOperation } from "#test/support/access/operations.ts";
import { describePermissions } from "#test/support/access/permissions.ts";
import { describeTenants } from "#test/support/access/tenant-table.ts";

/** Tests of the feature of this name, which is that of its folder. */
export async function describeAccess(name: string): Promise<void> {
  const routes = features.find((feature) => feature.name === name)?.routes ?? [];
  const deeds = await deedsOf(name);
  const names = new Set(deeds.map(({ mutation }) => mutation));
  const suites = [
    suite("permissions", () => describePermissions(deeds), deeds),
    suite("tenants", () => describeTenants(mutations(names)), deeds),
    suite("/v1", () => describeTenants(routes.map(restOperation)), routes),
  ];
  describe.each(suites.filter(({ cases }) => cases.length > 0))("$name", ({ run }) => {
    run();
  });
}

const suite = (name: string, run: () => void, cases: readonly unknown[]) => ({ name, run, cases });
