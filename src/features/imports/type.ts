// The GraphQL types ContentImport and ImportWarning.
import type { ImportWarning as Warning } from "#src/features/imports/model/files.ts";
import type { Imported } from "#src/features/imports/commands/import-content.ts";
import { contentImports } from "#src/features/imports/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const ImportWarning = builder.objectRef<Warning>("ImportWarning").implement({
  description: "Something in imported files that was left out, or that leads nowhere.",
  fields: (t) => ({
    path: t.exposeString("path", { description: "The path of the file in the archive, or the address of the page." }),
    line: t.exposeInt("line", { nullable: true, description: "The line, from 1; null for the whole file." }),
    message: t.exposeString("message", { description: "What it is about." }),
  }),
});

export const ImportSource = defineEnum("ImportSource", "What is at an address that is imported.", {
  website:
    "A website: the page there, and all below its folder that its `robots.txt` allows, by links and site maps; at most 500 pages and 10 minutes.",
  markdown: "A Markdown file, or a ZIP archive of such files.",
  openapi:
    "An OpenAPI document. Where it is the address of a specification of the organization that the viewer sees, it becomes a page that is computed from that; " +
    "otherwise pages that can be edited.",
});

export const ImportState = defineEnum("ImportState", "The state of an import.", {
  pending: "It will begin.",
  running: "It goes on.",
  done: "Its revision is there.",
  failed: "It has ended with nothing written; `error` says why.",
  cancelled: "It was ended by somebody, with nothing written.",
});

/** What has come of an import, as it is kept with it; null as long as nothing has. */
const resultOf = (row: { result: unknown }) => row.result as Omit<Imported, "revisionId"> | null;

export const ContentImport = defineNode("ContentImport", contentImports, {
  description: "An import of what is at an address, which goes on by itself until it has ended.",
  fields: (t) => ({
    url: t.exposeString("url", { description: "The address." }),
    source: t.expose("source", { type: ImportSource, description: "What is there." }),
    state: t.expose("state", { type: ImportState, description: "Its state." }),
    found: t.exposeInt("found", { description: "Number of pages that are known so far." }),
    read: t.exposeInt("read", { description: "Number of pages that were read so far." }),
    written: t.exposeInt("written", { description: "Number of pages that were written: none before it is done." }),
    error: t.exposeString("error", { nullable: true, description: "Why it has failed; null unless it has." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was asked for." }),
    startedAt: t.expose("startedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was begun, the last time where a process ended meanwhile; null before.",
    }),
    endedAt: t.expose("endedAt", { type: "DateTime", nullable: true, description: "When it ended; null before." }),
    fileCount: t.valueOrNull(
      "Int",
      "Number of files that were imported; null unless it is done.",
      ["result"],
      (row) => resultOf(row)?.fileCount ?? null,
    ),
    linkCount: t.valueOrNull(
      "Int",
      "Number of links between its pages and files; null unless it is done.",
      ["result"],
      (row) => resultOf(row)?.linkCount ?? null,
    ),
    warnings: t.value(
      [ImportWarning],
      "Warnings about what was left out or leads nowhere, at most 1,000; empty unless it is done.",
      ["result"],
      (row) => resultOf(row)?.warnings ?? [],
    ),
    warningCount: t.valueOrNull(
      "Int",
      "Number of all warnings; null unless it is done.",
      ["result"],
      (row) => resultOf(row)?.warningCount ?? null,
    ),
  }),
});
