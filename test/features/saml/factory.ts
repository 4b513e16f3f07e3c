// Creates SAML providers for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** A provider with only a label. */
export function addSamlProvider(
  rows: Rows,
  given: { organizationId: string } & Partial<Prisma.SamlProviderCreateManyInput>,
) {
  const row = { id: newId("SamlProvider"), label: `Provider ${nextNumber()}`, createdAt: nextInstant(), ...given };
  return rows.add("SamlProvider", row);
}
