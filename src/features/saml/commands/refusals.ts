// Rejected sign-ins in the audit log of an organization, by any protocol.
import type { Database } from "#src/db/connection/database.ts";
import { type Origin, writeAudit } from "#src/events/audit.ts";
import { clientNetwork } from "#src/net/networks.ts";

/** The limits of rejections per hour in the audit log, per client and in total: anybody may send responses. */
const mostRefusals = { ofClient: 10, inAll: 1_000 } as const;

/** Writes a rejected response of a provider to the audit log. */
export async function auditRefusal(
  { prisma }: Database,
  { id: providerId, organizationId }: { readonly id: string; readonly organizationId: string },
  { reason, origin, now }: { readonly reason: string; readonly origin: Origin; readonly now: Date },
): Promise<void> {
  const type = "signIn.refused";
  await prisma.$transaction(async (transaction) => {
    const createdAt = { gt: new Date(now.getTime() - 3_600_000) };
    const where = { organizationId, type, createdAt };
    const before = await transaction.auditEntry.groupBy({ by: ["address"], where, _count: true });
    const countOf = (some: typeof before) => some.reduce((sum, { _count }) => sum + _count, 0);
    const ofClient = before.filter(({ address }) => clientNetwork(address) === clientNetwork(origin.address));
    if (countOf(before) >= mostRefusals.inAll || countOf(ofClient) >= mostRefusals.ofClient) return;
    await writeAudit(transaction, { actorId: null, origin }, [
      { type, organizationId, payload: { providerId, reason } },
    ]);
  });
}
