// The mutations that import content.
import { oneOf } from "#src/domain/input.ts";
import { contentTarget, revisionPayload } from "#src/features/content/mutations.ts";
import { checkImport, importContent } from "#src/features/imports/commands/import-content.ts";
import { openUploadedZip } from "#src/features/imports/commands/zip.ts";
import { cancelImport, importFromAddress, startImport } from "#src/features/imports/commands/start-import.ts";
import { contentImports, importsOfSpace } from "#src/features/imports/reads.ts";
import { ImportSource, ImportWarning } from "#src/features/imports/type.ts";
import { builder, type InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

const placing = (t: InputFields) => ({
  parentId: t.id({ description: "Id of the page below which the pages are put, last; the top when left out." }),
  replace: t.boolean({
    description:
      "Whether they replace all existing pages and files. A page at the path of an existing one continues that page.",
  }),
});

const address = (t: InputFields) => ({
  url: t.string({ required: true, extensions: limited({ format: "uri" }), description: "The address to import from." }),
  source: t.field({ type: ImportSource, required: true, description: "What is at the address." }),
});

const ImportAddressInput = builder.inputType("ImportAddressInput", {
  description: "An address to import from.",
  fields: address,
});

const ImportFromInput = builder.inputType("ImportFromInput", {
  description: "Where an import comes from: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    archive: t.field({ type: "Upload", description: "A ZIP archive of Markdown files." }),
    address: t.field({ type: ImportAddressInput, description: "An address, and what is there." }),
  }),
});

defineMutation({
  name: "importContent",
  description:
    "Imports a ZIP archive of Markdown files, or what is at an address, into a content, as one revision, or not at all. In archives `SUMMARY.md` gives the " +
    "contents, or else the folders do, and in websites their navigation; links between the files lead to their pages and files. An archive is sent as a " +
    "multipart request (see `Upload`). Needs the role `edit`. CONFLICT as for `editContent`, and when what is at an address takes longer than a minute: " +
    "the details have the id of the import, which goes on (see `startImport`). INVALID_INPUT, naming the file, for one that cannot be imported.",
  input: (t) => ({
    ...contentTarget(t),
    from: t.field({ type: ImportFromInput, required: true, description: "Where it comes from." }),
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
      description: "Number of pages and files that were imported.",
    }),
    totalResources: t.exposeInt("totalResources", {
      description: "Number of pages and files that were found, those that could not be imported among them.",
    }),
    pageCount: t.exposeInt("pageCount", { description: "Number of pages that were imported." }),
    fileCount: t.exposeInt("fileCount", {
      description: "Number of files that were imported: those that pages link to.",
    }),
    linkCount: t.exposeInt("linkCount", { description: "Number of links between them." }),
    warnings: t.value(
      [ImportWarning],
      "Warnings about what was left out or leads nowhere, at most 1,000.",
      ({ warnings }) => warnings,
    ),
    warningCount: t.exposeInt("warningCount", { description: "Number of all warnings." }),
  }),
});

defineMutation({
  name: "startImport",
  description:
    "Starts an import of what is at an address into a content, and answers at once: it goes on by itself, and `importEvents` tells how far it is. It ends " +
    "with one revision, or with nothing written. Needs the role `edit`. CONFLICT as for `editContent`; RATE_LIMITED while five imports of the viewer go on.",
  input: (t) => ({ ...contentTarget(t), ...address(t), ...placing(t) }),
  run: async ({ contentOf, ...input }, context) => {
    const { id, ended } = await startImport(context, { ...contentOf, ...input });
    ended.catch(() => {}); // it is kept with the import
    return { id };
  },
  payload: createdPayload("import", importsOfSpace, { description: "The import.", in: "Space.imports" }),
});

defineMutation({
  name: "cancelImport",
  description:
    "Cancels an import that has not ended: nothing of it is written. Needs the role `edit` on its space. CONFLICT for one that has ended.",
  input: (t) => ({ importId: t.id({ required: true, description: "Id of the import." }) }),
  run: (input, context) => cancelImport(context, input),
  payload: rowPayload("import", contentImports, "The import."),
});
