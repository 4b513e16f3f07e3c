// Viewers by token and session, with memberships and grants: read in one statement, cached for a second.
import { timingSafeEqual } from "node:crypto";
import { hashToken } from "#src/access/tokens.ts";
import { makeViewer, nobody, type Viewer } from "#src/access/viewer.ts";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import type { PromiseOrValue } from "#src/runtime/waiting.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Clock, Instant } from "#src/base/time.ts";
import { type Database, type Queries, type Sql, sql } from "#src/db/connection/database.ts";
import { inOwnTime } from "#src/db/connection/time-limit.ts";
import type { Role, TokenScope } from "#src/generated/prisma/enums.ts";
import type { Logger } from "pino";
import { sessionSpans } from "#src/access/sessions.ts";
import { isIdOf } from "#src/base/ids.ts";

/** How long a viewer is cached, in milliseconds: changes by other processes take effect within this time. */
const viewerAge = 1000;
const viewerLimit = 10_000;

/** The precision of ApiToken.lastUsedAt: the use of a token is recorded once in this time. */
const lastUsePrecision = "1 minute";

interface Rights {
  userId: string;
  memberships: [organizationId: string, role: Role | null][];
  grants: [targetId: string, role: Role][];
}

interface LimitedRights extends Rights {
  expiresAt: Instant | null;
  scope: TokenScope;
  onlyIn: string | null;
  /** The role in `onlyIn` of a token that the organization owns; null for those of people. */
  serviceRole: Role | null;
}

interface TokenRow extends LimitedRights {
  id: string;
  hash: Buffer;
  isStale: boolean;
}

const everywhere = sql`null`;

const never = sql`false`;

/** A user's active memberships and grants as JSON: in `only` if not null, without memberships `m` that are `closed`. */
const rightsOf = (userId: Sql, only = everywhere, closed = never) => sql`${userId} as "userId",
  (select coalesce(json_agg(json_build_array(m."organizationId", m.role)), '[]')
    from "OrganizationMember" m where m."userId" = ${userId} and not m.disabled
      and m."organizationId" = coalesce(${only}, m."organizationId") and not ${closed}) as memberships,
  (select coalesce(json_agg(json_build_array(coalesce(g."spaceId", g."collectionId"), g.role)), '[]')
    from "OrganizationMember" m join "Grant" g on g."organizationId" = m."organizationId" and (g."userId" = m."userId"
      or g."teamId" = any(array(select tm."teamId" from "TeamMember" tm where tm."userId" = ${userId})))
    where m."userId" = ${userId} and not m.disabled
      and m."organizationId" = coalesce(${only}, m."organizationId") and not ${closed}) as grants`;

/**
 * Whether membership `m` is closed to sessions by e-mail or by the provider of the gateway, and to their tokens: the
 * organization or member requires its own single sign-on, and a provider works. Admins stay in, so that a failing
 * provider locks nobody out.
 */
export const closedIf = (isByEmail: Sql): Sql => sql`(${isByEmail} and m.role is distinct from 'admin' and exists (
  select from "Organization" o join "User" u on u.id = m."userId" where o.id = m."organizationId"
    and (m.sso or (o.sso and exists (select from "EmailDomain" d
      where d."verifiedDomain" = split_part(u.email, '@', 2) and d."organizationId" = o.id)))
    and (exists (select from "SamlProvider" p where p."organizationId" = o.id and p.status = 'active')
      or exists (select from "OidcProvider" p where p."organizationId" = o.id and p."activatedAt" is not null))))`;

/** The scope of token `k`; where the token may be missing, that of a session, which is unlimited. */
const limits = sql`coalesce(k.scope::text, 'admin') as scope,
  case when k."isService" then k.role::text end as "serviceRole"`;

const rightsByToken = (userId: Sql): Sql => sql`${limits}, k."organizationId" as "onlyIn",
  ${rightsOf(userId, sql`k."organizationId"`, closedIf(sql`k."madeByEmail"`))}`;

/** A session by an organization's provider is limited to it: only that organization trusts the provider. */
const onlyIn = sql`coalesce(k."organizationId", s."organizationId")`;

