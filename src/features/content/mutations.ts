// Mutations on content.
import { found } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import { editContent, restoreRevision } from "#src/features/content/commands/edit.ts";
import { importContent } from "#src/features/content/commands/import/import-content.ts";
import { openUploadedZip } from "#src/features/content/commands/import/zip.ts";
import { uploadFile } from "#src/features/content/commands/upload.ts";
import { findFile } from "#src/features/content/reads/files.ts";
import { findRevision } from "#src/features/content/reads/revisions.ts";
import { File } from "#src/features/content/type/file.ts";
import { ImportWarning } from "#src/features/content/type/import-warning.ts";
import { ContentEditInput } from "#src/features/content/type/input.ts";
import { Revision } from "#src/features/content/type/revision.ts";
import type { GraphTypes } from "#src/graph/builder.ts";
import { defineMutation } from "#src/graph/mutations.ts";
import { wantedRows } from "#src/graph/selection.ts";

type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;
type InputFields = PothosSchemaTypes.InputFieldBuilder<Types, "InputObject">;
type PayloadFields<Done extends { revisionId: string }> = PothosSchemaTypes.ObjectFieldBuilder<Types, Done>;

const target = (t: InputFields) => ({
  spaceId: t.id({
    description: "Id of the space whose main content it is. Exactly one of this and `changeRequestId`.",
  }),
  changeRequestId: t.id({ description: "Id of the change request whose content it is, a draft or open one." }),
  expectedRevision: t.id({
    description:
      "Id of the revision that the client has seen. CONFLICT, naming the current one, when the content has moved on.",
  }),
  message: t.string({ description: "What to say of it, at most 500 characters." }),
});

const payload = <Done extends { revisionId: string }>(t: PayloadFields<Done>) => ({
  revision: t.field({
    type: Revision,
    description: "The revision that is now active: the one before where nothing has changed.",
    resolve: async ({ revisionId }, _args, context, info) =>
      found(await findRevision(context, revisionId, wantedRows(info, "Revision")), "revision"),
  }),
});

defineMutation({
  name: "editContent",
  description:
    "Edits content: all edits, one after the other, become one revision, or none does. Needs the role `edit`. CONFLICT for the main content of a " +
    "locked space, and for a change request that is archived or merged.",
  input: (t) => ({
    ...target(t),
    edits: t.field({ type: [ContentEditInput], description: "What to do, in this order; at most 1,000." }),
  }),
  run: (input, context) => editContent(context, input),
  payload,
});

defineMutation({
  name: "uploadFile",
  description:
    "Adds a file to a content, as one revision. Sent as a multipart request (see `Upload`), with at most 10 files of 25 MB unless the gateway is told " +
    "otherwise; TOO_LARGE beyond. Needs the role `edit`. CONFLICT as for `editContent`.",
  input: (t) => ({
    ...target(t),
    file: t.field({ type: "Upload", required: true, description: "The file." }),
    name: t.string({
      description:
        "Its name, 1 to 200 characters without `/` and `\\`; the name that comes with the file when left out.",
    }),
  }),
  run: (input, context) => uploadFile(context, input),
  payload: (t) => ({
    ...payload(t),
    file: t.field({
      type: File,
      description: "The new file.",
      resolve: async ({ revisionId, fileId }, _args, context, info) => {
        const revision = found(await findRevision(context, revisionId, want(["filesHash"])), "revision");
        return found(await findFile(context, revision, fileId, wantedRows(info, "File")), "file");
      },
    }),
  }),
});

defineMutation({
  name: "importContent",
  description:
    "Imports a ZIP archive of Markdown files into a content, as one revision, or not at all: `SUMMARY.md` gives the contents, or else the folders do; " +
    "links between the files lead to their pages and files. Sent as a multipart request (see `Upload`). Needs the role `edit`. CONFLICT as for " +
    "`editContent`; INVALID_INPUT, naming the file, for one that cannot be imported.",
  input: (t) => ({
    ...target(t),
    archive: t.field({ type: "Upload", required: true, description: "The archive." }),
    parentId: t.id({ description: "Id of the page below which the pages are put, last; the top when left out." }),
    replace: t.boolean({
      description:
        "Whether they take the place of all pages and files that are there. A page at the path of one that was there goes on as that page.",
    }),
  }),
  run: ({ archive, ...input }, context) => importContent(context, { ...input, open: () => openUploadedZip(archive) }),
  payload: (t) => ({
    ...payload(t),
    pageCount: t.exposeInt("pageCount", { description: "Number of pages that were imported." }),
    fileCount: t.exposeInt("fileCount", {
      description: "Number of files that were imported: those that pages link to.",
    }),
    linkCount: t.exposeInt("linkCount", { description: "Number of links between them." }),
    warnings: t.field({
      type: [ImportWarning],
      description: "What was left out or leads nowhere, at most 1,000 times.",
      resolve: ({ warnings }) => warnings,
    }),
    warningCount: t.exposeInt("warningCount", { description: "Number of all warnings." }),
  }),
});

defineMutation({
  name: "restoreRevision",
  description:
    "Brings back the content of an earlier revision of the space, as a new revision. Needs the role `edit`. CONFLICT as for `editContent`. A change " +
    "request that goes back to a revision of its own is outdated again where it was updated from the main content since: merging it undoes nothing there.",
  input: (t) => ({
    ...target(t),
    revisionId: t.id({ required: true, description: "Id of the revision to bring back." }),
  }),
  run: (input, context) => restoreRevision(context, input),
  payload,
});
