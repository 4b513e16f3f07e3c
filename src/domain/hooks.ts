// Hooks: points in a command at which later features take part, in the same transaction.
import type { Transaction } from "#src/domain/change.ts";

type Part<Facts> = (transaction: Transaction, facts: Facts) => Promise<void>;

/** The part of a feature in another one's command; listed in the registry record of the feature. */
export interface HookPart {
  readonly moment: string;
}

/** A point in a command. The feature that owns the command defines it, and does not know the participants. */
export class Hook<Facts> {
  readonly name: string;
  readonly #parts: Part<Facts>[] = [];

  /** `name` describes the point, such as `content leaves its organization`. */
  constructor(name: string) {
    this.name = name;
  }

  /** Adds the part of a feature. Parts run in the order of the registry. */
  join(part: Part<Facts>): HookPart {
    this.#parts.push(part);
    return { moment: this.name };
  }

  async run(transaction: Transaction, facts: Facts): Promise<void> {
    for (const part of this.#parts) await part(transaction, facts);
  }
}
