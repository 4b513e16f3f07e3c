// Makes imports of what is at an address for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { examplePage } from "#test/support/example-fetch.ts";
import { nextInstant, type Rows } from "#test/support/rows.ts";

/** One that nobody has begun to work on, and nobody will: a process that is far away has it. */
export function addImport(
  rows: Rows,
  given: { spaceId: string; createdById: string } & Partial<Prisma.ContentImportCreateManyInput>,
) {
  return rows.add("ContentImport", {
    id: newId("ContentImport"),
    tokenId: "",
    ...examplePage,
    settings: { parentId: null, replace: false, message: null, expectedRevisionId: null },
    createdAt: nextInstant(),
    leaseUntil: new Date("2100-01-01"),
    ...given,
  });
}
