// What everybody tries with a collection in a collection, and the flags that stand for it.
import { deedsInTree } from "#test/features/collections/tree-deeds.ts";
import type { Deed } from "#test/support/access/stage.ts";

export const deeds: readonly Deed[] = deedsInTree("Collection");
