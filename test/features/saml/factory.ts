// Makes SAML providers for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** A provider of which nothing but its label is known. */
export function addSamlProvider(
  rows: Rows,
  given: { organizationId: string } & Partial<Prisma.SamlProviderCreateManyInput>,
) {
  const row = { id: newId("SamlProvider"), label: `Provider ${nextNumber()}`, createdAt: nextInstant(), ...given };
  return rows.add("SamlProvider", row);
}
