// The input that says where a collection or space is placed among its siblings, the same in every move.
import { builder } from "#src/graph/builder.ts";
import { defineEnum } from "#src/graph/scalars.ts";

const ContentKind = defineEnum<"space" | "collection">("ContentKind", "What a collection contains.", {
  space: "A space.",
  collection: "A collection.",
});

const ContentAnchorInput = builder.inputType("ContentAnchorInput", {
  description: "A neighbour: give its kind, and its id in the field of that name.",
  fields: (t) => ({
    type: t.field({ type: ContentKind, required: true, description: "Whether it is a space or a collection." }),
    space: t.id({ description: "Id of the space." }),
    collection: t.id({ description: "Id of the collection." }),
  }),
});

export const ContentPositionInput = builder.inputType("ContentPositionInput", {
  description: "A place among the spaces and collections of one parent. Exactly one of `before` and `after`.",
  fields: (t) => ({
    before: t.field({ type: ContentAnchorInput, description: "Right before this one." }),
    after: t.field({ type: ContentAnchorInput, description: "Right after this one." }),
  }),
});
