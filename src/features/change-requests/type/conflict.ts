// Conflicts: the GraphQL interface that all have in common, the sides, and a type for each kind.
import type { FieldMap } from "@pothos/core";
import { describeConflict } from "#src/features/change-requests/commands/conflicts.ts";
import { type ConflictInMerge, pageOnSide } from "#src/features/change-requests/reads/conflicts.ts";
import { type Conflict, textCheckOf } from "#src/features/content/model/merge/merging.ts";
import type { Side } from "#src/features/content/model/merge/sides.ts";
import { builder, type ObjectFields } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { Page } from "#src/features/content/type/page.ts";

export const ConflictSide = defineEnum("ConflictSide", "A side of a conflict, in merges and in updates alike.", {
  ours: "The change request.",
  theirs: "The main content of its space.",
});

type Kind = Conflict["kind"];

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

function defineConflict<Name extends Kind>(
  kind: Name,
  description: string,
  fields: (t: ObjectFields<ConflictOf<Name>>) => FieldMap,
): void {
  builder
    .objectRef<ConflictOf<Name>>(typeNames[kind])
    .implement({ description, interfaces: [ChangeRequestConflict], fields });
}

/** `baseX`, `oursX` and `theirsX`: names differ by type, so that one selection can take several kinds of conflicts. */
function eachSide<Field, Name extends string>(name: Name, make: (side: "base" | Side, where: string) => Field) {
  const fields = {
    [`base${name}`]: make("base", "what they have in common"),
    [`ours${name}`]: make("ours", "the change request"),
    [`theirs${name}`]: make("theirs", "the main content"),
  };
  return fields as Record<`${"base" | Side}${Name}`, Field>; // a computed name is any text to the compiler
}

const changedLines = (t: ObjectFields<ConflictOf<"document"> | ConflictOf<"reusable-document">>) => ({
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
const deletedBy = (
  t: ObjectFields<ConflictOf<"deleted-edited" | "reusable-deleted-edited" | "into-deleted">>,
  choosing: string,
) => t.value(ConflictSide, `Who deleted it. ${choosing}`, ({ conflict }) => conflict.deletedBy);

type InMerge = Omit<ConflictInMerge, "conflict">;

const page = (t: ObjectFields<InMerge & { conflict: { page: string } }>) =>
  t.value(Page, "The page as the change request has it, or else as the main content has it.", (of) =>
    pageOnSide(of, of.conflict.page),
  );

const parentIn = (of: InMerge, parent: string | null) => (parent === null ? null : pageOnSide(of, parent));

defineConflict("field", "Both set a field of a page to different values.", (t) => ({
  page: page(t),
  field: t.value(
    "String",
    "Name of the field, such as `title`; `layout.width` is a part of one.",
    ({ conflict }) => conflict.field,
  ),
  ...eachSide("Value", (side, where) =>
    t.valueOrNull("JSON", `Its value in ${where}; null where it is not set.`, ({ conflict }) => conflict[side]),
  ),
}));

defineConflict("document", "Both changed the same lines of the text of a page, or lines beside each other.", (t) => ({
  page: page(t),
  ...changedLines(t),
}));

defineConflict("deleted-edited", "One deleted a page that the other changed or moved.", (t) => ({
  page: page(t),
  deletedBy: deletedBy(t, "Choosing the other brings it back with the pages below it."),
}));

defineConflict("both-moved", "Both moved a page, to different parents.", (t) => ({
  page: page(t),
  ...eachSide("Parent", (side, where) =>
    t.valueOrNull(Page, `Its parent in ${where}; null for the top.`, (of) => parentIn(of, of.conflict[side])),
  ),
}));

defineConflict("into-deleted", "One made a page below one that the other deleted, or moved it there.", (t) => ({
  page: page(t),
  deletedParent: t.value(Page, "The page that was deleted.", (of) => pageOnSide(of, of.conflict.parent)),
  deletedBy: deletedBy(
    t,
    "Choosing them leaves the page where they have it, which for a new one is nowhere; choosing the other brings the parent back.",
  ),
}));

defineConflict("cycle", "The moves of both together put pages below each other in a circle.", (t) => ({
  pages: t.field({
    type: [Page],
    description: "The pages. A side puts each of them back to where it has it.",
    resolve: (of, _args, context) => {
      context.reader.takeRows(of.conflict.pages.length);
      return of.conflict.pages.map((pageId) => pageOnSide(of, pageId));
    },
  }),
}));

defineConflict("slug", "Two pages came to the same slug beside each other.", (t) => ({
  slug: t.value("String", "The slug.", ({ conflict }) => conflict.slug),
  parent: t.valueOrNull(Page, "The page below which they are; null for the top.", (of) =>
    parentIn(of, of.conflict.parent),
  ),
  oursPage: t.value(Page, "The page that has it in the change request. A text is a new slug for this one.", (of) =>
    pageOnSide(of, of.conflict.ours, ["ours"]),
  ),
  theirsPage: t.value(
    Page,
    "The page that has it in the main content. The side that is chosen keeps it, the other gets a number.",
    (of) => pageOnSide(of, of.conflict.theirs, ["theirs"]),
  ),
}));

defineConflict("order", "Both put the pages below one parent in orders that contradict each other.", (t) => ({
  parent: t.valueOrNull(Page, "The parent; null for the top.", (of) => parentIn(of, of.conflict.page)),
  ...eachSide("Pages", (side, where) =>
    t.field({
      type: [Page],
      description: `The pages in the order of ${where}.`,
      resolve: (of, _args, context) => {
        context.reader.takeRows(of.conflict[side].length);
        return of.conflict[side].map((pageId) => pageOnSide(of, pageId, [side]));
      },
    }),
  ),
}));

const reusableContentId = (t: ObjectFields<{ conflict: { reusableContent: string } }>) =>
  t.value("ID", "Id of the reusable content.", ({ conflict }) => conflict.reusableContent);

defineConflict("variable", "Both set a variable to different values.", (t) => ({
  name: t.value("String", "Name of the variable.", ({ conflict }) => conflict.name),
  ...eachSide("", (side, where) =>
    t.valueOrNull("String", `Its value in ${where}; null for none.`, ({ conflict }) => conflict[side]),
  ),
}));

defineConflict("reusable-title", "Both gave a reusable content different titles.", (t) => ({
  reusableContentId: reusableContentId(t),
  ...eachSide("", (side, where) =>
    t.valueOrNull("String", `Its title in ${where}; null for none.`, ({ conflict }) => conflict[side]),
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
