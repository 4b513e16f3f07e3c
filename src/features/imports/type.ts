// The GraphQL type ImportWarning.
import type { ImportWarning as Warning } from "#src/features/imports/model/files.ts";
import { builder } from "#src/graph/builder.ts";

export const ImportWarning = builder.objectRef<Warning>("ImportWarning").implement({
  description: "Something in imported files that was left out, or that leads nowhere.",
  fields: (t) => ({
    path: t.exposeString("path", { description: "The path of the file in the archive." }),
    line: t.exposeInt("line", { nullable: true, description: "The line, from 1; null for the whole file." }),
    message: t.exposeString("message", { description: "What it is about." }),
  }),
});
