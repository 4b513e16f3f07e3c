// The GraphQL type FileUse: where a file is used.
import type { FileUse as FileUseValue } from "#src/features/content/reads/files.ts";
import { Page } from "#src/features/content/type/page.ts";
import { ReusableContent } from "#src/features/content/type/revision.ts";
import { builder } from "#src/graph/schema/builder.ts";

export const FileUse = builder.objectRef<FileUseValue>("FileUse").implement({
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
