// Hooks: points in a command at which later features take part, in the same transaction.
import type { Transaction } from "#src/domain/change.ts";

type Part<Facts> = (transaction: Transaction, facts: Facts) => Promise<void>;

/** What a feature does at a moment of another one; the registry record of the feature lists it. */
export interface HookPart {
  readonly moment: string;
}

/** A point in a command. The feature that owns the command defines it, and knows nothing of those that take part. */
export class Hook<Facts> {
  readonly name: string;
  readonly #parts: Part<Facts>[] = [];

  /** `name` is the noun and what happens to it, such as `content leaves its organization`. */
  constructor(name: string) {
    this.name = name;
  }

  /** Adds what a feature does at this moment. Parts are done in the order of the registry. */
  join(part: Part<Facts>): HookPart {
    this.#parts.push(part);
    return { moment: this.name };
  }

  async run(transaction: Transaction, facts: Facts): Promise<void> {
    for (const part of this.#parts) await part(transaction, facts);
  }
}
