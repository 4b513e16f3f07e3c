// What all conflicts have in common: the GraphQL interface, and the sides.
import type { FieldMap } from "@pothos/core";
import { describeConflict } from "#src/features/change-requests/commands/conflicts.ts";
import type { ConflictInMerge } from "#src/features/change-requests/reads/conflicts.ts";
import { textCheckOf } from "#src/features/content/model/merge/merging.ts";
import type { Conflict } from "#src/features/content/model/merge/conflicts.ts";
import type { Side } from "#src/features/content/model/merge/sides.ts";
import { builder, type ObjectFields } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const ConflictSide = defineEnum("ConflictSide", "A side of a conflict, in merges and in updates alike.", {
  ours: "The change request.",
  theirs: "The main content of its space.",
});

type Kind = Conflict["kind"];

/** The type of each kind. */
const typeNames: Readonly<Record<Kind, string>> = {
  field: "PageFieldConflict",
  document: "PageTextConflict",
  "deleted-edited": "PageDeletionConflict",
  "both-moved": "PageMoveConflict",
  "into-deleted": "PageParentConflict",
  cycle: "PageCycleConflict",
  slug: "PageSlugConflict",
  order: "PageOrderConflict",
  variable: "VariableConflict",
  "reusable-title": "ReusableContentTitleConflict",
  "reusable-document": "ReusableContentTextConflict",
  "reusable-deleted-edited": "ReusableContentDeletionConflict",
};

export const ChangeRequestConflict = builder.interfaceRef<ConflictInMerge>("ChangeRequestConflict").implement({
  description:
    "What a change request (ours) and the main content (theirs) both changed since the last state that they have in common (base), in incompatible ways. `resolveConflicts` settles it.",
  resolveType: ({ conflict }) => typeNames[conflict.kind],
  fields: (t) => ({
    conflictId: t.value(
      "ID",
      "Its id, made from everything that it shows except line numbers: it stays the same until one side changes there again.",
      ({ conflict }) => conflict.id,
    ),
    message: t.value("String", "What clashes, in a sentence.", ({ conflict, merge }) =>
      describeConflict(conflict, merge),
    ),
    takesText: t.value(
      "Boolean",
      "Whether a text can settle it, too, and not only the choice of a side.",
      ({ conflict }) => textCheckOf(conflict) !== undefined,
    ),
  }),
});

type ConflictOf<Name extends Kind> = ConflictInMerge<Extract<Conflict, { readonly kind: Name }>>;

/** Defines the type of a kind of conflict. */
export function defineConflict<Name extends Kind>(
  kind: Name,
  description: string,
  fields: (t: ObjectFields<ConflictOf<Name>>) => FieldMap,
): void {
  builder
    .objectRef<ConflictOf<Name>>(typeNames[kind])
    .implement({ description, interfaces: [ChangeRequestConflict], fields });
}

/**
 * A field for the base and for each side: `basePages`, `oursPages` and `theirsPages` where `name` is `Pages`; `where`
 * says in words where it is. What has another type gets another name: only so can one selection take fields of several
 * kinds of conflicts.
 */
export function eachSide<Field, Name extends string>(name: Name, make: (side: "base" | Side, where: string) => Field) {
  const fields = {
    [`base${name}`]: make("base", "what they have in common"),
    [`ours${name}`]: make("ours", "the change request"),
    [`theirs${name}`]: make("theirs", "the main content"),
  };
  return fields as Record<`${"base" | Side}${Name}`, Field>; // a computed name is any text to the compiler
}

/** The fields of conflicts about lines of a text. */
export const changedLines = (t: ObjectFields<ConflictOf<"document"> | ConflictOf<"reusable-document">>) => ({
  ...eachSide("Text", (side, where) =>
    t.string({
      description: `The lines in ${where}; empty where there are none.`,
      resolve: async ({ conflict }, _args, { reader }) => reader.handOut(conflict[side]),
    }),
  ),
  ...eachSide("Line", (side, where) =>
    t.value(
      "Int",
      `Number of the first of these lines in ${where}, from 1.`,
      ({ conflict }) => conflict[`${side}Line`],
    ),
  ),
});

/** Who deleted something; `choosing` says what becomes of it by the choice of a side. */
export const deletedBy = (
  t: ObjectFields<ConflictOf<"deleted-edited" | "reusable-deleted-edited" | "into-deleted">>,
  choosing: string,
) => t.value(ConflictSide, `Who deleted it. ${choosing}`, ({ conflict }) => conflict.deletedBy);
