// Viewers by their tokens: who a token belongs to, with memberships and grants, read in one statement and kept for a
// second.
import { timingSafeEqual } from "node:crypto";
import { hashToken } from "#src/access/tokens.ts";
import { makeViewer, type Viewer } from "#src/access/viewer.ts";
import { BoundedMap } from "#src/base/bounded-map.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Clock, Instant } from "#src/base/time.ts";
import { type Database, type Sql, sql } from "#src/db/database.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** How long a viewer is taken from memory, in milliseconds: other processes' changes are noticed within this time. */
const viewerAge = 1000;

/** Viewers remembered at once. */
const viewerLimit = 10_000;

/** How precise ApiToken.lastUsedAt is: at most one write for each token in this time. */
const lastUsePrecision = "1 minute";

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

/** Active memberships of a user, and the grants to them and their teams in these organizations, each as JSON. */
const rightsOf = (userId: Sql) => sql`${userId} as "userId",
  (select coalesce(json_agg(json_build_array(m."organizationId", m.role)), '[]')
    from "OrganizationMember" m where m."userId" = ${userId} and not m.disabled) as memberships,
  (select coalesce(json_agg(json_build_array(coalesce(g."spaceId", g."collectionId"), g.role)), '[]')
    from "OrganizationMember" m join "Grant" g on g."organizationId" = m."organizationId" and (g."userId" = m."userId"
      or g."teamId" = any(array(select tm."teamId" from "TeamMember" tm where tm."userId" = ${userId})))
    where m."userId" = ${userId} and not m.disabled) as grants`;

/** The viewers of a database. `maxAge` in milliseconds; 0 remembers nothing. */
export class Viewers {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #maxAge: number;
  /** By the texts of tokens. */
  readonly #recent = new BoundedMap<string, { readonly since: number; readonly viewer: Promise<Viewer> }>(viewerLimit);

  constructor(database: Database, clock: Clock, maxAge: number = viewerAge) {
    this.#database = database;
    this.#clock = clock;
    this.#maxAge = maxAge;
  }

  /** The viewer of an `Authorization` header. Throws UNAUTHENTICATED unless it holds a token that is good now. */
  async byAuthorization(authorization: string | undefined): Promise<Viewer> {
    const token = /^Bearer +([!-~]{1,200})$/i.exec(authorization ?? "")?.[1];
    if (!token) throw new DomainError("UNAUTHENTICATED");
    const viewer = await this.#recall(token);
    if (this.#isOver(viewer.expiresAt)) throw new DomainError("UNAUTHENTICATED");
    return viewer;
  }

  /** The viewer of the user with this e-mail address, or null: for commands on the machine itself, without a token. */
  async byEmail(email: string): Promise<Viewer | null> {
    const [row] = await this.#database.query<Rights>(
      sql`select ${rightsOf(sql`u.id`)} from "User" u where u.email = ${email.toLowerCase()}`,
    );
    return row ? makeViewer({ ...row, tokenId: "" }) : null;
  }

  /** The viewer with the rights of this moment, read from the database; null when their token was revoked. */
  async renew(viewer: Viewer): Promise<Viewer | null> {
    const [renewed = null] = await this.renewAll([viewer]);
    return renewed;
  }

  /** The same for many, in one statement. */
  async renewAll(viewers: readonly Viewer[]): Promise<(Viewer | null)[]> {
    if (viewers.length === 0) return [];
    const [userIds, tokenIds] = [viewers.map(({ userId }) => userId), viewers.map(({ tokenId }) => tokenId)];
    const rows = await this.#database.query<Rights & { place: number }>(sql`
      select v.place::int, ${rightsOf(sql`u.id`)}
      from unnest(${userIds}::text[], ${tokenIds}::text[]) with ordinality v("userId", "tokenId", place)
      join "User" u on u.id = v."userId"
      where v."tokenId" = '' or exists (select from "ApiToken" k where k.id = v."tokenId" and k."revokedAt" is null)`);
    const renewed: (Viewer | null)[] = viewers.map(() => null);
    for (const row of rows) {
      const viewer = viewers[row.place - 1];
      if (viewer) renewed[row.place - 1] = { ...makeViewer({ ...viewer, ...row }), shareKey: viewer.shareKey };
    }
    return renewed;
  }

  /** Forgets every viewer, since a change may have been one of rights. */
  forget(): void {
    this.#recent.clear();
  }

  #recall(token: string): Promise<Viewer> {
    const known = this.#recent.get(token);
    if (known && performance.now() - known.since < this.#maxAge) return known.viewer;
    const viewer = this.#load(token);
    if (this.#maxAge === 0) return viewer;
    this.#recent.keep(token, { since: performance.now(), viewer });
    viewer.catch(() => this.#recent.delete(token));
    return viewer;
  }

  async #load(token: string): Promise<Viewer> {
    const hash = hashToken(token);
    const now = this.#clock.now().toISOString();
    const [row] = await this.#database.query<TokenRow>(sql`
      select k.id, k.hash, k."expiresAt", ${rightsOf(sql`k."userId"`)},
        coalesce(k."lastUsedAt" < ${now}::timestamptz - ${lastUsePrecision}::interval, true) as "isStale"
      from "ApiToken" k where k.hash = ${hash} and k."revokedAt" is null`);
    if (!row || !timingSafeEqual(row.hash, hash) || this.#isOver(row.expiresAt))
      throw new DomainError("UNAUTHENTICATED");
    if (row.isStale)
      await this.#database.query(sql`update "ApiToken" set "lastUsedAt" = ${now}::timestamptz where id = ${row.id}`);
    return makeViewer({ ...row, tokenId: row.id });
  }

  #isOver(expiresAt: Instant | null): boolean {
    return expiresAt !== null && expiresAt <= this.#clock.now().toISOString();
  }
}
