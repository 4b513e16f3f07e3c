// GraphQL types of diffs: the changes between two revisions of a content, and the changed lines of texts.
import { invalidInput } from "#src/base/errors.ts";
import type { DiffLine as DiffLineValue } from "#src/base/text/diff.ts";
import {
  type ChangedText,
  type ContentChanges as ContentChangesValue,
  countChangedLines,
  countLines,
  hunkLineLimit,
  type PageChangeInRevisions,
  type PlacedHunk,
  readHunks,
  type ReusableContentChange as ReusableContentChangeValue,
  textChange,
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
  context: "Unchanged.",
  added: "Only in the later revision.",
  removed: "Only in the earlier revision.",
});

const DiffLine = builder.objectRef<DiffLineValue>("DiffLine").implement({
  description: "One line of a hunk.",
  fields: (t) => ({
    kind: t.expose("kind", { type: DiffLineKind, description: "How the line changed." }),
    text: t.exposeString("text", {
      description: "The line with its line break; the last line of a text may have none.",
    }),
  }),
});

export const DiffHunk = builder.objectRef<PlacedHunk>("DiffHunk").implement({
  description: "Changed lines with surrounding unchanged ones, as in a unified diff.",
  fields: (t) => ({
    beforeStart: t.exposeInt("beforeStart", {
      description:
        "Number of its first line in the earlier text, from 1; if it has no lines there, that of the preceding line.",
    }),
    beforeLines: t.exposeInt("beforeLines", {
      description: "Number of its lines in the earlier text: context and removed lines.",
    }),
    afterStart: t.exposeInt("afterStart", {
      description:
        "Number of its first line in the later text, from 1; if it has no lines there, that of the preceding line.",
    }),
    afterLines: t.exposeInt("afterLines", {
      description: "Number of its lines in the later text: context and added lines.",
    }),
    lines: t.expose("lines", {
      type: [DiffLine],
      description: "Lines of the hunk; removed lines precede the added ones that replace them.",
    }),
  }),
});

/** Maximum number of unchanged lines around a change. */
const contextLimit = 100;

function checkContextLines(contextLines: number): number {
  if (contextLines >= 0 && contextLines <= contextLimit) return contextLines;
  throw invalidInput("contextLines", `must be from 0 to ${contextLimit}, and is ${contextLines}.`);
}

const TextChange = builder.objectRef<ChangedText>("TextChange").implement({
  description:
    "The changes of a text, line by line. A new or deleted text is compared with an empty one. INVALID_INPUT if the comparisons of the operation take " +
    "more than five seconds.",
  fields: (t) => ({
    linesAdded: t.int({
      description: "Number of added lines.",
      resolve: async (pair, _args, context) => (await countLines(context, [pair])).added,
    }),
    linesRemoved: t.int({
      description: "Number of removed lines.",
      resolve: async (pair, _args, context) => (await countLines(context, [pair])).removed,
    }),
    hunks: t.field({
      type: [DiffHunk],
      nullable: true,
      description:
        `The changed lines, in order; null if they have more than ${hunkLineLimit} lines. Texts that differ too much for a comparison by line ` +
        "are one hunk that replaces the whole text.",
      args: {
        contextLines: t.arg.int({
          required: true,
          defaultValue: 3,
          description: `Number of unchanged lines before and after each change, 0 to ${contextLimit}.`,
        }),
      },
      resolve: (pair, { contextLines }, context) => readHunks(context, pair, checkContextLines(contextLines)),
    }),
  }),
});

const ChangeKind = defineEnum("ChangeKind", "The kind of a change between two revisions.", {
  created: "Only in the later revision.",
  edited: "Its fields or its text changed.",
  moved: "Its parent or its order changed.",
  deleted: "Only in the earlier revision.",
});

const PageMove = defineEnum("PageMove", "How a page was moved.", {
  parent: "To another parent.",
  order: "Among the pages of its parent.",
});

const FieldChange = builder.objectRef<FieldChangeValue>("FieldChange").implement({
  description: "A changed field of a page.",
  fields: (t) => ({
    field: t.exposeString("field", {
      description: "Name of the field or, after a dot, of a part of it: `title`, `layout.width`, `variables.version`.",
    }),
    before: t.expose("before", {
      type: "JSON",
      nullable: true,
      description: "Its earlier value; null if it was not set.",
    }),
    after: t.expose("after", {
      type: "JSON",
      nullable: true,
      description: "Its later value; null if it is not set.",
    }),
  }),
});

const aboutIndex = (when: string, how: string) =>
  `Its ${when} position among the pages of its parent, from 0; null if the page was ${how}.`;

