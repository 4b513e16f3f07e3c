// Cost quotas: how much the operations of each tenant may cost per minute, over all transports. Several gateways may
// count together.
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
import type { Slot, Tenant } from "#src/runtime/tenant.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import { type OperationSlot, OperationSlots } from "#src/domain/operation-slots.ts";
import { largeOperations } from "#src/runtime/memory.ts";

/** `report` returns the cost with the response; `dry-run` returns only the estimate, without running the operation. */
export type CostAsked = "report" | "dry-run";

type CostLimits = TrafficLimits & Pick<OperationLimits, "estimate">;
type LimitName = "estimate" | "points" | "operations" | "work";

const mostTenants = 100_000;

/** How long, in milliseconds, points are gathered before they are counted in the store, which may be remote. */
const gatherMs = 100;

/** The window of a quota, in seconds. */
const windowSeconds = 60;

/** Counts the points of a minute: in memory, or in Redis for several gateways. */
export type CostStore = Pick<RateLimiterAbstract, "penalty">;

const costsInMemory = (): CostStore => new RateLimiterMemory({ points: 1, duration: windowSeconds });

interface QuotaTerms {
  readonly points: number;
  readonly whose: string;
  readonly parent?: CostQuota;
}

/** The quota of one tenant in the current minute: of a user, an installation, or a client network of visitors. */
export class CostQuota {
  readonly user: string;
  readonly terms: QuotaTerms;
  readonly #costQuotas: Pick<CostQuotas, "count">;
  /** Points of this minute that the store has counted. */
  #counted = 0;
  /** Points that the store has not counted yet. */
  #uncounted = 0;
  /** When the minute ends, in milliseconds since 1970. */
  #endsAt = 0;
  #isCounting = false;
  readonly #byToken = new Map<string, number>();

  constructor(user: string, costQuotas: Pick<CostQuotas, "count">, terms: QuotaTerms) {
    this.user = user;
    this.terms = terms;
    this.#costQuotas = costQuotas;
  }

  /** Points of this minute, on all gateways as far as known here. */
  get spent(): number {
    return this.#uncounted + (Date.now() < this.#endsAt ? this.#counted : 0);
  }

  get remaining(): number {
    return Math.max(0, Math.floor(this.terms.points - this.spent));
  }

  /** When the minute ends and all points are available again, in milliseconds since 1970. */
  get resetAt(): number {
    const now = Date.now();
    return this.#endsAt > now ? this.#endsAt : now + windowSeconds * 1000;
  }

  /** The same in seconds from now. */
  get resetSeconds(): number {
    const left = this.#endsAt - Date.now();
    return left > 0 ? Math.ceil(left / 1000) : windowSeconds;
  }

  ofToken(tokenId: string): number {
    return this.#byToken.get(tokenId) ?? 0;
  }

