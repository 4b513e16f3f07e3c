// The audit log: sign-ins and security-relevant changes; written in their transaction, never changed.
import { newId } from "#src/base/ids.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import { plainAddress } from "#src/base/url-text.ts";
import type { DomainEvent } from "#src/events/event.ts";

export interface Origin {
  /** The IP address; null for commands on the machine itself. */
  readonly address: string | null;
  readonly agent: string | null;
}

/** The origin of changes without a request. */
export const noOrigin: Origin = { address: null, agent: null };

export interface Actor {
  /** Id of the user; null if unknown, as for a rejected sign-in. */
  readonly actorId: string | null;
  readonly origin: Origin;
}

/** The audited action: an event, or something without one, such as a refusal. Its facts never contain secrets. */
export interface AuditedEvent extends Pick<DomainEvent, "organizationId" | "payload"> {
  /** The noun and the past participle, such as `signIn.refused`. */
  readonly type: `${string}.${string}`;
  readonly subjectId?: string | null;
  /** The account that it concerns, if not the actor's: without an organization all of the account's ones get it. */
  readonly userId?: string;
}

/**
 * Writes audit entries in the transaction of their change. Without an organization an entry concerns an account: all
 * active organizations of the person get it, without origin and payload.
 */
export async function writeAudit(
  transaction: Prisma.TransactionClient,
  { actorId, origin }: Actor,
  events: readonly AuditedEvent[],
): Promise<void> {
  const data: Prisma.AuditEntryCreateManyInput[] = [];
  for (const { type, organizationId, subjectId = null, payload = {}, userId = actorId } of events) {
    const entry = (of: string | null) => ({ id: newId("AuditEntry"), type, organizationId: of, actorId, subjectId });
    if (organizationId)
      data.push({ ...entry(organizationId), ...origin, payload: asFacts(payload) as Prisma.InputJsonObject });
    else for (const place of await organizationsOf(transaction, userId)) data.push(entry(place));
  }
  await transaction.auditEntry.createMany({ data });
}

/** The stored part of an event: addresses without passwords and queries, which may be secrets of others. */
function asFacts(value: unknown): unknown {
  if (typeof value === "string") return plainAddress(value);
  if (Array.isArray(value)) return value.map(asFacts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, asFacts(of)]));
}

/** Writes an entry for each row of a query, which has its columns. */
export async function writeSelectedAudit(transaction: Prisma.TransactionClient, rows: Sql): Promise<void> {
  await transaction.$executeRaw(
    sql`insert into "AuditEntry" (id, type, "organizationId", "actorId", "subjectId", address, agent, payload)
      select e.id, e.type, e."organizationId", e."actorId", e."subjectId", e.address, e.agent, e.payload
      from (${rows}) e`,
  );
}

/** The organizations that get entries about an account; a single null for an account without any. */
async function organizationsOf(transaction: Prisma.TransactionClient, userId: string | null) {
  if (userId === null) return [null];
  const rows = await transaction.organizationMember.findMany({
    where: { userId, disabled: false },
    select: { organizationId: true },
  });
  return rows.length > 0 ? rows.map(({ organizationId }) => organizationId) : [null];
}
