// What everybody tries with a collection in a collection, and the flags that stand for it.
import { permissionCasesInTree } from "#test/features/collections/tree-permission-cases.ts";
import type { PermissionCase } from "#test/support/access/fixture.ts";

export const permissionCases: readonly PermissionCase[] = permissionCasesInTree("Collection");