  spend(tokenId: string, points: number): void {
    this.terms.parent?.spend(tokenId, points);
    this.#uncounted += points;
    this.#byToken.set(tokenId, (this.#byToken.get(tokenId) ?? 0) + points);
    if (this.#isCounting) return;
    this.#isCounting = true;
    setTimeout(() => void this.#count(), gatherMs).unref();
  }

  async #count(): Promise<void> {
    const points = Math.ceil(this.#uncounted);
    this.#uncounted = 0;
    this.#counted = this.spent + points;
    this.#endsAt = this.resetAt;
    const known = await this.#costQuotas.count(this.user, points);
    this.#isCounting = false;
    if (!known) return;
    if (known.endsAt > this.#endsAt + 1000) this.#byToken.clear();
    this.#counted = known.points;
    this.#endsAt = known.endsAt;
  }
}

/** The quotas of all tenants. One per process. */
export class CostQuotas {
  readonly limits: CostLimits;
  readonly slots: OperationSlots;
  /** The quota of a user, as the header RateLimit-Policy has it. */
  readonly policy: string;
  readonly refusals: Record<LimitName, number> = { estimate: 0, points: 0, operations: 0, work: 0 };
  /** Points of all operations since the start. */
  points = 0;
  readonly #store: CostStore;
  readonly #quotas = new BoundedMap<string, CostQuota>(mostTenants);

  constructor(limits: Partial<CostLimits> = {}, store: CostStore = costsInMemory()) {
    this.limits = { ...trafficLimits, estimate: operationLimits.estimate, ...limits };
    this.slots = new OperationSlots(this.limits);
    this.policy = `"points";q=${this.limits.pointsPerMinute};w=${windowSeconds}`;
    this.#store = store;
  }

  /** The quota of a user, or of a network from which visitors send requests. */
  quotaOf(user: string): CostQuota {
    const known = this.#quotas.get(user);
    if (known) return known;
    return this.#open(user, { points: this.limits.pointsPerMinute, whose: "one user" });
  }

  /** The quota of an installation's user, then that of {@link quotaOf}; its organization's counts the same points. */
  installationQuotaOf(user: string, organizationId: string): CostQuota {
    const known = this.#quotas.get(user);
    if (known?.terms.parent) return known;
    const { points } = this.limits.installations;
    const group = `installations of ${organizationId}`;
    const together = { points: points * installationsOfOrganization, whose: "the installations of one organization" };
    const parent = this.#quotas.get(group) ?? this.#open(group, together);
    return this.#open(user, { points, whose: "one installation", parent });
  }

  #open(user: string, terms: QuotaTerms): CostQuota {
    const quota = new CostQuota(user, this, terms);
    this.#quotas.keep(user, quota);
    return quota;
  }

  /** Counts points in the store, and returns those of the minute. Null if it does not respond. */
  async count(user: string, points: number): Promise<{ readonly points: number; readonly endsAt: number } | null> {
    try {
      const { consumedPoints, msBeforeNext } = await this.#store.penalty(user, points);
      return { points: consumedPoints, endsAt: Date.now() + msBeforeNext };
    } catch {
      return null;
    }
  }

  /** Throws INVALID_INPUT for an operation whose estimate exceeds the limit. */
  requireEstimate(points: number): void {
    const { estimate } = this.limits;
    if (points <= estimate) return;
    this.refusals.estimate += 1;
    throw new DomainError(
      "INVALID_INPUT",
      `The operation costs ${inFigures(points)} points by its estimate, and the limit is ${inFigures(estimate)}. Request smaller pages, fewer fields of each row, or fewer nested lists.`,
    );
  }

  /** Takes a slot, at once or in the caller's turn. Rejects with RATE_LIMITED if too many wait, or after 5 s. */
  takeSlot({ user }: CostQuota, limit: TimeLimit, weight: number): Promise<void> | undefined {
    const isLarge = weight > 1;
    if (!isLarge && this.slots.tryTake(user, weight)) return undefined;
    const taken = isLarge ? this.#takeLarge(user, limit, weight) : this.slots.takeInTime(user, limit, weight);
    return taken.catch((error: unknown) => {
      this.refusals.operations += 1;
      throw error;
    });
  }

  /** An operation with a large response waits for memory, too, while others of its user may run. */
  async #takeLarge(user: string, limit: TimeLimit, weight: number): Promise<void> {
    if (!this.slots.tryTake(user, weight)) await this.slots.takeInTime(user, limit, weight);
    try {
      if (!largeOperations.tryTake(user)) await largeOperations.take(user, 1, (fail) => limit.onEnd(fail));
    } catch (error) {
      this.slots.give(user, weight);
      throw error;
    }
  }

  giveSlot({ user }: CostQuota, slot: OperationSlot, points: number): void {
    slot.end(points);
    if (slot.weight > 1) largeOperations.give(user);
  }

  /** Throws RATE_LIMITED while a quota has no points left in this minute. */
  requirePoints(quota: CostQuota): void {
    const { points, whose, parent } = quota.terms;
    if (parent) this.requirePoints(parent);
    if (quota.spent < points) return;
    this.refusals.points += 1;
    const seconds = quota.resetSeconds;
    throw new RateLimitedError(
      `The operations of ${whose} may cost ${inFigures(points)} points per minute, and yours have cost ${inFigures(quota.spent)}. Try again in ${seconds} seconds.`,
      seconds,
    );
  }

  /** The tenant of a quota, to whom the time of threads is billed. */
  tenantOf({ user }: CostQuota, takeTime: (ms: number) => void, slot?: Slot): Tenant {
    return {
      user,
      mostWaiting: this.limits.workWaitingPerUser,
      takeTime: (ms) => {
        takeTime(ms);
        this.slots.use(user, ms);
      },
      isSingle: () => this.slots.isSingle(user),
      restFor: (ms) => this.slots.restFor(user, ms),
      countRefusal: () => void (this.refusals.work += 1),
      ...(slot && { slot }),
    };
  }

  spend(quota: CostQuota, tokenId: string, points: number): void {
    this.points += points;
    quota.spend(tokenId, points);
  }
}
