// A sequence of numbers that decides choices. After its end each choice is the first option, and no chance is true.

export class ChoiceSequence {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A number from 0 to below `limit`. */
  below(limit: number): number {
    return (this.#numbers[this.#at++] ?? 0) % limit;
  }

  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean {
    return this.below(100) >= 100 - percent;
  }

  /** One of the items. Throws for an empty list. */
  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("The list of options is empty.");
    return item;
  }
}
