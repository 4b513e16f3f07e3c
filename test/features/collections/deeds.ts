// Permission cases of a collection in a collection, with their flags.
import { deedsInTree } from "#test/features/collections/tree-deeds.ts";
import type { Deed } from "#test/support/access/stage.ts";

export const deeds: readonly Deed[] = deedsInTree("Collection");
