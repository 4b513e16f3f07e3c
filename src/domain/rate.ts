// A limit of requests per minute and key, such as the network of a client, counted together by gateways with one Redis.
import { RateLimitedError } from "#src/base/errors.ts";
import { inFigures } from "#src/base/limits.ts";
import type { CostQuotas } from "#src/domain/quota.ts";

interface RateTerms {
  /** Separates its keys from those of other rates. */
  readonly name: string;
  readonly most: number;
  /** The subject of messages, such as "One client may send requests". */
  readonly what: string;
}

/** See the head of this file. */
export class Rate {
  readonly #counts: Pick<CostQuotas, "count">;
  readonly #terms: RateTerms;

  constructor(counts: Pick<CostQuotas, "count">, terms: RateTerms) {
    this.#counts = counts;
    this.#terms = terms;
  }

  /** Counts a request. Throws RATE_LIMITED beyond the limit per minute. */
  async take(key: string): Promise<void> {
    const { name, most, what } = this.#terms;
    const counted = await this.#counts.count(`${name} ${key}`, 1);
    if (!counted || counted.points <= most) return;
    const seconds = Math.max(1, Math.ceil((counted.endsAt - Date.now()) / 1000));
    throw new RateLimitedError(
      `${what} at most ${inFigures(most)} times per minute. Try again in ${seconds} seconds.`,
      seconds,
    );
  }

  /** Counts a request less: one that is exempt from the limit after all. */
  async giveBack(key: string): Promise<void> {
    await this.#counts.count(`${this.#terms.name} ${key}`, -1);
  }
}
