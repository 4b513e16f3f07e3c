// Mutations on content.
import { found } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import {
  checkReplacement,
  checkUpload,
  editContent,
  replaceFile,
  restoreRevision,
  uploadFile,
} from "#src/features/content/commands/edit.ts";
import {
  filesOfRevision,
  type FileUse as FileUseValue,
  findFileIn,
  findFileUses,
} from "#src/features/content/reads/files.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";
import { File } from "#src/features/content/type/file.ts";
import { Page } from "#src/features/content/type/page.ts";
import { ReusableContent } from "#src/features/content/type/revision.ts";
import { ContentEditInput, contentOwner } from "#src/features/content/type/input.ts";
import { projectionOf } from "#src/graph/run/selection.ts";
import { builder, type InputFields, type ObjectFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation } from "#src/graph/schema/mutations.ts";

export const contentTarget = (t: InputFields) => ({
  ...contentOwner(t),
  expectedRevisionId: t.id({
    description:
      "Id of the revision that the client has seen. CONFLICT, with the current id in the message, if a newer revision exists.",
  }),
  message: t.string({ description: "Message of the revision, at most 500 characters." }),
});

const aboutRevision = "The current revision; the previous one if nothing has changed.";

export const revisionPayload = (t: ObjectFields<{ revisionId: string }>) => ({
  revisionId: t.exposeID("revisionId", { description: "Id of `revision`." }),
  revision: t.row(revisions, "revisionId", aboutRevision),
});

const FileUse = builder.objectRef<FileUseValue>("FileUse").implement({
  description: "A use of a file: as a cover or target of a page, or in a text.",
  fields: (t) => ({
    fileId: t.exposeID("fileId", { description: "Id of the file, the same in every revision." }),
    page: t.expose("page", {
      type: Page,
      nullable: true,
      description: "The page that uses it; null for a reusable content.",
    }),
    reusableContent: t.expose("reusableContent", {
      type: ReusableContent,
      nullable: true,
      description: "The reusable content that uses it; null for a page.",
    }),
  }),
});

defineMutation({
  name: "editContent",
  description:
    "Edits content: applies all edits in order as one revision, or none. Requires the role `edit`. CONFLICT for the main content of a " +
    "locked space, and for an archived or merged change request. The payload includes computed pages if they are computed within three seconds; " +
    "otherwise it has their previous state, and `SpaceContentEdited` or `ChangeRequestEdited` is sent when all of them are computed.",
  input: (t) => ({
    ...contentTarget(t),
    edits: t.field({
      type: [ContentEditInput],
      required: true,
      description: "Edits, applied in this order; at most 1,000.",
    }),
  }),
  run: ({ contentOf, ...input }, context) => editContent(context, { ...contentOf, ...input }),
  payload: (t) => ({
    ...revisionPayload(t),
    deletedFilesInUse: t.field({
      type: [FileUse],
      description: "Uses in the revision of files that the edits deleted: these covers and links are broken now.",
      resolve: ({ revisionId, deletedFileIds }, _args, context) => findFileUses(context, revisionId, deletedFileIds),
    }),
  }),
});

const newFile = createdPayload("file", filesOfRevision, {
  description: "The new file.",
  in: "Revision.files",
  find: async ({ revisionId, fileId }: { revisionId: string; fileId: string }, { reader }) => ({
    parent: await reader.found(revisions, revisionId, project(["filesHash"])),
    key: { fileId },
  }),
});

defineMutation({
  name: "uploadFile",
  description:
    "Adds a file to a content, as one revision. Requires a multipart request (see `Upload`) of at most 10 files of 25 MB by default; TOO_LARGE above the " +
    "limits. Requires the role `edit`. CONFLICT as for `editContent`.",
  input: (t) => ({
    ...contentTarget(t),
    file: t.field({ type: "Upload", required: true, description: "The file." }),
    name: t.string({
      description: "File name, 1 to 200 characters without `/` and `\\`; by default the name in the upload.",
    }),
  }),
  run: ({ contentOf, ...input }, context) => uploadFile(context, { ...contentOf, ...input }),
  checkBeforeFiles: ({ contentOf, ...input }, context) => checkUpload(context, { ...contentOf, ...input }),
  payload: (t) => ({ ...revisionPayload(t), ...newFile(t) }),
});

defineMutation({
  name: "replaceFile",
  description:
    "Replaces the bytes of a file in a content, as one revision. Its id stays, and pages that use it show the new bytes; earlier revisions keep the former " +
    "ones. Requires a multipart request as `uploadFile`, and the role `edit`. NOT_FOUND for a file that the content does not have.",
  input: (t) => ({
    ...contentTarget(t),
    fileId: t.id({ required: true, description: "Id of the file to replace." }),
    file: t.field({ type: "Upload", required: true, description: "The new bytes." }),
    name: t.string({
      description: "New file name, 1 to 200 characters without `/` and `\\`; by default it stays.",
    }),
  }),
  run: ({ contentOf, ...input }, context) => replaceFile(context, { ...contentOf, ...input }),
  checkBeforeFiles: ({ contentOf, ...input }, context) => checkReplacement(context, { ...contentOf, ...input }),
  payload: (t) => ({
    ...revisionPayload(t),
    file: t.field({
      type: File,
      description: "The file with its new bytes.",
      resolve: async ({ revisionId, fileId }, _args, context, info) =>
        found(await findFileIn(context, { id: revisionId }, fileId, projectionOf(info)), "file"),
    }),
  }),
});

defineMutation({
  name: "restoreRevision",
  description:
    "Restores the content of an earlier revision of the space as a new revision. Requires the role `edit`. CONFLICT as for `editContent`. A change " +
    "request restored to one of its own revisions is outdated again if it was updated from the main content since; merging it does not undo those updates.",
  input: (t) => ({
    ...contentTarget(t),
    revisionId: t.id({ required: true, description: "Id of the revision to restore." }),
  }),
  run: ({ contentOf, ...input }, context) => restoreRevision(context, { ...contentOf, ...input }),
  payload: revisionPayload,
});
