// The GraphQL types of a diff: what differs between two revisions of a content, and how a text changed.
import { invalidInput } from "#src/base/errors.ts";
import type { DiffHunk as DiffHunkValue, DiffLine as DiffLineValue } from "#src/base/text/diff.ts";
import {
  type ContentChanges as ContentChangesValue,
  countChangedLines,
  countLines,
  hunkLineLimit,
  type PageChangeInRevisions,
  readHunks,
  type ReusableContentChange as ReusableContentChangeValue,
  textChange,
  type TextPair,
} from "#src/features/content/reads/changes.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { slicePage } from "#src/db/reading/page.ts";
import {
  type ChangeKind as ChangeKindValue,
  type FieldChange as FieldChangeValue,
  kindsOf,
} from "#src/features/content/model/changes.ts";
import { pageFilesMissingIn } from "#src/features/content/reads/files.ts";
import { pageIn } from "#src/features/content/reads/pages.ts";
import { namedRevisions, reusableContentIn } from "#src/features/content/reads/revisions.ts";
import { FileConnection } from "#src/features/content/type/file.ts";
import { Page } from "#src/features/content/type/page.ts";
import { ReusableContent } from "#src/features/content/type/revision.ts";
import { defineTexts } from "#src/graph/schema/flag-types.ts";
import { connectionOf, pageArguments } from "#src/graph/schema/nodes.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

const DiffLineKind = defineEnum("DiffLineKind", "How a line changed.", {
  context: "It is the same before and after.",
  added: "It is only in the later revision.",
  removed: "It is only in the earlier revision.",
});

const DiffLine = builder.objectRef<DiffLineValue>("DiffLine").implement({
  description: "One line of a hunk.",
  fields: (t) => ({
    kind: t.expose("kind", { type: DiffLineKind, description: "How the line changed." }),
    text: t.exposeString("text", {
      description: "The line with its line break, which the last one of a text may lack.",
    }),
  }),
});

const DiffHunk = builder.objectRef<DiffHunkValue>("DiffHunk").implement({
  description: "Lines that changed, with unchanged ones around them, as in a unified diff.",
  fields: (t) => ({
    beforeStart: t.exposeInt("beforeStart", {
      description: "Number of its first line before, from 1; of the line above where it has none there.",
    }),
    beforeLines: t.exposeInt("beforeLines", { description: "Number of its lines before: context and removed ones." }),
    afterStart: t.exposeInt("afterStart", {
      description: "Number of its first line after, from 1; of the line above where it has none there.",
    }),
    afterLines: t.exposeInt("afterLines", { description: "Number of its lines after: context and added ones." }),
    lines: t.expose("lines", { type: [DiffLine], description: "Its lines; where some were replaced, removed first." }),
  }),
});

/** The most unchanged lines around a change. */
const contextLimit = 100;

function checkContextLines(contextLines: number): number {
  if (contextLines >= 0 && contextLines <= contextLimit) return contextLines;
  throw invalidInput("contextLines", `must be from 0 to ${contextLimit}, and is ${contextLines}.`);
}

const TextChange = builder.objectRef<TextPair>("TextChange").implement({
  description:
    "How a text changed, line by line. A text that comes or goes is compared with an empty one. INVALID_INPUT where the comparisons of the operation take " +
    "more than five seconds.",
  fields: (t) => ({
    linesAdded: t.int({
      description: "Number of lines that were added.",
      resolve: async (pair, _args, context) => (await countLines(context, [pair])).added,
    }),
    linesRemoved: t.int({
      description: "Number of lines that were removed.",
      resolve: async (pair, _args, context) => (await countLines(context, [pair])).removed,
    }),
    hunks: t.field({
      type: [DiffHunk],
      nullable: true,
      description:
        `The changed lines, in order; null when there are more than ${hunkLineLimit} to show. Texts too far apart to be compared line by line ` +
        "are one hunk that replaces everything.",
      args: {
        contextLines: t.arg.int({
          required: true,
          defaultValue: 3,
          description: `How many unchanged lines to show before and after each change, 0 to ${contextLimit}.`,
        }),
      },
      resolve: (pair, { contextLines }, context) => readHunks(context, pair, checkContextLines(contextLines)),
    }),
  }),
});

const ChangeKind = defineEnum("ChangeKind", "How something changed between two revisions.", {
  created: "It is only in the later revision.",
  edited: "Its fields or its text changed.",
  moved: "Its place changed.",
  deleted: "It is only in the earlier revision.",
});

const PageMove = defineEnum("PageMove", "How a page was moved.", {
  parent: "To another parent.",
  order: "Among the pages of its parent.",
});

const FieldChange = builder.objectRef<FieldChangeValue>("FieldChange").implement({
  description: "A field of a page that is not the same.",
  fields: (t) => ({
    field: t.exposeString("field", {
      description: "Its name, with a dot before the name of a part: `title`, `layout.width`, `variables.version`.",
    }),
    before: t.expose("before", {
      type: "JSON",
      nullable: true,
      description: "Its value before; null where it was not set.",
    }),
    after: t.expose("after", {
      type: "JSON",
      nullable: true,
      description: "Its value after; null where it is not set.",
    }),
  }),
});

const aboutIndex = (when: string, how: string) =>
  `Its place among the pages of its parent ${when}, from 0; null for a page that was ${how}.`;

