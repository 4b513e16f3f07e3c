// As whom a command acts that names nobody: the first admin of an organization.
import { DomainError } from "#src/base/errors.ts";
import type { Database } from "#src/db/connection/database.ts";

/** The address of the admin who has been in an organization for the longest time. NOT_FOUND where it has none. */
export async function firstAdmin({ prisma }: Database, organizationId: string): Promise<string> {
  const admin = await prisma.organizationMember.findFirst({
    where: { organizationId, role: "admin", disabled: false },
    orderBy: [{ joinedAt: "asc" }, { id: "asc" }],
    select: { user: { select: { email: true } } },
  });
  if (!admin) throw new DomainError("NOT_FOUND", "the organization has no admin: say with --as who does it");
  return admin.user.email;
}
