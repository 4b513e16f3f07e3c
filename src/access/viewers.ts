// Viewers by their tokens: who a token belongs to, with memberships and grants, read in one statement and remembered for a second.
import { timingSafeEqual } from "node:crypto";
import { hashToken } from "#src/access/tokens.ts";
import { makeViewer, type Viewer } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Clock, Instant } from "#src/base/time.ts";
import { type Database, type Sql, sql } from "#src/db/database.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** How long a viewer is taken from memory, in milliseconds: what another process changes about them is noticed within this time. */
const viewerAge = 1000;

/** Viewers remembered at once; one more drops the one that came first. */
const viewerLimit = 10_000;

/** How precise ApiToken.lastUsedAt is: one write a token in this time. */
const lastUsePrecision = "1 minute";

export interface Viewers {
  /** The viewer of an `Authorization` header. Throws UNAUTHENTICATED when it is missing, malformed, unknown, revoked or expired. */
  byAuthorization(authorization: string | undefined): Promise<Viewer>;
  /** The viewer for a user known by e-mail address: for commands on the machine itself, where no token is needed. Null when there is none. */
  byEmail(email: string): Promise<Viewer | null>;
  /** The viewer with the rights of this moment, past what is remembered; null when their token was revoked. */
  renew(viewer: Viewer): Promise<Viewer | null>;
  /** The same for many, in one statement. */
  renewAll(viewers: readonly Viewer[]): Promise<(Viewer | null)[]>;
  /** Forgets every viewer: a change may have been one of rights. */
  forget(): void;
}

interface Rights {
  userId: string;
  memberships: [organizationId: string, role: Role | null][];
  grants: [targetId: string, role: Role][];
}

interface TokenRow extends Rights {
  id: string;
  hash: Buffer;
  expiresAt: Instant | null;
  isStale: boolean;
}

interface Known {
  readonly viewer: Viewer;
  readonly expiresAt: Instant | null;
}

/** Active memberships of a user, and the grants to them and their teams in these organizations, each as JSON. */
const rightsOf = (userId: Sql) => sql`${userId} as "userId",
  (select coalesce(json_agg(json_build_array(m."organizationId", m.role)), '[]')
    from "OrganizationMember" m where m."userId" = ${userId} and not m.disabled) as memberships,
  (select coalesce(json_agg(json_build_array(coalesce(g."spaceId", g."collectionId"), g.role)), '[]')
    from "OrganizationMember" m join "Grant" g on g."organizationId" = m."organizationId" and (g."userId" = m."userId"
      or g."teamId" = any(array(select tm."teamId" from "TeamMember" tm where tm."userId" = ${userId})))
    where m."userId" = ${userId} and not m.disabled) as grants`;

/** Makes the viewers of a database. `maxAge` in milliseconds; 0 remembers nothing. */
export function createViewers(database: Database, clock: Clock, maxAge: number = viewerAge): Viewers {
  const remembered = new Map<string, { readonly since: number; readonly known: Promise<Known> }>();

  async function load(token: string): Promise<Known> {
    const hash = hashToken(token);
    const now = clock.now().toISOString();
    const [row] = await database.query<TokenRow>(sql`
      select k.id, k.hash, k."expiresAt", ${rightsOf(sql`k."userId"`)},
        coalesce(k."lastUsedAt" < ${now}::timestamptz - ${lastUsePrecision}::interval, true) as "isStale"
      from "ApiToken" k where k.hash = ${hash} and k."revokedAt" is null`);
    if (!row || !timingSafeEqual(row.hash, hash) || isOver(row.expiresAt)) throw new DomainError("UNAUTHENTICATED");
    if (row.isStale)
      await database.query(sql`update "ApiToken" set "lastUsedAt" = ${now}::timestamptz where id = ${row.id}`);
    return { viewer: makeViewer({ ...row, tokenId: row.id }), expiresAt: row.expiresAt };
  }

  function isOver(expiresAt: Instant | null): boolean {
    return expiresAt !== null && expiresAt <= clock.now().toISOString();
  }

  function recall(token: string): Promise<Known> {
    const entry = remembered.get(token);
    if (entry && performance.now() - entry.since < maxAge) return entry.known;
    const known = load(token);
    remembered.delete(token); // put back at the end: the map's order is that of age
    if (maxAge === 0) return known;
    remembered.set(token, { since: performance.now(), known });
    if (remembered.size > viewerLimit) remembered.delete(remembered.keys().next().value as string);
    known.catch(() => remembered.delete(token));
    return known;
  }

  async function renewAll(viewers: readonly Viewer[]): Promise<(Viewer | null)[]> {
    if (viewers.length === 0) return [];
    const [userIds, tokenIds] = [viewers.map(({ userId }) => userId), viewers.map(({ tokenId }) => tokenId)];
    const rows = await database.query<Rights & { place: number }>(sql`
      select v.place::int, ${rightsOf(sql`u.id`)}
      from unnest(${userIds}::text[], ${tokenIds}::text[]) with ordinality v("userId", "tokenId", place) join "User" u on u.id = v."userId"
      where v."tokenId" = '' or exists (select from "ApiToken" k where k.id = v."tokenId" and k."revokedAt" is null)`);
    const renewed: (Viewer | null)[] = viewers.map(() => null);
    for (const row of rows) {
      const viewer = viewers[row.place - 1];
      if (viewer) renewed[row.place - 1] = { ...makeViewer({ ...viewer, ...row }), shareKey: viewer.shareKey };
    }
    return renewed;
  }

  return {
    async byAuthorization(authorization) {
      const token = /^Bearer +([!-~]{1,200})$/i.exec(authorization ?? "")?.[1];
      if (!token) throw new DomainError("UNAUTHENTICATED");
      const { viewer, expiresAt } = await recall(token);
      if (isOver(expiresAt)) throw new DomainError("UNAUTHENTICATED");
      return viewer;
    },
    async byEmail(email) {
      const [row] = await database.query<Rights>(
        sql`select ${rightsOf(sql`u.id`)} from "User" u where u.email = ${email.toLowerCase()}`,
      );
      return row ? makeViewer({ ...row, tokenId: "" }) : null;
    },
    renew: async (viewer) => (await renewAll([viewer]))[0] ?? null,
    renewAll,
    forget() {
      remembered.clear();
    },
  };
}
