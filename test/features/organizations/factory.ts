// Creates organizations for tests.
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** An empty organization. */
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

/** Makes an e-mail domain count for this organization only, as if the DNS had verified it. */
export async function verifyDomain({ prisma }: Database, organizationId: string, domain: string): Promise<void> {
  await prisma.emailDomain.updateMany({ where: { verifiedDomain: domain }, data: { verifiedDomain: null } });
  const verified = { verifiedDomain: domain, verifiedAt: nextInstant() };
  await prisma.emailDomain.upsert({
    where: { organizationId_domain: { organizationId, domain } },
    create: { organizationId, domain, ...verified },
    update: verified,
  });
}
