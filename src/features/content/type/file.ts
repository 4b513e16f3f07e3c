// The GraphQL type File. It has an `id`, since a file is the same in every revision, but is not a node: its id alone
// does not say which revisions have it, and so who may see it.
import type { FileRow } from "#src/features/content/reads/files.ts";
import type { Dimensions as DimensionsValue } from "#src/files/dimensions.ts";
import { builder } from "#src/graph/builder.ts";
import { connectionOf } from "#src/graph/nodes.ts";

const Dimensions = builder.objectRef<DimensionsValue>("Dimensions").implement({
  description: "The size of an image as it is shown.",
  fields: (t) => ({
    width: t.exposeInt("width", { description: "Pixels from left to right." }),
    height: t.exposeInt("height", { description: "Pixels from top to bottom." }),
  }),
});

/** The address of a file: its key is as good as a token for it, and for nothing else. */
function downloadPath({ id, key, name }: Pick<FileRow, "id" | "key" | "name">): string {
  return `/files/${id}/${key}/${encodeURIComponent(name)}`;
}

export const File = builder.prismaObject("File", {
  select: { id: true },
  description: "A file of a content. Files never change: another content is another file.",
  fields: (t) => ({
    id: t.exposeID("id", {
      description: "Id of the file, the same in every revision that has it, and in copies of the space.",
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
      "Where it is downloaded, without a token: anyone with the address can read the file, for as long as a revision has it.",
      ["key", "name"],
      (file, { publicUrl }) => publicUrl + downloadPath(file),
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was uploaded." }),
  }),
});

export const FileConnection = connectionOf(File);
