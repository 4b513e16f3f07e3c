// The GraphQL types that show how a text changed: line counts, and hunks of lines.
import { invalidInput } from "#src/base/errors.ts";
import type { DiffHunk as DiffHunkValue, DiffLine as DiffLineValue } from "#src/base/text/diff.ts";
import { countLines, hunkLineLimit, readHunks, type TextPair } from "#src/features/content/reads/changes.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

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

export const TextChange = builder.objectRef<TextPair>("TextChange").implement({
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
