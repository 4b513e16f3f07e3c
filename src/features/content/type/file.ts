// The GraphQL type File, and what something of a content is in Git.
import { defineTexts } from "#src/graph/schema/flag-types.ts";
import { downloadPath } from "#src/features/content/model/download-address.ts";
import { filePath } from "#src/features/content/model/git.ts";
import { findFileById } from "#src/features/content/reads/files.ts";
import type { Dimensions as DimensionsValue } from "#src/files/dimensions.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionOf, defineNode, idInRevision } from "#src/graph/schema/nodes.ts";

export const GitObject = defineTexts("GitObject", "Something of a content as Git has it.", {
  oid: "Its hash there (SHA-1): that of a blob for a text or a file, as `git hash-object` gives it, that of a tree for a folder.",
  path: "Its path in the repository that the content would be exported to.",
});

export const Dimensions = builder.objectRef<DimensionsValue>("Dimensions").implement({
  description: "The size of an image as it is shown.",
  fields: (t) => ({
    width: t.exposeInt("width", { description: "Pixels from left to right." }),
    height: t.exposeInt("height", { description: "Pixels from top to bottom." }),
  }),
});

export const File = defineNode("File", findFileById, {
  description: "A file, as it is in one revision. Files never change: another content is another file.",
  idDescription: idInRevision("fileId"),
  fields: (t) => ({
    fileId: t.exposeID("fileId", {
      description:
        "Id of the file, the `id` of /v1: the same in every revision that has it, and in copies of the space. `id` says the revision, too.",
    }),
    name: t.exposeString("name", { description: "Name, 1 to 200 characters." }),
    contentType: t.exposeString("contentType", {
      description: "What it is, such as `image/png`: found by its bytes, not taken from who sent it.",
    }),
    size: t.exposeInt("size", { description: "Bytes." }),
    dimensions: t.valueOrNull(
      Dimensions,
      "Its size when it is an image; null for everything else.",
      ["width", "height"],
      ({ width, height }) => (width === null || height === null ? null : { width, height }),
    ),
    downloadURL: t.value(
      "String",
      "Where it is downloaded, without a token. For good where anybody may read it; else for 6 to 12 hours, and as long as who asked may read it: ask again then.",
      ["fileId", "key", "name", "place"],
      (file, context) => context.publicUrl + downloadPath(file, context),
    ),
    git: t.valueOrNull(
      GitObject,
      "The file as Git has it; null for one that was stored before such hashes were kept.",
      ["fileId", "name", "oid"],
      ({ fileId, name, oid }) => (oid === null ? null : { oid, path: filePath(fileId, name) }),
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was uploaded." }),
  }),
});

export const FileConnection = connectionOf(File);
