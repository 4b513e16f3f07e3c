// Creates OpenID providers for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** A public client of a provider at example.com. */
export function addOidcProvider(
  rows: Rows,
  given: { organizationId: string } & Partial<Prisma.OidcProviderCreateManyInput>,
) {
  const number = nextNumber();
  const own = { label: `OpenID ${number}`, issuer: "https://login.example.com", clientId: `client-${number}` };
  return rows.add("OidcProvider", { id: newId("OidcProvider"), createdAt: nextInstant(), ...own, ...given });
}
