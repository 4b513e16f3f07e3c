// The GraphQL type File. It has an `id`, since a file is the same in every revision, but is no node: whoever sees it does so by a revision that has
// it, and which of all those has it cannot be told by its id without looking through every list of files.
import type { FileRow } from "#src/features/content/reads/files.ts";
import type { Dimensions as DimensionsValue } from "#src/files/dimensions.ts";
import { builder } from "#src/graph/builder.ts";
import { connectionOf } from "#src/graph/connections.ts";

const Dimensions = builder.objectRef<DimensionsValue>("Dimensions").implement({
  description: "The size of an image as it is shown.",
  fields: (t) => ({
    width: t.exposeInt("width", { description: "Pixels from left to right." }),
    height: t.exposeInt("height", { description: "Pixels from top to bottom." }),
  }),
});

/** The address of a file: its key is as good as a token for it, and for nothing else. */
export function downloadPath({ id, key, name }: Pick<FileRow, "id" | "key" | "name">): string {
  return `/files/${id}/${key}/${encodeURIComponent(name)}`;
}

export const File = builder.objectRef<FileRow>("File").implement({
  description: "A file of a content. Files never change: another content is another file.",
  fields: (t) => ({
    id: t.exposeID("id", {
      description: "Id of the file, the same in every revision that has it, and in copies of the space.",
    }),
    name: t.exposeString("name", { description: "Name, 1 to 200 characters." }),
    contentType: t.exposeString("contentType", {
      description: "What it is, such as `image/png`: told by its bytes, not by who sent it.",
    }),
    size: t.exposeInt("size", { description: "Bytes." }),
    dimensions: t.field({
      type: Dimensions,
      nullable: true,
      description: "Its size when it is an image; null for everything else.",
      columns: ["width", "height"],
      resolve: ({ width, height }) => (width === null || height === null ? null : { width, height }),
    }),
    downloadURL: t.string({
      description:
        "Where it is downloaded, without a token: whoever has the address has the file, for as long as a revision has it.",
      columns: ["id", "key", "name"],
      resolve: (file, _args, { publicUrl }) => publicUrl + downloadPath(file),
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was uploaded." }),
  }),
});

export const FileConnection = connectionOf(File);
