// What everybody tries with content, and the flags that stand for it.
import { zipFile } from "#test/features/content/import/files.ts";
import { textFile } from "#test/features/content/uploads.ts";
import type { Deed } from "#test/support/stage.ts";

const edits = [{ createPage: { title: "Page" } }];

export const onPages: readonly Deed[] = [
  {
    mutation: "editContent",
    input: ({ space }) => ({ spaceId: space.id, edits }),
    stands: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "editContent",
    how: "of a space that is public",
    input: ({ topSpace }) => ({ spaceId: topSpace.id, edits }),
    stands: ["topSpace.edit"],
    seen: ["topSpace"],
  },
  {
    mutation: "editContent",
    how: "of a change request",
    input: ({ changeRequest }) => ({ changeRequestId: changeRequest.id, edits }),
    stands: ["space.edit"],
    seen: ["changeRequest"],
  },
  {
    mutation: "uploadFile",
    input: ({ space }) => ({ spaceId: space.id, file: textFile() }),
    stands: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "uploadFile",
    how: "to a change request",
    input: ({ changeRequest }) => ({ changeRequestId: changeRequest.id, file: textFile() }),
    stands: ["space.edit"],
    seen: ["changeRequest"],
  },
  {
    mutation: "importContent",
    input: ({ space }) => ({ spaceId: space.id, archive: zipFile() }),
    stands: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "importContent",
    how: "into a change request",
    input: ({ changeRequest }) => ({ changeRequestId: changeRequest.id, archive: zipFile() }),
    stands: ["space.edit"],
    seen: ["changeRequest"],
  },
  {
    mutation: "restoreRevision",
    input: ({ space }) => ({ spaceId: space.id, revisionId: space.revisionId }),
    stands: ["space.edit"],
    seen: ["space"],
  },
];
