// The user that a command acts as by default: the first admin of an organization.
import { DomainError } from "#src/base/errors.ts";
import type { Database } from "#src/db/connection/database.ts";

/** The address of the longest-standing admin of an organization. Throws NOT_FOUND if it has no admin. */
export async function firstAdmin({ prisma }: Database, organizationId: string): Promise<string> {
  const admin = await prisma.organizationMember.findFirst({
    where: { organizationId, role: "admin", disabled: false },
    orderBy: [{ joinedAt: "asc" }, { id: "asc" }],
    select: { user: { select: { email: true } } },
  });
  if (!admin)
    throw new DomainError(
      "NOT_FOUND",
      "the organization has no admin: set --as to the e-mail address of the user who acts",
    );
  return admin.user.email;
}
