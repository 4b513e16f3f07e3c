// Authentication: from a bearer token to the viewer, in one statement. Only the token's hash is stored or compared.
import { timingSafeEqual } from "node:crypto";
import { DomainError } from "#src/base/errors.ts";
import { type Database, type Sql, sql } from "#src/db/database.ts";
import { hashToken } from "#src/access/tokens.ts";
import { makeViewer, type Viewer } from "#src/access/viewer.ts";
import type { Clock } from "#src/base/time.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

type Memberships = [organizationId: string, role: Role | null][];

interface TokenRow {
  id: string;
  userId: string;
  hash: Buffer;
  isStale: boolean;
  memberships: Memberships;
}

/** How precise ApiToken.lastUsedAt is: one write a token in this time. */
const lastUsePrecision = "1 minute";

/** The active memberships of a user, as JSON. */
const membershipsOf = (userId: Sql) => sql`(
  select coalesce(json_agg(json_build_array(m."organizationId", m.role)), '[]') from "OrganizationMember" m
  where m."userId" = ${userId} and not m.disabled)`;

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
      ${membershipsOf(sql`k."userId"`)} as memberships
    from "ApiToken" k
    where k.hash = ${hash} and k."revokedAt" is null and (k."expiresAt" is null or k."expiresAt" > ${now}::timestamptz)`);
  if (!row || !timingSafeEqual(row.hash, hash)) throw new DomainError("UNAUTHENTICATED");
  if (row.isStale)
    await database.query(sql`update "ApiToken" set "lastUsedAt" = ${now}::timestamptz where id = ${row.id}`);
  return makeViewer({ userId: row.userId, tokenId: row.id, memberships: row.memberships });
}

/** The viewer for a user known by e-mail address: for commands on the machine itself, where no token is needed. Null when there is none. */
export async function viewerByEmail(database: Database, email: string): Promise<Viewer | null> {
  const [row] = await database.query<{ id: string; memberships: Memberships }>(
    sql`select u.id, ${membershipsOf(sql`u.id`)} as memberships from "User" u where u.email = ${email.toLowerCase()}`,
  );
  return row ? makeViewer({ userId: row.id, tokenId: "", memberships: row.memberships }) : null;
}
