// Permission cases of imports with their flags.
import { zipFile } from "#test/features/imports/files.ts";
import type { PermissionCase } from "#test/support/access/fixture.ts";
import { examplePage } from "#test/support/example-fetch.ts";

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "importContent",
    input: ({ space }) => ({ contentOf: { spaceId: space.id }, from: { archive: zipFile() } }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "importContent",
    how: "into a change request",
    input: ({ changeRequest }) => ({ contentOf: { changeRequestId: changeRequest.id }, from: { archive: zipFile() } }),
    allowedBy: ["space.edit"],
    seen: ["changeRequest"],
  },
  {
    mutation: "startImport",
    input: ({ space }) => ({
      contentOf: { spaceId: space.id },
      url: examplePage.url,
      source: "MARKDOWN",
    }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "startArchiveImport",
    input: ({ space }) => ({ contentOf: { spaceId: space.id }, archive: zipFile() }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
  {
    mutation: "cancelImport",
    input: ({ anImport }) => ({ importId: anImport.id }),
    allowedBy: ["space.edit"],
    seen: ["space"],
  },
];

export const nodes = { ContentImport: "long-import.test.ts" };
