// Mutations that import content.
import { oneOf } from "#src/domain/input.ts";
import { contentTarget, revisionPayload } from "#src/features/content/mutations.ts";
import { checkImport, importContent } from "#src/features/imports/commands/import-content.ts";
import { openUploadedZip } from "#src/features/imports/commands/zip.ts";
import {
  cancelImport,
  importFromAddress,
  startArchiveImport,
  startImport,
} from "#src/features/imports/commands/start-import.ts";
import { contentImports, importsOfSpace } from "#src/features/imports/reads.ts";
import { ImportSource, ImportWarning, ImportWarningCount } from "#src/features/imports/type.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

const placing = (t: InputFields) => ({
  parentId: t.id({
    description: "Id of the parent page, to which the imported pages are appended; by default the top level.",
  }),
  replace: t.boolean({
    description:
      "True replaces all existing pages and files; a page with the path of an existing one keeps its id. False by default.",
  }),
});

const address = (t: InputFields) => ({
  url: t.string({ required: true, extensions: limited({ format: "uri" }), description: "URL to import." }),
  source: t.field({ type: ImportSource, required: true, description: "Kind of the source." }),
});

const ImportAddressInput = builder.inputType("ImportAddressInput", {
  description: "A URL to import.",
  fields: address,
});

const ImportFromInput = builder.inputType("ImportFromInput", {
  description: "The source of an import: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    archive: t.field({ type: "Upload", description: "A ZIP archive of Markdown files." }),
    address: t.field({ type: ImportAddressInput, description: "A URL and the kind of its content." }),
  }),
});

defineMutation({
  name: "importContent",
  description:
    "Imports a ZIP archive of Markdown files, or a URL, into a content, as one revision or not at all. The table of contents of an archive comes from its `SUMMARY.md`, " +
    "the files of Docusaurus, MkDocs and other tools, or its folders, that of a website from its navigation; links between files become links between pages. An archive requires a " +
    "multipart request (see `Upload`). Files that cannot be imported are left out with a warning. Requires the role `edit`. CONFLICT as for `editContent`, and if the import of a URL takes longer than a minute: it " +
    "continues, and the details have its id (see `startImport`). INVALID_INPUT if the archive cannot be read or has no pages.",
  input: (t) => ({
    ...contentTarget(t),
    from: t.field({ type: ImportFromInput, required: true, description: "Source of the import." }),
    ...placing(t),
  }),
  run: ({ from, contentOf, ...rest }, context) => {
    const input = { ...contentOf, ...rest };
    const [by, given] = oneOf("from", { archive: from.archive, address: from.address });
    if (by === "address") return importFromAddress(context, { ...input, ...given });
    return importContent(context, { ...input, open: () => openUploadedZip(given) });
  },
  checkBeforeFiles: ({ from, contentOf, ...rest }, context) =>
    checkImport(context, { ...contentOf, ...rest }, from.archive ?? null),
  payload: (t) => ({
    ...revisionPayload(t),
    importedResources: t.exposeInt("importedResources", {
      description: "Number of imported pages and files.",
    }),
    totalResources: t.exposeInt("totalResources", {
      description: "Number of pages and files found, including those that could not be imported.",
    }),
    pageCount: t.exposeInt("pageCount", { description: "Number of imported pages." }),
    fileCount: t.exposeInt("fileCount", {
      description: "Number of imported files: those that pages link to.",
    }),
    linkCount: t.exposeInt("linkCount", { description: "Number of links between the imported pages and files." }),
    warnings: t.value(
      [ImportWarning],
      "Warnings about skipped files and broken links, at most 10,000.",
      ({ warnings }) => warnings,
    ),
    warningCounts: t.value(
      [ImportWarningCount],
      "Number of warnings of each kind, most first.",
      ({ warningCounts }) => warningCounts,
    ),
    warningCount: t.exposeInt("warningCount", { description: "Total number of warnings." }),
  }),
});

defineMutation({
  name: "startImport",
  description:
    "Starts an import of a URL into a content, and returns immediately. The import runs in the background and reports its progress by `importEvents`. It writes " +
    "one revision or nothing. Requires the role `edit`. CONFLICT as for `editContent`; RATE_LIMITED while five imports of the viewer are running.",
  input: (t) => ({ ...contentTarget(t), ...address(t), ...placing(t) }),
  run: async ({ contentOf, ...input }, context) => {
    const { id, ended } = await startImport(context, { ...contentOf, ...input });
    ended.catch(() => {}); // the error is stored with the import
    return { id };
  },
  payload: createdPayload("import", importsOfSpace, { description: "The import.", in: "Space.imports" }),
});

defineMutation({
  name: "startArchiveImport",
  description:
    "Starts an import of a ZIP archive of Markdown files into a content, and returns when the archive is stored. Everything else is as for `startImport`. Requires a multipart request (see `Upload`).",
  input: (t) => ({
    ...contentTarget(t),
    archive: t.field({ type: "Upload", required: true, description: "A ZIP archive of Markdown files." }),
    ...placing(t),
  }),
  run: async ({ contentOf, ...input }, context) => {
    const { id, ended } = await startArchiveImport(context, { ...contentOf, ...input });
    ended.catch(() => {}); // the error is stored with the import
    return { id };
  },
  checkBeforeFiles: ({ contentOf, archive, ...input }, context) =>
    checkImport(context, { ...contentOf, ...input }, archive),
  payload: createdPayload("import", importsOfSpace, { description: "The import.", in: "Space.imports" }),
});

defineMutation({
  name: "cancelImport",
  description:
    "Cancels an import, which then writes nothing. Requires the role `edit` on its space. CONFLICT if the import has ended.",
  input: (t) => ({ importId: t.id({ required: true, description: "Id of the import." }) }),
  run: (input, context) => cancelImport(context, input),
  payload: rowPayload("import", contentImports, "The import."),
});
