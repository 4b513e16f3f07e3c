// The inputs and results of merging and updating change requests.
import { ConflictSide } from "#src/features/change-requests/type/conflict.ts";
import { builder } from "#src/graph/builder.ts";
import { defineEnum } from "#src/graph/scalars.ts";

export type MergeOutcomeValue = "merge" | "update" | "conflicts";

export const MergeOutcome = defineEnum<MergeOutcomeValue>("MergeOutcome", "The result of a merge or an update.", {
  merge: "The change request is merged into the main content.",
  update: "The change request has everything of the main content.",
  conflicts: "Nothing was changed: first the conflicts have to be settled.",
});

export const ConflictResolutionInput = builder.inputType("ConflictResolutionInput", {
  description: "How one conflict is settled: exactly one of `choice` and `text`.",
  fields: (t) => ({
    conflictId: t.id({ required: true, description: "Id of the conflict." }),
    choice: t.field({ type: ConflictSide, description: "The side that is taken." }),
    text: t.string({ description: "What is put there instead, where the conflict takes a text." }),
  }),
});
