// The kinds of conflicts: about pages, and about what all pages refer to; their fields and texts.
import { type ConflictInMerge, pageOnSide } from "#src/features/change-requests/reads/conflicts.ts";
import { changedLines, defineConflict, deletedBy, eachSide } from "#src/features/change-requests/type/conflict.ts";
import { Page } from "#src/features/content/type/page.ts";
import type { ObjectFields } from "#src/graph/schema/builder.ts";

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
