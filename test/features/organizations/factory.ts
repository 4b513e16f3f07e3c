// Makes organizations for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** An organization with nobody and nothing in it. */
export function addOrganization(rows: Rows, given: Partial<Prisma.OrganizationCreateManyInput> = {}) {
  const number = nextNumber();
  return rows.add("Organization", {
    id: newId("Organization"),
    title: `Organization ${number}`,
    hostname: `organization-${number}.example.com`,
    createdAt: nextInstant(),
    ...given,
  });
}
