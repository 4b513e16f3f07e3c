// Creates invitations for tests.
import { newId } from "#src/base/ids.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { addInviteLink } from "#test/features/invite-links/factory.ts";
import { nextInstant, nextNumber, type Rows } from "#test/support/rows.ts";

/** An open invitation as guest, by default to an unused address. */
export function addInvitation(
  rows: Rows,
  given: { organizationId: string } & Partial<Prisma.InvitationCreateManyInput>,
) {
  const own = { id: newId("Invitation"), email: `invited-${nextNumber()}@example.com`, createdAt: nextInstant() };
  return rows.add("Invitation", { ...own, expiresAt: new Date("2100-01-01"), ...given });
}

/** Invitations and invite links with every optional field, and with none; one is to the admin. */
export function addInvitations(
  rows: Rows,
  { organizationId, admin }: { organizationId: string; admin: { id: string; email: string } },
): void {
  const whole = { organizationId, role: "read", createdById: admin.id, expiresAt: new Date("2100-01-01") } as const;
  addInviteLink(rows, whole);
  addInviteLink(rows, { organizationId });
  addInvitation(rows, whole);
  addInvitation(rows, { organizationId, email: admin.email });
}
