// GraphQL types of merge conflicts: the common interface, the sides, and an object type per kind.
import type { FieldMap } from "@pothos/core";
import { describeConflict } from "#src/features/change-requests/commands/conflicts.ts";
import { type ConflictInMerge, pageOnSide } from "#src/features/change-requests/reads/conflicts.ts";
import { type Conflict, textCheckOf } from "#src/features/content/model/merge/merging.ts";
import type { Side } from "#src/features/content/model/merge/sides.ts";
import { builder, type ObjectFields } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { Page } from "#src/features/content/type/page.ts";

export const ConflictSide = defineEnum("ConflictSide", "A side of a conflict, both in merges and in updates.", {
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
    "A conflict: a change request (ours) and the main content (theirs) made incompatible changes since their last common state (base). Resolve it with `resolveConflicts`.",
  resolveType: ({ conflict }) => typeNames[conflict.kind],
  fields: (t) => ({
    conflictId: t.value(
      "ID",
      "Id of the conflict, derived from all its fields except line numbers: it stays the same until one side changes again.",
      ({ conflict }) => conflict.id,
    ),
    message: t.value("String", "Description of the conflict in one sentence.", ({ conflict, merge }) =>
      describeConflict(conflict, merge),
    ),
    takesText: t.value(
      "Boolean",
      "Whether a text can resolve it as well as the choice of a side.",
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

/** `baseX`, `oursX` and `theirsX`: names differ by type, so that one selection can include several kinds. */
function eachSide<Field, Name extends string>(name: Name, make: (side: "base" | Side, where: string) => Field) {
  const fields = {
    [`base${name}`]: make("base", "the common base"),
    [`ours${name}`]: make("ours", "the change request"),
    [`theirs${name}`]: make("theirs", "the main content"),
  };
  return fields as Record<`${"base" | Side}${Name}`, Field>; // TypeScript widens computed names to string
}

const changedLines = (t: ObjectFields<ConflictOf<"document"> | ConflictOf<"reusable-document">>) => ({
  ...eachSide("Text", (side, where) =>
    t.string({
      description: `The lines in ${where}; empty if it has none.`,
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

/** The side that deleted; `choosing` describes the effect of choosing a side. */
const deletedBy = (
  t: ObjectFields<ConflictOf<"deleted-edited" | "reusable-deleted-edited" | "into-deleted">>,
  choosing: string,
) => t.value(ConflictSide, `The side that deleted it. ${choosing}`, ({ conflict }) => conflict.deletedBy);

type InMerge = Omit<ConflictInMerge, "conflict">;

const page = (t: ObjectFields<InMerge & { conflict: { page: string } }>) =>
  t.value(Page, "The page in the change request or, if it is not there, in the main content.", (of) =>
    pageOnSide(of, of.conflict.page),
  );

const parentIn = (of: InMerge, parent: string | null) => (parent === null ? null : pageOnSide(of, parent));

defineConflict("field", "Both set a field of a page to different values.", (t) => ({
  page: page(t),
  field: t.value(
    "String",
    "Name of the field, for example `title`, or of a part of it, for example `layout.width`.",
    ({ conflict }) => conflict.field,
  ),
  ...eachSide("Value", (side, where) =>
    t.valueOrNull("JSON", `Its value in ${where}; null if not set.`, ({ conflict }) => conflict[side]),
  ),
}));

defineConflict("document", "Both changed the same or adjacent lines of the text of a page.", (t) => ({
  page: page(t),
  ...changedLines(t),
}));

defineConflict("deleted-edited", "One side deleted a page that the other changed or moved.", (t) => ({
  page: page(t),
  deletedBy: deletedBy(t, "Choosing the other side restores it with its subpages."),
}));

defineConflict("both-moved", "Both moved a page, to different parents.", (t) => ({
  page: page(t),
  ...eachSide("Parent", (side, where) =>
    t.valueOrNull(Page, `Its parent in ${where}; null at the top level.`, (of) => parentIn(of, of.conflict[side])),
  ),
}));

defineConflict("into-deleted", "One side created or moved a page under a page that the other deleted.", (t) => ({
  page: page(t),
  deletedParent: t.value(Page, "The page that was deleted.", (of) => pageOnSide(of, of.conflict.parent)),
  deletedBy: deletedBy(
    t,
    "Choosing this side leaves the page where this side has it, or drops it if it is new; choosing the other side restores the parent.",
  ),
}));

defineConflict("cycle", "Together, the moves of both sides form a cycle of pages.", (t) => ({
  pages: t.field({
    type: [Page],
    description: "The pages. Choosing a side moves each of them to its position on that side.",
    resolve: (of, _args, context) => {
      context.reader.takeRows(of.conflict.pages.length);
      return of.conflict.pages.map((pageId) => pageOnSide(of, pageId));
    },
  }),
}));

defineConflict("slug", "Two pages with the same parent got the same slug.", (t) => ({
  slug: t.value("String", "The slug.", ({ conflict }) => conflict.slug),
  parent: t.valueOrNull(Page, "Parent of the pages; null at the top level.", (of) => parentIn(of, of.conflict.parent)),
  oursPage: t.value(Page, "The page with the slug in the change request. A text is its new slug.", (of) =>
    pageOnSide(of, of.conflict.ours, ["ours"]),
  ),
  theirsPage: t.value(
    Page,
    "The page with the slug in the main content. The chosen side keeps the slug, the other gets a number.",
    (of) => pageOnSide(of, of.conflict.theirs, ["theirs"]),
  ),
}));

defineConflict("order", "Both changed the order of the pages under one parent in contradictory ways.", (t) => ({
  parent: t.valueOrNull(Page, "The parent; null at the top level.", (of) => parentIn(of, of.conflict.page)),
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
    t.valueOrNull("String", `Its value in ${where}; null if not set.`, ({ conflict }) => conflict[side]),
  ),
}));

defineConflict("reusable-title", "Both gave a reusable content different titles.", (t) => ({
  reusableContentId: reusableContentId(t),
  ...eachSide("", (side, where) =>
    t.valueOrNull("String", `Its title in ${where}; null if not set.`, ({ conflict }) => conflict[side]),
  ),
}));

defineConflict("reusable-document", "Both changed the same lines of the text of a reusable content.", (t) => ({
  reusableContentId: reusableContentId(t),
  ...changedLines(t),
}));

defineConflict("reusable-deleted-edited", "One side deleted a reusable content that the other changed.", (t) => ({
  reusableContentId: reusableContentId(t),
  deletedBy: deletedBy(t, "Choosing the other side keeps it."),
}));
