// Positions of siblings, for the demo and for tests.
import { generateKeyBetween } from "fractional-indexing";

/** Gives out fractional indexes: each comes after the last one for the same parent, which any text may name. */
export class Positions {
  readonly #last = new Map<string, string>();

  next(parent: string): string {
    const position = generateKeyBetween(this.#last.get(parent) ?? null, null);
    this.#last.set(parent, position);
    return position;
  }
}
