// Public keys by the address of their JSON Web Key Set: cached, and read again when a token names an unknown key.
// Why not jose's createRemoteJWKSet: it takes no clock, asks again after each failed read, and serves nothing stale.
import { createLocalJWKSet, errors, type FlattenedJWSInput, type JWK, type JWTHeaderParameters } from "jose";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { isRecord } from "#src/base/json.ts";
import type { Clock } from "#src/base/time.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";

/** Times in milliseconds: how long keys are taken as they are, and, while their server fails, at the very most. */
const freshMs = 10 * 60_000;
const staleMs = 60 * 60_000;
/** The shortest time between two requests to one address, whatever tokens come and however they fail. */
const pauseMs = 30_000;

const limits = { bytes: 256_000, timeoutMs: 5_000, keys: 50, addresses: 1_000 } as const;

/** The longest modulus, in characters of base64url: more than 8192 bits cost too much to compute with. */
const longestModulus = 1_400;

type LocalKeys = ReturnType<typeof createLocalJWKSet>;
type Key = Awaited<ReturnType<LocalKeys>>;

interface Known {
  /** When the address was last asked. */
  askedAt: number;
  /** The keys, and when they were read; null before the first success. */
  read: { readonly keys: LocalKeys; readonly at: number } | null;
  /** A request on its way, for which all wait. */
  pending: Promise<void> | null;
}

/** The key sets of a process. */
export class KeySets {
  readonly #ask: SafeFetch;
  readonly #clock: Clock;
  readonly #known = new BoundedMap<string, Known>(limits.addresses);

  constructor(fetch: SafeFetch, clock: Clock) {
    this.#ask = fetch;
    this.#clock = clock;
  }

  /** The keys that may have signed a token: several if it names none, empty if missing or they cannot be read. */
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

  /** Reads the keys unless they were asked for a moment ago; false where they were. */
  async #readAgain(url: string, known: Known): Promise<boolean> {
    if (!known.pending) {
      const now = this.#clock.now().getTime();
      if (now - known.askedAt < pauseMs) return false;
      known.askedAt = now;
      known.pending = this.#read(url)
        .then((keys) => void (known.read = { keys, at: now }))
        .catch(() => {}) // what was known before stays
        .finally(() => (known.pending = null));
    }
    await known.pending;
    return true;
  }

  async #read(url: string): Promise<LocalKeys> {
    const headers = { accept: "application/jwk-set+json, application/json" };
    const answer = await this.#ask(url, { headers, maxBytes: limits.bytes, timeoutMs: limits.timeoutMs });
    const value: unknown = answer.status === 200 ? JSON.parse(answer.body.toString("utf8")) : null;
    if (!isRecord(value) || !Array.isArray(value["keys"])) throw new Error("This is no JSON Web Key Set.");
    return createLocalJWKSet({ keys: value["keys"].slice(0, limits.keys).flatMap(publicKey) });
  }
}

/** The public part of an RSA or EC key; nothing for others, such as symmetric ones, which are secrets. */
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

async function matching(
  { read }: Known,
  now: number,
  header: JWTHeaderParameters,
  token: FlattenedJWSInput,
): Promise<Key[]> {
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