interface ViewersOptions {
  /** How long a viewer is cached, in milliseconds; 0 disables the cache. */
  readonly maxAge?: number | undefined;
  /** Receives which tokens were used when. */
  readonly uses?: Pick<TokenUses, "note">;
}

/** A cached viewer; a promise while it is loaded. */
interface Recent {
  readonly since: number;
  viewer: PromiseOrValue<Viewer>;
}

/** Reads the viewers of a database. It needs nothing that others write. */
export class Viewers {
  readonly #database: Queries;
  readonly #clock: Clock;
  readonly #maxAge: number;
  readonly #uses: ViewersOptions["uses"];
  /** Keyed by the text of a token, the secret of a session, or the id of either with a prefix. */
  readonly #recent = new BoundedMap<string, Recent>(viewerLimit);

  constructor(database: Pick<Database, "vital">, clock: Clock, { maxAge = viewerAge, uses }: ViewersOptions = {}) {
    this.#database = database.vital;
    this.#clock = clock;
    this.#maxAge = maxAge;
    this.#uses = uses;
  }

  /** The viewer of an `Authorization` header. Throws UNAUTHENTICATED unless it has a token that is valid now. */
  async byAuthorization(authorization: string | undefined): Promise<Viewer> {
    return this.find(authorization);
  }

  /** The same, at once if the viewer is cached. */
  find(authorization: string | undefined): PromiseOrValue<Viewer> {
    if (authorization === undefined) throw new DomainError("UNAUTHENTICATED");
    const token = /^Bearer +([!-~]{1,200})$/i.exec(authorization)?.[1];
    if (!token || token.startsWith("dgs_")) throw new DomainError("UNAUTHENTICATED", notBearer);
    return this.#known(token);
  }

  /** The viewer of the secret in the cookie of a session. Throws UNAUTHENTICATED when the session has ended. */
  async bySession(secret: string): Promise<Viewer> {
    if (!secret.startsWith("dgs_")) throw new DomainError("UNAUTHENTICATED", ended.session);
    return this.#known(secret);
  }

  #known(secret: string): PromiseOrValue<Viewer> {
    const checked = (viewer: Viewer): Viewer => {
      if (this.#isOver(viewer.expiresAt)) throw hasEnded(secret);
      return viewer;
    };
    const viewer = this.#recall(secret, () => this.#load(secret));
    return viewer instanceof Promise ? viewer.then(checked) : checked(viewer);
  }

