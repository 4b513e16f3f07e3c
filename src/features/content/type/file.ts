// The GraphQL types File and GitObject.
import { defineTexts } from "#src/graph/schema/flag-types.ts";
import { downloadPath } from "#src/features/content/model/download-address.ts";
import { filePath } from "#src/features/content/model/git.ts";
import { findFileById } from "#src/features/content/reads/files.ts";
import type { Dimensions as DimensionsValue } from "#src/files/dimensions.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionOf, defineNode, idInRevision } from "#src/graph/schema/nodes.ts";

export const GitObject = defineTexts("GitObject", "The Git object of a part of a content.", {
  oid: "SHA-1 hash of the object: a blob for a text or a file, as computed by `git hash-object`, or a tree for a folder.",
  path: "Path in a Git repository with the content.",
});

export const Dimensions = builder.objectRef<DimensionsValue>("Dimensions").implement({
  description: "The displayed size of an image.",
  fields: (t) => ({
    width: t.exposeInt("width", { description: "Width in pixels." }),
    height: t.exposeInt("height", { description: "Height in pixels." }),
  }),
});

export const File = defineNode("File", findFileById, {
  description: "A file in one revision. `replaceFile` gives it other bytes in later revisions.",
  idDescription: idInRevision("fileId"),
  fields: (t) => ({
    fileId: t.exposeID("fileId", {
      description:
        "Id of the file, the `id` in /v1: the same in every revision with the file, and in copies of the space. `id` also names the revision.",
    }),
    name: t.exposeString("name", { description: "Name, 1 to 200 characters." }),
    contentType: t.exposeString("contentType", {
      description: "Media type, for example `image/png`: detected from its bytes, not taken from the upload.",
    }),
    size: t.exposeInt("size", { description: "Size in bytes." }),
    dimensions: t.valueOrNull(
      Dimensions,
      "Size of an image; null for other files.",
      ["width", "height"],
      ({ width, height }) => (width === null || height === null ? null : { width, height }),
    ),
    downloadURL: t.value(
      "String",
      "URL for downloads without a token. Permanent for a public file; otherwise valid for 6 to 12 hours while the viewer may read the file. Query it again after that.",
      ["fileId", "key", "name", "place"],
      (file, context) => context.publicUrl + downloadPath(file, context),
    ),
    git: t.valueOrNull(
      GitObject,
      "The Git object of the file; null if the file is older than the support of Git hashes.",
      ["fileId", "name", "oid"],
      ({ fileId, name, oid }) => (oid === null ? null : { oid, path: filePath(fileId, name) }),
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Time of the upload." }),
  }),
});

export const FileConnection = connectionOf(File);
