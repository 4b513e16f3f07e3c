// The GraphQL types ContentImport and ImportWarning.
import type { ImportWarningKind as Kind, ImportWarning as Warning } from "#src/features/imports/model/warnings.ts";
import { errorCodeDescription } from "#src/base/errors.ts";
import type { Imported } from "#src/features/imports/commands/import-content.ts";
import { contentImports } from "#src/features/imports/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const ImportWarningKind = defineEnum("ImportWarningKind", "The kind of a warning of an import.", {
  omitted: "A file or a part of a page was left out.",
  link: "The target of a link, an embed or an include does not exist in the import; it stays as it was written.",
  converted: "Something was imported differently from how it was written.",
  frontMatter: "The front matter is not valid, or has values that a page cannot have.",
  contents: "The table of contents names something that cannot be a page, or does not name a page.",
});

export const ImportWarningCount = builder.objectRef<{ kind: Kind; count: number }>("ImportWarningCount").implement({
  description: "The number of warnings of one kind.",
  fields: (t) => ({
    kind: t.expose("kind", { type: ImportWarningKind, description: "Kind of the warnings." }),
    count: t.exposeInt("count", { description: "Their number, also of those that are not stored." }),
  }),
});

export const ImportWarning = builder.objectRef<Warning>("ImportWarning").implement({
  description: "A warning about a skipped part or a broken link in imported files.",
  fields: (t) => ({
    path: t.exposeString("path", { description: "Path of the file in the archive, or URL of the page." }),
    line: t.exposeInt("line", { nullable: true, description: "Line number, from 1; null for the whole file." }),
    message: t.exposeString("message", { description: "Text of the warning." }),
    kind: t.field({
      type: ImportWarningKind,
      description: "Kind of the warning.",
      resolve: ({ kind }: Partial<Warning>) => kind ?? "omitted", // older imports do not have it
    }),
  }),
});

export const ImportSource = defineEnum("ImportSource", "The kind of the source of an import from a URL.", {
  website:
    "A website: the page at the URL and the pages under its folder that links and site maps name and `robots.txt` allows; at most 500 pages and 10 minutes.",
  markdown: "A Markdown file, or a ZIP archive of such files.",
  openapi:
    "An OpenAPI document. If a specification of the organization that the viewer sees has this URL, the import creates a page computed from it, " +
    "otherwise editable pages.",
});

export const ImportState = defineEnum("ImportState", "The state of an import.", {
  pending: "Queued.",
  running: "Running.",
  done: "Succeeded; its revision exists.",
  failed: "Failed without any change; `error` has the reason.",
  cancelled: "Cancelled by a user without any change.",
});

/** The stored result of an import; null until it is done. */
const resultOf = (row: { result: unknown }) =>
  row.result as (Omit<Imported, "revisionId" | "warningCounts"> & Partial<Pick<Imported, "warningCounts">>) | null;

export const ContentImport = defineNode("ContentImport", contentImports, {
  description: "An import of a URL or an uploaded archive, which runs in the background.",
  fields: (t) => ({
    url: t.exposeString("url", { description: "Imported URL, or the name of the uploaded archive." }),
    source: t.expose("source", { type: ImportSource, description: "Kind of the source." }),
    state: t.expose("state", { type: ImportState, description: "State." }),
    found: t.exposeInt("found", { description: "Number of pages found so far." }),
    read: t.exposeInt("read", { description: "Number of pages read so far." }),
    written: t.exposeInt("written", { description: "Number of pages written; 0 until it is done." }),
    error: t.exposeString("error", { nullable: true, description: "Error message; null unless it failed." }),
    errorCode: t.exposeString("errorCode", {
      nullable: true,
      description: `${errorCodeDescription} Null unless it failed, and for imports of earlier releases.`,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Time of the request." }),
    startedAt: t.expose("startedAt", {
      type: "DateTime",
      nullable: true,
      description: "Time of the start, or of the last restart after a process terminated; null before.",
    }),
    endedAt: t.expose("endedAt", { type: "DateTime", nullable: true, description: "Time of the end; null before." }),
    fileCount: t.valueOrNull(
      "Int",
      "Number of imported files; null unless it is done.",
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
      "Warnings about skipped files and broken links, at most 10,000; empty unless it is done.",
      ["result"],
      (row) => resultOf(row)?.warnings ?? [],
    ),
    warningCounts: t.value(
      [ImportWarningCount],
      "Number of warnings of each kind, most first; empty unless it is done.",
      ["result"],
      (row) => resultOf(row)?.warningCounts ?? [],
    ),
    warningCount: t.valueOrNull(
      "Int",
      "Total number of warnings; null unless it is done.",
      ["result"],
      (row) => resultOf(row)?.warningCount ?? null,
    ),
  }),
});
