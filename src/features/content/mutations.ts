// Mutations on content.
import { project } from "#src/db/reading/entity.ts";
import { checkUpload, editContent, restoreRevision, uploadFile } from "#src/features/content/commands/edit.ts";
import { filesOfRevision, type FileUse as FileUseValue, findFileUses } from "#src/features/content/reads/files.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";
import "#src/features/content/type/file.ts";
import { Page } from "#src/features/content/type/page.ts";
import { ReusableContent } from "#src/features/content/type/revision.ts";
import { ContentEditInput, contentOwner } from "#src/features/content/type/input.ts";
import { builder, type InputFields, type ObjectFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation } from "#src/graph/schema/mutations.ts";

export const contentTarget = (t: InputFields) => ({
  ...contentOwner(t),
  expectedRevisionId: t.id({
    description:
      "Id of the revision that the client has seen. CONFLICT, naming the current one, when the content has moved on.",
  }),
  message: t.string({ description: "Message of the revision, at most 500 characters." }),
});

const aboutRevision = "The revision that is now active: the one before where nothing has changed.";

export const revisionPayload = (t: ObjectFields<{ revisionId: string }>) => ({
  revisionId: t.exposeID("revisionId", { description: "Id of `revision`." }),
  revision: t.row(revisions, "revisionId", aboutRevision),
});

const FileUse = builder.objectRef<FileUseValue>("FileUse").implement({
  description: "A place where a file is used: as a cover or target of a page, or in a text.",
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
    "Edits content: all edits, one after the other, become one revision, or none does. Needs the role `edit`. CONFLICT for the main content of a " +
    "locked space, and for a change request that is archived or merged. Computed pages are in the answer where they are made within three seconds; " +
    "otherwise they are as before, and `SpaceContentEdited` or `ChangeRequestEdited` tells when they are there, all at once.",
  input: (t) => ({
    ...contentTarget(t),
    edits: t.field({
      type: [ContentEditInput],
      required: true,
      description: "What to do, in this order; at most 1,000.",
    }),
  }),
  run: ({ contentOf, ...input }, context) => editContent(context, { ...contentOf, ...input }),
  payload: (t) => ({
    ...revisionPayload(t),
    deletedFilesInUse: t.field({
      type: [FileUse],
      description:
        "What still uses files that the edits delete, in the revision: these covers and links lead nowhere now. Empty where nothing does.",
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
    "Adds a file to a content, as one revision. Sent as a multipart request (see `Upload`), with at most 10 files of 25 MB unless the gateway is set up " +
    "otherwise; TOO_LARGE beyond. Needs the role `edit`. CONFLICT as for `editContent`.",
  input: (t) => ({
    ...contentTarget(t),
    file: t.field({ type: "Upload", required: true, description: "The file." }),
    name: t.string({
      description:
        "Its name, 1 to 200 characters without `/` and `\\`; the name that comes with the file when left out.",
    }),
  }),
  run: ({ contentOf, ...input }, context) => uploadFile(context, { ...contentOf, ...input }),
  checkBeforeFiles: ({ contentOf, ...input }, context) => checkUpload(context, { ...contentOf, ...input }),
  payload: (t) => ({ ...revisionPayload(t), ...newFile(t) }),
});

defineMutation({
  name: "restoreRevision",
  description:
    "Brings back the content of an earlier revision of the space, as a new revision. Needs the role `edit`. CONFLICT as for `editContent`. A change " +
    "request that goes back to a revision of its own is outdated again where it was updated from the main content since: merging it undoes nothing there.",
  input: (t) => ({
    ...contentTarget(t),
    revisionId: t.id({ required: true, description: "Id of the revision to bring back." }),
  }),
  run: ({ contentOf, ...input }, context) => restoreRevision(context, { ...contentOf, ...input }),
  payload: revisionPayload,
});
