// Permission cases of a collection in a collection, with their flags.
import { permissionCasesInTree } from "#test/features/collections/tree-permission-cases.ts";
import type { PermissionCase } from "#test/support/access/fixture.ts";

export const permissionCases: readonly PermissionCase[] = permissionCasesInTree("Collection");
