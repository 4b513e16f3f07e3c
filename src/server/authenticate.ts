// Authentication: from a bearer token to the viewer, in one statement. Only the token's hash is stored or compared.
import { timingSafeEqual } from "node:crypto";
import { DomainError } from "#src/base/errors.ts";
import { type Database, sql } from "#src/db/database.ts";
import { hashToken } from "#src/access/tokens.ts";
import { makeViewer, type Viewer } from "#src/access/viewer.ts";
import type { Clock } from "#src/base/time.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

interface TokenRow {
  id: string;
  userId: string;
  hash: Buffer;
  isStale: boolean;
  memberships: [string, Role | null][];
}

/** How precise ApiToken.lastUsedAt is: one write a token in this time. */
const lastUsePrecision = "1 minute";

/** The viewer of an `Authorization` header. Throws UNAUTHENTICATED when it is missing, malformed, unknown, revoked or expired. */
export async function authenticate(
  database: Database,
  clock: Clock,
  authorization: string | undefined,
): Promise<Viewer> {
  const token = /^Bearer +([!-~]{1,200})$/i.exec(authorization ?? "")?.[1];
  if (!token) throw new DomainError("UNAUTHENTICATED");
  const hash = hashToken(token);
  const now = clock.now().toISOString();
  const [row] = await database.query<TokenRow>(sql`
    select k.id, k."userId", k.hash, coalesce(k."lastUsedAt" < ${now}::timestamptz - ${lastUsePrecision}::interval, true) as "isStale",
      (select coalesce(json_agg(json_build_array(m."organizationId", m.role)), '[]') from "OrganizationMember" m
       where m."userId" = k."userId" and not m.disabled) as memberships
    from "ApiToken" k
    where k.hash = ${hash} and k."revokedAt" is null and (k."expiresAt" is null or k."expiresAt" > ${now}::timestamptz)`);
  if (!row || !timingSafeEqual(row.hash, hash)) throw new DomainError("UNAUTHENTICATED");
  if (row.isStale)
    await database.query(sql`update "ApiToken" set "lastUsedAt" = ${now}::timestamptz where id = ${row.id}`);
  return makeViewer({ userId: row.userId, tokenId: row.id, memberships: row.memberships });
}
