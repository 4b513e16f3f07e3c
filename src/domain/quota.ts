// The ledger: what the operations of each user cost, by whatever way they come, in one account of a minute that several
// gateways may share. And who of them may run now.
import { type RateLimiterAbstract, RateLimiterMemory } from "rate-limiter-flexible";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { DomainError, RateLimitedError } from "#src/base/errors.ts";
import {
  inFigures,
  installationsOfOrganization,
  type OperationLimits,
  operationLimits,
  trafficLimits,
  type TrafficLimits,
} from "#src/base/limits.ts";
import type { Payer } from "#src/runtime/tenant.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import { OperationPlaces } from "#src/domain/slots.ts";

/** `report` tells the cost with the answer; `dry-run` tells the estimate alone, and nothing is run. */
export type CostAsked = "report" | "dry-run";

/** What the ledger keeps operations to. */
export type LedgerLimits = TrafficLimits & Pick<OperationLimits, "estimate">;

/** Which limits refuse, for those who watch the gateway. */
export type LimitName = "estimate" | "points" | "operations" | "work";

/** Up to so many points by its estimate, a read takes the sixteenth part of a place: it is soon over. */
const lightPoints = 5_000;
const lightPart = 1 / 16;

/** For each so many points an operation takes a place: its answer is held in memory, whole. */
const heavyPoints = 250_000;

/** Of all places it takes a quarter at most. */
const mostOfAll = 1 / 4;

/** The places, or the part of one, that an operation takes. */
export function placesFor(
  { kind, estimated }: { readonly kind: string; readonly estimated: number },
  { atOncePerUser, atOnce }: Pick<TrafficLimits, "atOncePerUser" | "atOnce">,
): number {
  if (kind === "query" && estimated <= lightPoints) return lightPart;
  // One is left to what else the user asks.
  const most = Math.min(atOncePerUser - 1, Math.floor(atOnce * mostOfAll));
  return Math.max(1, Math.min(most, Math.ceil(estimated / heavyPoints)));
}

/** What is counted of users who ask at the moment. */
const mostUsers = 100_000;

/** How long, in milliseconds, points are gathered before the store is told of them: it may be another machine. */
const gatherMs = 100;

/** How long, in seconds, an account is kept. */
const windowSeconds = 60;

/** Where points of a minute are counted: in memory, or in Redis for several gateways. */
export type PointStore = Pick<RateLimiterAbstract, "penalty">;

const pointsInMemory = (): PointStore => new RateLimiterMemory({ points: 1, duration: windowSeconds });

/** What an account may spend in a minute. */
interface AccountTerms {
  readonly points: number;
  /** Whose operations it counts, for messages. */
  readonly whose: string;
  /** An account that the same points are spent on, too. */
  readonly parent?: Account;
}

/** The account of one user for the minute that runs. */
export class Account {
  readonly user: string;
  readonly terms: AccountTerms;
  readonly #ledger: Pick<Ledger, "tell">;
  /** As the store knows them. */
  #told = 0;
  /** Points that the store has not been told of. */
  #untold = 0;
  /** When the minute ends, in milliseconds since 1970. */
  #endsAt = 0;
  #isTelling = false;
  /** Points of this minute by token. */
  readonly #byToken = new Map<string, number>();

  constructor(user: string, ledger: Pick<Ledger, "tell">, terms: AccountTerms) {
    this.user = user;
    this.terms = terms;
    this.#ledger = ledger;
  }

  /** Points of this minute, on all gateways as far as they are known here. */
  get spent(): number {
    return this.#untold + (Date.now() < this.#endsAt ? this.#told : 0);
  }

  get remaining(): number {
    return Math.max(0, Math.floor(this.terms.points - this.spent));
  }

  /** When all points are there again, in milliseconds since 1970. */
  get resetAt(): number {
    const now = Date.now();
    return this.#endsAt > now ? this.#endsAt : now + windowSeconds * 1000;
  }

  /** The same in seconds from now. */
  get resetSeconds(): number {
    return Math.max(1, Math.ceil((this.resetAt - Date.now()) / 1000));
  }

  /** Points that a token has spent in this minute. */
  ofToken(tokenId: string): number {
    return this.#byToken.get(tokenId) ?? 0;
  }

