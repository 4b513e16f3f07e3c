// What everybody tries with a collection in a collection, and the flags that stand for it.
import { deedsInTree } from "#test/features/collections/tree-permission-cases.ts";
import type { Deed } from "#test/support/access/fixture.ts";

export const deeds: readonly Deed[] = deedsInTree("Collection");
