// Permission cases of content with their flags.
import { textFile } from "#test/features/content/uploads.ts";
import { giveFiles } from "#test/features/content/factory.ts";
import type { Fixture, PermissionCase } from "#test/support/access/fixture.ts";

/** The file of each fixture that has one. */
const fileIds = new WeakMap<Fixture, string>();

const edits = [{ createPage: { title: "Page" } }];

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "editContent",
    input: ({ space }) => ({ contentOf: { spaceId: space.id }, edits }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "editContent",
    how: "of a space that is public",
    input: ({ topSpace }) => ({ contentOf: { spaceId: topSpace.id }, edits }),
    allowedBy: ["topSpace.edit"],
    seen: ["topSpace"],
  },
  {
    mutation: "editContent",
    how: "of a change request",
    input: ({ changeRequest }) => ({ contentOf: { changeRequestId: changeRequest.id }, edits }),
    allowedBy: ["space.edit"],
    seen: ["changeRequest"],
  },
  {
    mutation: "uploadFile",
    input: ({ space }) => ({ contentOf: { spaceId: space.id }, file: textFile() }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "uploadFile",
    how: "to a change request",
    input: ({ changeRequest }) => ({ contentOf: { changeRequestId: changeRequest.id }, file: textFile() }),
    allowedBy: ["space.edit"],
    seen: ["changeRequest"],
  },
  {
    mutation: "replaceFile",
    prepare: async (fixture, database) => {
      const [fileId = ""] = await giveFiles(database, fixture.space.revisionId, ["notes.txt"]);
      fileIds.set(fixture, fileId);
    },
    input: (fixture) => ({
      contentOf: { spaceId: fixture.space.id },
      fileId: fileIds.get(fixture) ?? "",
      file: textFile(),
    }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "restoreRevision",
    input: ({ space }) => ({ contentOf: { spaceId: space.id }, revisionId: space.revisionId }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
];

const bySpace = "access.test.ts: those who see the revision that they are in";

export const nodes = { Page: bySpace, File: bySpace, ReusableContent: bySpace };