const PageChange = builder.objectRef<PageChangeInRevisions>("PageChange").implement({
  description:
    "A page that is not the same. It is not changed by what happens around it: another slug of a page above it changes its path alone, and no " +
    "page is moved by those that come and go before it.",
  fields: (t) => ({
    pageId: t.exposeID("pageId", { description: "Id of the page." }),
    kinds: t.field({
      type: [ChangeKind],
      description: "How it changed: one of these, or edited and moved.",
      resolve: kindsOf,
    }),
    before: t.valueOrNull(Page, "The page before; null for one that was created.", ({ before, between }) =>
      before && between.before ? pageIn(between.before, before.page) : null,
    ),
    after: t.valueOrNull(
      Page,
      "The page after; null for one that was deleted.",
      ({ after, between }) => after && pageIn(between.after, after.page),
    ),
    indexBefore: t.valueOrNull("Int", aboutIndex("before", "created"), ({ before }) => before?.index),
    indexAfter: t.valueOrNull("Int", aboutIndex("after", "deleted"), ({ after }) => after?.index),
    move: t.expose("move", {
      type: PageMove,
      nullable: true,
      description: "How it was moved; null when it was not. Of pages in a new order, as few as explain it are moved.",
    }),
    fields: t.expose("fields", {
      type: [FieldChange],
      description: "The fields that were edited; none for a page that was created or deleted.",
    }),
    text: t.valueOrNull(TextChange, "How its text changed; null when it did not.", ({ before, after }) =>
      textChange(before?.page, after?.page),
    ),
  }),
});

const PageChangeConnection = connectionOf(PageChange);

const VariableChange = defineTexts(
  "VariableChange",
  "A variable of the content that is not the same.",
  { name: "Its name." },
  { before: "Its value before; null for a new one.", after: "Its value after; null for one that was deleted." },
);

const ReusableContentChange = builder.objectRef<ReusableContentChangeValue>("ReusableContentChange").implement({
  description: "A text that pages share, and that is not the same.",
  fields: (t) => ({
    reusableContentId: t.exposeID("reusableContentId", { description: "Its id, the same in every revision." }),
    before: t.valueOrNull(
      ReusableContent,
      "The text before; null for a new one.",
      ({ reusableContentId, before, between }) =>
        before && between.before && reusableContentIn(between.before, reusableContentId, before),
    ),
    after: t.valueOrNull(
      ReusableContent,
      "The text after; null for one that was deleted.",
      ({ reusableContentId, after, between }) => after && reusableContentIn(between.after, reusableContentId, after),
    ),
    text: t.valueOrNull(TextChange, "How its text changed; null when it did not.", ({ before, after }) =>
      textChange(before, after),
    ),
  }),
});

const ContentChangeStats = builder.objectRef<ContentChangesValue>("ContentChangeStats").implement({
  description: "The size of a diff.",
  fields: (t) => {
    const count = (kind: ChangeKindValue, description: string) =>
      t.int({
        description,
        resolve: async (changes) => (await changes.pages()).filter((change) => kindsOf(change).includes(kind)).length,
      });
    const lines = (name: "added" | "removed", description: string) =>
      t.int({
        nullable: true,
        description: `${description} Null, with INVALID_INPUT, when the changed texts have more than 64 MB, or take more than five seconds to compare.`,
        resolve: async (changes, _args, context) => (await countChangedLines(context, changes))[name],
      });
    return {
      created: count("created", "Number of pages that were created."),
      edited: count("edited", "Number of pages that were edited, moved ones among them."),
      moved: count("moved", "Number of pages that were moved, edited ones among them."),
      deleted: count("deleted", "Number of pages that were deleted."),
      linesAdded: lines("added", "Number of lines that texts of pages and reusable contents have gained."),
      linesRemoved: lines("removed", "Number of lines that they have lost."),
    };
  },
});

export const ContentChanges = builder.objectRef<ContentChangesValue>("ContentChanges").implement({
  description: "A diff: what differs between two revisions of a space.",
  fields: (t) => ({
    revisionBeforeId: t.valueOrNull(
      "ID",
      "Id of the revision that is compared with; null where everything is new.",
      ({ before }) => before?.id,
    ),
    revisionAfterId: t.value("ID", "Id of the revision that is compared.", ({ after }) => after.id),
    revisionBefore: t.rowOrNull(
      namedRevisions,
      ({ before }) => before?.id ?? null,
      "The revision that is compared with; null where everything is new.",
    ),
    revisionAfter: t.row(namedRevisions, ({ after }) => after.id, "The revision that is compared."),
    stats: t.value(ContentChangeStats, "Its size.", (changes) => changes),
    pages: t.field({
      type: PageChangeConnection,
      description: "The pages that changed, in the order of the new tree, deleted ones where they were.",
      args: pageArguments,
      resolve: async (changes, args) => slicePage(await changes.pages(), ({ pageId }) => pageId, args),
    }),
    createdFiles: t.field({
      type: FileConnection,
      description: "The files that are only in the later revision, oldest first. Files never change: they come and go.",
      args: pageArguments,
      resolve: ({ before, after }, page, context, info) =>
        pageFilesMissingIn(context, before, after, { page, projection: projectionOf(info) }),
    }),
    deletedFiles: t.field({
      type: FileConnection,
      description: "The files that are only in the earlier revision, oldest first.",
      args: pageArguments,
      resolve: ({ before, after }, page, context, info) =>
        pageFilesMissingIn(context, after, before, { page, projection: projectionOf(info) }),
    }),
    variables: t.expose("variables", {
      type: [VariableChange],
      description: "The variables of the content that changed, by name.",
    }),
    reusableContents: t.expose("reusableContents", {
      type: [ReusableContentChange],
      description: "The texts that pages share and that changed, by id.",
    }),
  }),
});
