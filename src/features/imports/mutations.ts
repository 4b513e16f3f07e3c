// The mutation that imports content.
import { contentTarget, revisionPayload } from "#src/features/content/mutations.ts";
import { importContent } from "#src/features/imports/commands/import-content.ts";
import { openUploadedZip } from "#src/features/imports/commands/zip.ts";
import { ImportWarning } from "#src/features/imports/type.ts";
import { defineMutation } from "#src/graph/mutations.ts";

defineMutation({
  name: "importContent",
  description:
    "Imports a ZIP archive of Markdown files into a content, as one revision, or not at all: `SUMMARY.md` gives the contents, or else the folders do; " +
    "links between the files lead to their pages and files. Sent as a multipart request (see `Upload`). Needs the role `edit`. CONFLICT as for " +
    "`editContent`; INVALID_INPUT, naming the file, for one that cannot be imported.",
  input: (t) => ({
    ...contentTarget(t),
    archive: t.field({ type: "Upload", required: true, description: "The archive." }),
    parentId: t.id({ description: "Id of the page below which the pages are put, last; the top when left out." }),
    replace: t.boolean({
      description:
        "Whether they replace all existing pages and files. A page at the path of an existing one continues that page.",
    }),
  }),
  run: ({ archive, contentOf, ...input }, context) =>
    importContent(context, { ...contentOf, ...input, open: () => openUploadedZip(archive) }),
  payload: (t) => ({
    ...revisionPayload(t),
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
