// Values of the current async context: statement meter, tenant, time limit and span. All are in one AsyncLocalStorage,
// since Node copies the map of all stores whenever one of them is entered.
import { AsyncLocalStorage } from "node:async_hooks";

const store = new AsyncLocalStorage<readonly unknown[]>();
const nothing: readonly unknown[] = [];
let kinds = 0;

/** A value of one kind, for {@link runWith}. */
export interface Entry {
  readonly index: number;
  readonly value: unknown;
}

/** One kind of value. It is current in the work that it is entered for, and in everything that this work awaits. */
export class Current<Value> {
  readonly #index = kinds++;

  /** Undefined outside of `run`. */
  get value(): Value | undefined {
    return (store.getStore() ?? nothing)[this.#index] as Value | undefined; // set by `run`
  }

  run<Result>(value: Value | undefined, work: () => Result): Result {
    const values = (store.getStore() ?? nothing).slice();
    values[this.#index] = value;
    return store.run(values, work);
  }

  entry(value: Value | undefined): Entry {
    return { index: this.#index, value };
  }
}

/** Runs work with values of several kinds, which are entered at once. */
export function runWith<Result>(entries: readonly Entry[], work: () => Result): Result {
  const values = (store.getStore() ?? nothing).slice();
  for (const { index, value } of entries) values[index] = value;
  return store.run(values, work);
}
