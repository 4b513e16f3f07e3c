// The permission and tenant tests of one feature: its mutations come from its permission cases, its routes from the
// registry.
import { describe } from "vitest";
import { features } from "#src/features/index.ts";
import { permissionCasesOf } from "#test/support/access/permission-cases.ts";
import { mutations, restOperation } from "#test/support/access/operations.ts";
import { describePermissions } from "#test/support/access/permissions.ts";
import { describeTenants } from "#test/support/access/tenant-table.ts";

/** Defines the tests of the feature in the folder of this name. */
export async function describeAccess(name: string): Promise<void> {
  const routes = features.find((feature) => feature.name === name)?.routes ?? [];
  const cases = await permissionCasesOf(name);
  const names = new Set(cases.map(({ mutation }) => mutation));
  const suites = [
    suite("permissions", () => describePermissions(cases), cases),
    suite("tenants", () => describeTenants(mutations(names)), cases),
    suite("/v1", () => describeTenants(routes.map(restOperation)), routes),
  ];
  describe.each(suites.filter(({ cases }) => cases.length > 0))("$name", ({ run }) => {
    run();
  });
}

const suite = (name: string, run: () => void, cases: readonly unknown[]) => ({ name, run, cases });
