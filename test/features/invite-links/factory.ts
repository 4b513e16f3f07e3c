// Creates invite links for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** A link that never expires and adds guests. */
export function addInviteLink(
  rows: Rows,
  given: { organizationId: string } & Partial<Prisma.InviteLinkCreateManyInput>,
) {
  const key = `key-${nextNumber()}-${newId("InviteLink")}`;
  return rows.add("InviteLink", { id: newId("InviteLink"), key, createdAt: nextInstant(), ...given });
}
