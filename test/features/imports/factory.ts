// Creates imports from URLs for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { examplePage } from "#test/support/example-fetch.ts";
import { edgeCaseTexts } from "#test/support/edge-case-texts.ts";
import { nextInstant, type Rows } from "#test/support/rows.ts";

/** An import that will never run: it is claimed by a process that is far away. */
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

/** Imports that failed, are running, and finished with warnings. */
export function addImports(
  rows: Rows,
  of: {
    plain: { id: string; revisionId: string };
    open: { id: string };
    createdById: string;
    changeRequestId: string;
    at: Date;
  },
): void {
  const { plain, open, createdById, changeRequestId, at } = of;
  const failed = { state: "failed", error: edgeCaseTexts[0] ?? "It failed.", endedAt: at } as const;
  addImport(rows, { spaceId: plain.id, createdById, ...failed, startedAt: at });
  addImport(rows, { spaceId: open.id, createdById, changeRequestId });
  const warnings = [
    { path: "a.md", line: 3, message: "Nowhere." },
    { path: "b.md", line: null, message: "Left out." },
  ];
  const result = { fileCount: 1, linkCount: 2, warningCount: 2, warnings };
  const done = { state: "done", found: 3, read: 3, written: 3, revisionId: plain.revisionId, result } as const;
  addImport(rows, { spaceId: plain.id, createdById, ...done });
}