  spend(tokenId: string, points: number): void {
    this.terms.parent?.spend(tokenId, points);
    this.#untold += points;
    this.#byToken.set(tokenId, this.ofToken(tokenId) + points);
    if (this.#isTelling) return;
    this.#isTelling = true;
    setTimeout(() => void this.#tell(), gatherMs).unref();
  }

  async #tell(): Promise<void> {
    const points = Math.ceil(this.#untold);
    this.#untold = 0;
    this.#told = this.spent + points;
    this.#endsAt = this.resetAt;
    const known = await this.#ledger.tell(this.user, points);
    this.#isTelling = false;
    if (!known) return;
    if (known.endsAt > this.#endsAt + 1000) this.#byToken.clear();
    this.#told = known.points;
    this.#endsAt = known.endsAt;
  }
}

/** See the head of this file. One for the process. */
export class Ledger {
  readonly limits: LedgerLimits;
  readonly places: OperationPlaces;
  readonly refusals: Record<LimitName, number> = { estimate: 0, points: 0, operations: 0, work: 0 };
  /** Points of all operations since the start. */
  points = 0;
  readonly #store: PointStore;
  readonly #accounts = new BoundedMap<string, Account>(mostUsers);

  constructor(limits: Partial<LedgerLimits> = {}, store: PointStore = pointsInMemory()) {
    this.limits = { ...trafficLimits, estimate: operationLimits.estimate, ...limits };
    this.places = new OperationPlaces(this.limits);
    this.#store = store;
  }

  /** The account of a user, or of an address from which visitors ask. */
  accountOf(user: string): Account {
    const known = this.#accounts.get(user);
    if (known) return known;
    return this.#open(user, { points: this.limits.pointsPerMinute, whose: "one user" });
  }

  /**
   * The account of an installation of an integration, by its own user. What it spends is also counted for all
   * installations of its organization together. From then on {@link accountOf} returns it for that user.
   */
  installationAccountOf(user: string, organizationId: string): Account {
    const known = this.#accounts.get(user);
    if (known?.terms.parent) return known;
    const { points } = this.limits.installations;
    const group = `installations of ${organizationId}`;
    const together = { points: points * installationsOfOrganization, whose: "the installations of one organization" };
    const parent = this.#accounts.get(group) ?? this.#open(group, together);
    return this.#open(user, { points, whose: "one installation", parent });
  }

  #open(user: string, terms: AccountTerms): Account {
    const account = new Account(user, this, terms);
    this.#accounts.keep(user, account);
    return account;
  }

  /** Tells the store of points. Null where it does not answer: then what is known here counts. */
  async tell(user: string, points: number): Promise<{ readonly points: number; readonly endsAt: number } | null> {
    try {
      const { consumedPoints, msBeforeNext } = await this.#store.penalty(user, points);
      return { points: consumedPoints, endsAt: Date.now() + msBeforeNext };
    } catch {
      return null;
    }
  }

  /** Throws INVALID_INPUT for an operation that may cost too much by its estimate. */
  requireEstimate(points: number): void {
    const { estimate } = this.limits;
    if (points <= estimate) return;
    this.refusals.estimate += 1;
    throw new DomainError(
      "INVALID_INPUT",
      `An operation may cost at most ${inFigures(estimate)} points by its estimate: this one ${inFigures(points)}. Ask for smaller pages, for fewer fields of each row, or for fewer lists inside lists.`,
    );
  }

  /**
   * Takes a place for an operation: at once, or when its turn comes, which the promise tells. RATE_LIMITED where too
   * many wait, or after some seconds.
   */
  takePlace({ user }: Account, limit: TimeLimit, part: number): Promise<void> | undefined {
    if (this.places.tryTake(user, part)) return undefined;
    return this.places.take(user, limit, part).catch((error: unknown) => {
      this.refusals.operations += 1;
      throw error;
    });
  }

  /** Throws RATE_LIMITED while an account has no points left in this minute. */
  requirePoints(account: Account): void {
    const { points, whose, parent } = account.terms;
    if (parent) this.requirePoints(parent);
    if (account.spent < points) return;
    this.refusals.points += 1;
    const seconds = account.resetSeconds;
    throw new RateLimitedError(
      `The operations of ${whose} cost at most ${inFigures(points)} points a minute: yours have cost ${inFigures(account.spent)}. Try again in ${seconds} seconds.`,
      seconds,
    );
  }

  /** The user of an account, for whom threads work: who takes turns with others, and pays for their time. */
  payer({ user }: Account, takeTime: (ms: number) => void): Payer {
    const countRefusal = () => void (this.refusals.work += 1);
    return { user, mostWaiting: this.limits.workWaitingPerUser, takeTime, countRefusal };
  }

  /** Counts what an operation has cost. */
  spend(account: Account, tokenId: string, points: number): void {
    this.points += points;
    account.spend(tokenId, points);
  }
}
