// Conflicts about what all pages refer to: variables and reusable contents.
import {
  changedLines,
  deletedBy,
  defineConflict,
  eachSide,
  type FieldsOf,
} from "#src/features/change-requests/type/conflict.ts";

const reusableContentId = <Shape extends { conflict: { reusableContent: string } }>(t: FieldsOf<Shape>) =>
  t.id({ description: "Id of the reusable content.", resolve: ({ conflict }) => conflict.reusableContent });

defineConflict("variable", "Both set a variable to different values.", (t) => ({
  name: t.value({ type: "String", description: "Name of the variable.", value: ({ conflict }) => conflict.name }),
  ...eachSide("", (side, where) =>
    t.string({
      nullable: true,
      description: `Its value in ${where}; null for none.`,
      resolve: ({ conflict }) => conflict[side],
    }),
  ),
}));

defineConflict("reusable-title", "Both gave a reusable content different titles.", (t) => ({
  reusableContentId: reusableContentId(t),
  ...eachSide("", (side, where) =>
    t.string({
      nullable: true,
      description: `Its title in ${where}; null for none.`,
      resolve: ({ conflict }) => conflict[side],
    }),
  ),
}));

defineConflict("reusable-document", "Both changed the same lines of the text of a reusable content.", (t) => ({
  reusableContentId: reusableContentId(t),
  ...changedLines(t),
}));

defineConflict("reusable-deleted-edited", "One deleted a reusable content that the other changed.", (t) => ({
  reusableContentId: reusableContentId(t),
  deletedBy: deletedBy(t, "Choosing the other keeps it."),
}));