  /** The viewer of the user with this e-mail address, or null: for commands on the machine itself, without a token. */
  async byEmail(email: string): Promise<Viewer | null> {
    const [row] = await this.#database.query<Rights>(
      sql`select ${rightsOf(sql`u.id`)} from "User" u where u.email = ${email.toLowerCase()}`,
    );
    return row ? makeViewer({ ...row, tokenId: "" }) : null;
  }

  /** The viewer of a token or session by its id, or {@link nobody}: for links that were made for it. */
  async byTokenId(tokenId: string): Promise<Viewer> {
    if (tokenId === "") return nobody;
    const viewer = await this.#recall(`id ${tokenId}`, () => this.#loadById(tokenId));
    return this.#isOver(viewer.expiresAt) ? nobody : viewer;
  }

  async #loadById(tokenId: string): Promise<Viewer> {
    const [row] = await this.#database.query<{ userId: string }>(sql`
      select "userId" from "ApiToken" where id = ${tokenId} union all select "userId" from "Session" where id = ${tokenId}`);
    const viewer = row && (await this.renew({ ...nobody, userId: row.userId, tokenId }));
    return viewer ?? nobody;
  }

  /** The viewer with current rights, read from the database; null if their token or session has ended. */
  async renew(viewer: Viewer): Promise<Viewer | null> {
    const [renewed = null] = await this.renewAll([viewer]);
    return renewed;
  }

  /** The viewers of many. Tokens are found one by one, by their ids: a join may read all of them. */
  async renewAll(viewers: readonly Viewer[]): Promise<(Viewer | null)[]> {
    if (viewers.length === 0) return [];
    const [userIds, tokenIds] = [viewers.map(({ userId }) => userId), viewers.map(({ tokenId }) => tokenId)];
    const now = this.#clock.now().toISOString();
    const rows = await this.#database.query<LimitedRights & { place: number }>(sql`
      select v.place::int, coalesce(k."expiresAt", s."expiresAt") as "expiresAt", ${limits}, ${onlyIn} as "onlyIn",
        ${rightsOf(sql`u.id`, onlyIn, closedIf(sql`((s.id is not null and s."organizationId" is null) or k."madeByEmail" is true)`))}
      from unnest(${userIds}::text[], ${tokenIds}::text[]) with ordinality v("userId", "tokenId", place)
      join "User" u on u.id = v."userId"
      left join lateral (
        select * from "ApiToken" t where t.id = v."tokenId" and t."revokedAt" is null limit 1) k on true
      left join lateral (
        select * from "Session" t where t.id = v."tokenId" and t."endedAt" is null and t."expiresAt" > ${now}::timestamptz
        limit 1) s on true
      where v."tokenId" = '' or k.id is not null or s.id is not null`);
    const renewed: (Viewer | null)[] = viewers.map(() => null);
    for (const row of rows) {
      const viewer = viewers[row.place - 1];
      if (!viewer) continue;
      const { shareKey, openedIds, isShort } = viewer; // parts of the request, not of the account
      renewed[row.place - 1] = { ...viewerOf(viewer.tokenId, row), shareKey, openedIds, isShort };
    }
    return renewed;
  }

  forget(): void {
    this.#recent.clear();
  }

  #recall(name: string, load: () => Promise<Viewer>): PromiseOrValue<Viewer> {
    const known = this.#recent.get(name);
    if (known && performance.now() - known.since < this.#maxAge) return known.viewer;
    const viewer = inOwnTime(load); // no operation with a time limit has started yet
    if (this.#maxAge === 0) return viewer;
    const recent: Recent = { since: performance.now(), viewer };
    this.#recent.keep(name, recent);
    viewer.then(
      (loaded) => void (recent.viewer = loaded),
      () => this.#recent.delete(name),
    );
    return viewer;
  }

  async #load(token: string): Promise<Viewer> {
    const hash = hashToken(token);
    const now = this.#clock.now().toISOString();
    const [row] = await this.#database.query<TokenRow>(statementFor(token)(hash, now));
    if (!row || !timingSafeEqual(row.hash, hash) || this.#isOver(row.expiresAt)) throw hasEnded(token);
    if (row.isStale) this.#uses?.note(row.id, now);
    return { ...viewerOf(row.id, row), isShort: token.startsWith("dgt_") };
  }

  #isOver(expiresAt: Instant | null): boolean {
    return expiresAt !== null && expiresAt <= this.#clock.now().toISOString();
  }
}

/** The statement that reads the owner of a token, or a session by its secret or by a token of its own. */
function statementFor(token: string): (hash: Buffer, now: Instant) => Sql {
  if (token.startsWith("dgs_")) return bySecret;
  return token.startsWith("dgt_") ? bySessionToken : byApiToken;
}

const byApiToken = (hash: Buffer, now: Instant): Sql => sql`
  select k.id, k.hash, k."expiresAt", ${rightsByToken(sql`k."userId"`)},
    coalesce(k."lastUsedAt" < ${now}::timestamptz - ${lastUsePrecision}::interval, true) as "isStale"
  from "ApiToken" k where k.hash = ${hash} and k."revokedAt" is null`;

const ofSession = (now: Instant): Sql => sql`s."expiresAt", 'admin' as scope, s."organizationId" as "onlyIn",
  null as "serviceRole", ${rightsOf(sql`s."userId"`, sql`s."organizationId"`, closedIf(sql`s."organizationId" is null`))},
  s."lastUsedAt" < ${now}::timestamptz - ${lastUsePrecision}::interval as "isStale"`;

const bySecret = (hash: Buffer, now: Instant): Sql => sql`
  select s.id, s.hash, ${ofSession(now)} from "Session" s where s.hash = ${hash} and s."endedAt" is null`;

const bySessionToken = (hash: Buffer, now: Instant): Sql => sql`
  select s.id, b.hash, ${ofSession(now)} from "SessionToken" b join "Session" s on s.id = b."sessionId"
  where b.hash = ${hash} and b."expiresAt" > ${now}::timestamptz and s."endedAt" is null`;

/** A token that an organization owns has its role there and nothing else. */
function viewerOf(tokenId: string, { serviceRole, ...row }: LimitedRights): Viewer {
  const memberships =
    serviceRole !== null && row.onlyIn !== null ? [[row.onlyIn, serviceRole] as const] : row.memberships;
  return makeViewer({ ...row, tokenId, memberships, isService: serviceRole !== null });
}

const notBearer = "The header `Authorization` must be 'Bearer <token>' with an API token.";

const ended = {
  token: "The API token is unknown, revoked or expired: use another token.",
  session: "The session has ended: sign in again.",
};

/** Does not say which of these applies: guessing tokens reveals nothing. */
const hasEnded = (secret: string): DomainError =>
  new DomainError("UNAUTHENTICATED", secret.startsWith("dgs_") ? ended.session : ended.token);

/** How often uses are written, in milliseconds. */
const everyMs = 60_000;

type Use = readonly [id: string, at: Instant];

const isSession = (id: string): boolean => isIdOf("Session", id);

const usesOf = (uses: readonly Use[]): Sql =>
  sql`unnest(${uses.map(([id]) => id)}::text[], ${uses.map(([, at]) => at)}::timestamptz[])`;

const tokensUsed = (uses: readonly Use[]): Sql => sql`
  with free as (select id from "ApiToken" where id = any(${uses.map(([id]) => id)}::text[]) for update skip locked)
  update "ApiToken" k set "lastUsedAt" = u.at from ${usesOf(uses)} u(id, at) join free on free.id = u.id
  where k.id = u.id and (k."lastUsedAt" is null or k."lastUsedAt" < u.at)`;

const sessionsUsed = (uses: readonly Use[]): Sql => sql`
  with free as (select id from "Session" where id = any(${uses.map(([id]) => id)}::text[]) for update skip locked)
  update "Session" s set "lastUsedAt" = u.at, "expiresAt" = greatest(s."expiresAt",
    least(u.at + ${sessionSpans.idle}::interval, s."createdAt" + ${sessionSpans.longest}::interval))
  from ${usesOf(uses)} u(id, at) join free on free.id = u.id
  where s.id = u.id and s."lastUsedAt" < u.at and s."endedAt" is null`;

/** The last uses of tokens and sessions, written once a minute: a use prolongs a session. One per process. */
export class TokenUses {
  readonly #database: Queries;
  readonly #log: Logger;
  /** By the ids of tokens and sessions. */
  readonly #uses = new Map<string, Instant>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(database: Queries, log: Logger) {
    this.#database = database;
    this.#log = log;
  }

  note(tokenId: string, at: Instant): void {
    this.#uses.set(tokenId, at);
  }

  start(): void {
    this.#timer = setInterval(() => void this.#write(), everyMs).unref();
  }

  stop(): Promise<void> {
    clearInterval(this.#timer);
    return this.#write();
  }

  /** Writes run one after the other. Uses that could not be written are kept for the next run. */
  #write(): Promise<void> {
    return (this.#writing = this.#writing.then(async () => {
      const uses = [...this.#uses];
      if (uses.length === 0) return;
      try {
        // Another gateway may be writing the same rows: it has recorded their use, too.
        const [tokens, sessions] = [uses.filter(([id]) => !isSession(id)), uses.filter(([id]) => isSession(id))];
        if (tokens.length > 0) await this.#database.query(tokensUsed(tokens));
        if (sessions.length > 0) await this.#database.query(sessionsUsed(sessions));
        for (const [id, at] of uses) if (this.#uses.get(id) === at) this.#uses.delete(id);
      } catch (error) {
        this.#log.warn(
          { err: error, uses: uses.length },
          "could not write the last uses of tokens; they are kept for the next write",
        );
      }
    }));
  }
}
