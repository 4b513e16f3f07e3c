// Visitor tokens: JWTs signed with a site's key (HS256), or with a key of its owner (RS256, ES256) read from an
// address.
import type {
  createLocalJWKSet,
  FlattenedJWSInput,
  JWK,
  JWTHeaderParameters,
  JWTPayload,
  JWTVerifyOptions,
} from "jose";
import { decodeProtectedHeader } from "jose/decode/protected_header";
import * as errors from "jose/errors";
import { decodeJwt } from "jose/jwt/decode";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { SealedColumn, Secrets } from "#src/base/secrets.ts";
import type { Clock } from "#src/base/time.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { inOwnTime } from "#src/db/connection/time-limit.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { isRecord } from "#src/base/json.ts";

export const signingKeySecret: SealedColumn = { table: "SiteSigningKey", column: "secret" };

/** The longest lifetime of a token from now, and the tolerated difference of clocks, in seconds. */
const longestLife = 24 * 60 * 60;
const clockTolerance = 30;

/** The longest token, in characters. */
const longestToken = 8_192;

/** How long the keys of a site are cached, in milliseconds. */
const keysAge = 1_000;
const sitesInMemory = 1_000;

interface SiteKeys {
  readonly signingKeys: readonly { readonly secret: Uint8Array; readonly expiresAt: number | null }[];
  readonly jwksUrl: string | null;
}

/** The claims of a token, or why it was rejected: for the owner of the site, and never for visitors. */
type CheckedToken = { readonly claims: JWTPayload } | { readonly problem: string };

interface Given {
  readonly database: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly fetch: SafeFetch;
  /** How long keys are cached, in milliseconds; 0 disables the cache. */
  readonly maxAge?: number | undefined;
}