const PageChange = builder.objectRef<PageChangeInRevisions>("PageChange").implement({
  description:
    "A changed page. Changes of other pages do not count: a new slug of an ancestor changes only its path, and added or deleted " +
    "siblings do not move it.",
  fields: (t) => ({
    pageId: t.exposeID("pageId", { description: "Id of the page." }),
    kinds: t.field({
      type: [ChangeKind],
      description: "Kinds of its change: one, or edited and moved.",
      resolve: kindsOf,
    }),
    before: t.valueOrNull(Page, "The page in the earlier revision; null if it was created.", ({ before, between }) =>
      before && between.before ? pageIn(between.before, before.page) : null,
    ),
    after: t.valueOrNull(
      Page,
      "The page in the later revision; null if it was deleted.",
      ({ after, between }) => after && pageIn(between.after, after.page),
    ),
    indexBefore: t.valueOrNull("Int", aboutIndex("earlier", "created"), ({ before }) => before?.index),
    indexAfter: t.valueOrNull("Int", aboutIndex("later", "deleted"), ({ after }) => after?.index),
    move: t.expose("move", {
      type: PageMove,
      nullable: true,
      description:
        "How it was moved; null if it was not. A new order of pages is explained with the fewest possible moves.",
    }),
    fields: t.expose("fields", {
      type: [FieldChange],
      description: "The changed fields; empty for a created or deleted page.",
    }),
    text: t.valueOrNull(TextChange, "The change of its text; null if it did not change.", (change) =>
      textChange(change.before?.page, change.after?.page, change),
    ),
  }),
});

const PageChangeConnection = connectionOf(PageChange);

const VariableChange = defineTexts(
  "VariableChange",
  "A changed variable of the content.",
  { name: "Its name." },
  { before: "Its earlier value; null if it is new.", after: "Its later value; null if it was deleted." },
);

const ReusableContentChange = builder.objectRef<ReusableContentChangeValue>("ReusableContentChange").implement({
  description: "A changed reusable content.",
  fields: (t) => ({
    reusableContentId: t.exposeID("reusableContentId", { description: "Its id, the same in every revision." }),
    before: t.valueOrNull(
      ReusableContent,
      "The earlier reusable content; null if it is new.",
      ({ reusableContentId, before, between }) =>
        before && between.before && reusableContentIn(between.before, reusableContentId, before),
    ),
    after: t.valueOrNull(
      ReusableContent,
      "The later reusable content; null if it was deleted.",
      ({ reusableContentId, after, between }) => after && reusableContentIn(between.after, reusableContentId, after),
    ),
    text: t.valueOrNull(TextChange, "The change of its text; null if it did not change.", (change) =>
      textChange(change.before, change.after, change),
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
        description: `${description} Null with INVALID_INPUT if the changed texts have more than 64 MB, or take more than five seconds to compare.`,
        resolve: async (changes, _args, context) => (await countChangedLines(context, changes))[name],
      });
    return {
      created: count("created", "Number of created pages."),
      edited: count("edited", "Number of edited pages, including those that were also moved."),
      moved: count("moved", "Number of moved pages, including those that were also edited."),
      deleted: count("deleted", "Number of deleted pages."),
      linesAdded: lines("added", "Number of lines added to texts of pages and reusable contents."),
      linesRemoved: lines("removed", "Number of lines removed from texts of pages and reusable contents."),
    };
  },
});

export const ContentChanges = builder.objectRef<ContentChangesValue>("ContentChanges").implement({
  description: "A diff between two revisions of a space.",
  fields: (t) => ({
    revisionBeforeId: t.valueOrNull(
      "ID",
      "Id of the earlier revision; null if the later one is compared with an empty content.",
      ({ before }) => before?.id,
    ),
    revisionAfterId: t.value("ID", "Id of the later revision.", ({ after }) => after.id),
    revisionBefore: t.rowOrNull(
      namedRevisions,
      ({ before }) => before?.id ?? null,
      "The earlier revision; null if the later one is compared with an empty content.",
    ),
    revisionAfter: t.row(namedRevisions, ({ after }) => after.id, "The later revision."),
    stats: t.value(ContentChangeStats, "Size of the diff.", (changes) => changes),
    pages: t.field({
      type: PageChangeConnection,
      description: "Changed pages in the order of the new tree; deleted pages follow the page that preceded them.",
      args: pageArguments,
      resolve: async (changes, args) => slicePage(await changes.pages(), ({ pageId }) => pageId, args),
    }),
    createdFiles: t.field({
      type: FileConnection,
      description:
        "Files only in the later revision, oldest first. A replaced file is also in `deletedFiles`, as it was.",
      args: pageArguments,
      resolve: ({ before, after }, page, context, info) =>
        pageFilesMissingIn(context, before, after, { page, projection: projectionOf(info) }),
    }),
    deletedFiles: t.field({
      type: FileConnection,
      description: "Files only in the earlier revision, oldest first.",
      args: pageArguments,
      resolve: ({ before, after }, page, context, info) =>
        pageFilesMissingIn(context, after, before, { page, projection: projectionOf(info) }),
    }),
    variables: t.expose("variables", {
      type: [VariableChange],
      description: "Changed variables of the content, by name.",
    }),
    reusableContents: t.expose("reusableContents", {
      type: [ReusableContentChange],
      description: "Changed reusable contents, by id.",
    }),
  }),
});