/** Checks tokens of visitors. */
export class VisitorTokens {
  readonly #given: Given;
  readonly #maxAge: number;
  readonly #keySets: KeySets;
  readonly #recent = new BoundedMap<string, { readonly since: number; readonly keys: Promise<SiteKeys> }>(
    sitesInMemory,
  );

  constructor(given: Given) {
    this.#given = given;
    this.#maxAge = given.maxAge ?? keysAge;
    this.#keySets = new KeySets(given.fetch, given.clock);
  }

  /** The claims of a visitor of this site; null if the token is invalid for any reason. */
  async claimsOf(siteId: string, token: string): Promise<JWTPayload | null> {
    const checked = await this.check(siteId, token);
    return "claims" in checked ? checked.claims : null;
  }

  /** The claims, or the reason why the token is invalid. */
  async check(siteId: string, token: string): Promise<CheckedToken> {
    if (token.length > longestToken) return { problem: `It has more than ${longestToken} characters.` };
    const algorithm = algorithmOf(token);
    const keys = await this.#keysOf(siteId);
    if (algorithm === "HS256") return this.#byFirst(siteId, token, this.#validSecrets(keys), ["HS256"]);
    if (algorithm !== "RS256" && algorithm !== "ES256")
      return {
        problem: algorithm === null ? "It is not a signed JWT." : "Its algorithm must be HS256, RS256 or ES256.",
      };
    const { jwksUrl } = keys;
    if (jwksUrl === null)
      return { problem: `It is signed with ${algorithm}, but the site has no address of public keys.` };
    const { kid } = decodeProtectedHeader(token);
    const [part = "", payload = "", signature = ""] = token.split(".");
    const flat = { protected: part, payload, signature };
    const found = await this.#keySets.keysFor(jwksUrl, { alg: algorithm, ...(kid !== undefined && { kid }) }, flat);
    return this.#byFirst(siteId, token, found, [algorithm]);
  }

  /** Drops the cached keys of a site after they have changed. */
  forget(siteId: string): void {
    this.#recent.delete(siteId);
  }

  /** The claims by the first key that verifies. The algorithm is given: a key is never used for another one. */
  async #byFirst(
    siteId: string,
    token: string,
    keys: readonly (CryptoKey | Uint8Array)[],
    algorithms: string[],
  ): Promise<CheckedToken> {
    const currentDate = this.#given.clock.now();
    // A key of the site signs for it alone, so its tokens need not name the site: those of integrations do not.
    const isForSite = algorithms.includes("HS256") && !namesAudience(token);
    const audience = isForSite ? { requiredClaims: ["exp"] } : { audience: siteId, requiredClaims: ["exp", "aud"] };
    const options = { algorithms, ...audience, currentDate, clockTolerance };
    let problem = "No key of the site, or of the address of its keys, matches its signature.";
    for (const key of keys) {
      const checked = await verifyWith(token, key, options);
      if ("claims" in checked) return checked;
      ({ problem } = checked);
      if (!checked.isOtherKey) break;
    }
    return { problem };
  }

  #validSecrets({ signingKeys }: SiteKeys): Uint8Array[] {
    const now = this.#given.clock.now().getTime();
    return signingKeys.flatMap(({ secret, expiresAt }) => (expiresAt === null || expiresAt > now ? [secret] : []));
  }

  #keysOf(siteId: string): Promise<SiteKeys> {
    const known = this.#recent.get(siteId);
    if (known && performance.now() - known.since < this.#maxAge) return known.keys;
    const keys = inOwnTime(() => this.#load(siteId));
    if (this.#maxAge === 0) return keys;
    this.#recent.keep(siteId, { since: performance.now(), keys });
    keys.catch(() => this.#recent.delete(siteId));
    return keys;
  }

  async #load(siteId: string): Promise<SiteKeys> {
    const [row] = await this.#given.database.query<{ jwksUrl: string | null; keys: KeyRow[] }>(sql`
      select s."jwksUrl", (select coalesce(json_agg(json_build_array(k.id, encode(k.secret, 'base64'),
          floor(extract(epoch from k."expiresAt") * 1000)) order by k."createdAt" desc, k.id desc), '[]')
        from "SiteSigningKey" k where k."siteId" = s.id) as keys
      from "Site" s where s.id = ${siteId}`);
    const signingKeys = (row?.keys ?? []).flatMap(([id, sealed, expiresAt]) => {
      const secret = this.#openIfPossible(id, Buffer.from(sealed, "base64"));
      return secret === null ? [] : [{ secret, expiresAt }];
    });
    return { signingKeys, jwksUrl: row?.jwksUrl ?? null };
  }

  /** The text of a key is its bytes, as libraries take it. Null if the key that sealed it was removed. */
  #openIfPossible(id: string, sealed: Buffer): Uint8Array | null {
    try {
      return new TextEncoder().encode(this.#given.secrets.open(signingKeySecret, id, sealed));
    } catch {
      return null;
    }
  }
}

/** The ids of the sites that a token names as its audience, at most five. Nothing is verified here. */
export function sitesOfToken(token: string): string[] {
  if (token.length > longestToken || algorithmOf(token) === null) return [];
  try {
    const named: unknown[] = [decodeJwt(token).aud].flat(); // unverified, so of any type
    return named.filter((id): id is string => typeof id === "string" && isIdOf("Site", id)).slice(0, 5);
  } catch {
    return [];
  }
}

/** Whether a token has the claim `aud`. Nothing is verified here. */
function namesAudience(token: string): boolean {
  try {
    return decodeJwt(token).aud !== undefined;
  } catch {
    return true;
  }
}

type KeyRow = [id: string, sealed: string, expiresAt: number | null];

/** The algorithm that a token names; null if the text is not a token. */
function algorithmOf(token: string): string | null {
  try {
    return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) ? (decodeProtectedHeader(token).alg ?? null) : null;
  } catch {
    return null;
  }
}

async function verifyWith(
  token: string,
  key: CryptoKey | Uint8Array,
  options: JWTVerifyOptions & { currentDate: Date },
): Promise<CheckedToken & { isOtherKey?: boolean }> {
  const { jwtVerify } = await import("jose/jwt/verify"); // at the first token: most gateways never see one
  try {
    const { payload } = await jwtVerify(token, key, options);
    const life = (payload.exp ?? Infinity) - options.currentDate.getTime() / 1000;
    if (life > longestLife + clockTolerance) return { problem: "Its exp is more than 24 hours ahead." };
    return { claims: payload };
  } catch (error) {
    return {
      problem: problemOf(error),
      isOtherKey: !(error instanceof errors.JWTClaimValidationFailed) && !(error instanceof errors.JWTExpired),
    };
  }
}

/** Why a token was rejected. Messages of the library name claims and headers, and contain no key. */
function problemOf(error: unknown): string {
  if (error instanceof errors.JWSSignatureVerificationFailed) return "It is not signed with a key of the site.";
  if (error instanceof errors.JWTExpired) return "It has expired.";
  if (error instanceof errors.JWTClaimValidationFailed)
    return `Its claim ${error.claim} is missing or invalid: aud must be the id of the site, exp and nbf times in seconds.`;
  return "It is not a JWT that can be verified: its header or payload is malformed, or its key is too weak.";
}

/** Times in milliseconds: how long keys are used without reading them again, and how long while their server fails. */
const freshMs = 10 * 60_000;
const staleMs = 60 * 60_000;
/** The shortest time between two requests to one address, even if many tokens name unknown keys. */
const pauseMs = 30_000;

const limits = { bytes: 256_000, timeoutMs: 5_000, keys: 50, addresses: 1_000 } as const;

/** The longest modulus, in characters of base64url: more than 8192 bits cost too much to verify with. */
const longestModulus = 1_400;

type LocalKeys = ReturnType<typeof createLocalJWKSet>;
type Key = Awaited<ReturnType<LocalKeys>>;

interface Known {
  askedAt: number;
  /** The keys, and when they were read; null before the first success. */
  read: { readonly keys: LocalKeys; readonly at: number } | null;
  /** The running request, which all callers share. */
  pending: Promise<void> | null;
}

/**
 * Public keys by the address of their JSON Web Key Set: cached, and read again when a token names an unknown key. Not
 * jose's createRemoteJWKSet, which takes no clock, repeats every failed read, and never serves stale keys.
 */
class KeySets {
  readonly #ask: SafeFetch;
  readonly #clock: Clock;
  readonly #known = new BoundedMap<string, Known>(limits.addresses);

  constructor(fetch: SafeFetch, clock: Clock) {
    this.#ask = fetch;
    this.#clock = clock;
  }

  /** The keys that may have signed a token: several if it names none, empty if unknown or unreadable. */
  async keysFor(url: string, header: JWTHeaderParameters, token: FlattenedJWSInput): Promise<Key[]> {
    const known = this.#of(url);
    const now = () => this.#clock.now().getTime();
    if (known.read === null || now() - known.read.at > freshMs) await this.#readAgain(url, known);
    const found = await matching(known, now(), header, token);
    if (found.length > 0) return found;
    const isNew = await this.#readAgain(url, known); // the signer may have made a new key
    return isNew ? matching(known, now(), header, token) : found;
  }

  #of(url: string): Known {
    let known = this.#known.get(url);
    if (!known) this.#known.keep(url, (known = { askedAt: -Infinity, read: null, pending: null }));
    return known;
  }

  /** Reads the keys unless they were requested a short time ago; returns false then. */
  async #readAgain(url: string, known: Known): Promise<boolean> {
    if (!known.pending) {
      const now = this.#clock.now().getTime();
      if (now - known.askedAt < pauseMs) return false;
      known.askedAt = now;
      known.pending = this.#read(url)
        .then((keys) => void (known.read = { keys, at: now }))
        .catch(() => {}) // the cached keys stay in use
        .finally(() => (known.pending = null));
    }
    await known.pending;
    return true;
  }

  async #read(url: string): Promise<LocalKeys> {
    const headers = { accept: "application/jwk-set+json, application/json" };
    const answer = await this.#ask(url, { headers, maxBytes: limits.bytes, timeoutMs: limits.timeoutMs });
    const value: unknown = answer.status === 200 ? JSON.parse(answer.body.toString("utf8")) : null;
    if (!isRecord(value) || !Array.isArray(value["keys"])) throw new Error("The response is not a JSON Web Key Set.");
    const { createLocalJWKSet } = await import("jose/jwks/local");
    return createLocalJWKSet({ keys: value["keys"].slice(0, limits.keys).flatMap(publicKey) });
  }
}

/** The public part of an RSA or EC key; null for others, such as symmetric ones, which are secrets. */
function publicKey(key: unknown): JWK[] {
  if (!isRecord(key)) return [];
  const { kty, kid, use, alg, key_ops: operations, n, e, crv, x, y } = key;
  const isText = (...values: unknown[]) => values.every((value) => typeof value === "string");
  const isRsa = kty === "RSA" && isText(n, e) && String(n).length <= longestModulus && String(e).length <= 8;
  if (!isRsa && !(kty === "EC" && isText(crv, x, y))) return [];
  const about = { kid, use, alg, key_ops: operations };
  const parts = isRsa ? { n, e } : { crv, x, y };
  const given = Object.entries({ ...about, ...parts }).filter(([, value]) => value !== undefined);
  return [{ kty: String(kty), ...Object.fromEntries(given) }];
}

async function matching({ read }: Known, now: number, header: JWTHeaderParameters, token: FlattenedJWSInput) {
  if (read === null || now - read.at > staleMs) return [];
  try {
    return [await read.keys(header, token)];
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return [];
    const several: Key[] = [];
    for await (const key of error) several.push(key);
    return several;
  }
}
