// The budget of one operation: how much it may hand out, so that no document fills the memory, and what it has cost.
import { DomainError } from "#src/base/errors.ts";
import { operationLimits } from "#src/base/limits.ts";
import { textLength } from "#src/runtime/long-json.ts";
import type { StatementMeter } from "#src/db/connection/database.ts";

/** Points of estimates and costs; a long text is estimated, a character counted. */
export const weights = { row: 1, value: 1, text: 20, character: 0.01, statement: 10, change: 50, cpuMs: 100 } as const;

/** Rows of all lists, values (for each row the fields that are selected of it) and characters that may be returned. */
export interface Allowance {
  readonly rows: number;
  readonly values: number;
  readonly characters: number;
}

/** What a query or mutation may hand out by these limits. */
export function allowanceOf({ values, answerBytes }: { values: number; answerBytes: number }): Allowance {
  return { rows: 100_000, values, characters: answerBytes };
}

/** Of a query or mutation, by default. */
export const operationAllowance: Allowance = allowanceOf(operationLimits);
/** Of the messages of a subscription that are made together, and of one that is made alone. */
export const messageAllowance: Allowance = { rows: 100_000, values: 200_000, characters: 4_000_000 };

/** The most characters of a value that nobody counts, such as a title: longer texts are counted as they are read. */
const shortText = 2_048;

export interface Spent {
  readonly rows: number;
  readonly values: number;
  /** Characters of texts, or bytes of an answer that was written as bytes. */
  readonly text: number;
  readonly changes: number;
  readonly statements: number;
  readonly cpuMs: number;
}

/** The concurrency slot of an operation, which lends it to others while it only waits. */
export interface Slot {
  readonly lend: () => void;
  readonly reclaim: () => void;
}

/** The error beyond an allowance, one for all reads: graphql-js copies no error that has a path already. */
export class ExcessError extends DomainError {
  readonly path: readonly never[] = [];

  constructor(what: string) {
    super("INVALID_INPUT", `This asks for more than ${what}`);
  }
}

/** What an operation has spent and may still spend: beyond it each read throws. As a meter it counts statements. */
export class Budget implements StatementMeter {
  readonly #allowance: Allowance;
  #rows = 0;
  #values = 0;
  #characters = 0;
  /** Of runs before this one, which gave up. */
  readonly #before = { rows: 0, values: 0, characters: 0 };
  #bytes = 0;
  #answered = 0;
  #changes = 0;
  #statements = 0;
  #cpuMs = 0;
  #spendLate: ((points: number) => void) | undefined;
  /** Of the operation, once it has gone beyond its allowance. */
  #excess: ExcessError | null = null;
  /** Ends the run that is in progress, where it ends with the allowance. */
  #leave: (() => void) | undefined;
  #isAbandoned = false;
  /** Points by the estimate, once it is known. */
  estimated = 0;
  /** The meter of the request that the operation is a part of, which counts its statements, too. */
  parent: StatementMeter | undefined;
  /** The slot in which it runs, if the number of operations is limited. */
  slot: Slot | undefined;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  get spent(): Spent {
    const { rows, values, characters } = this.#before;
    return {
      rows: rows + this.#rows,
      values: values + this.#values,
      text: characters + this.#characters + this.#bytes,
      changes: this.#changes,
      statements: this.#statements,
      cpuMs: this.#cpuMs,
    };
  }

  /** {@link spent} in points. */
  get points(): number {
    const before = this.#before;
    return (
      weights.row * (before.rows + this.#rows) +
      weights.value * (before.values + this.#values) +
      weights.character * (before.characters + this.#characters + this.#bytes) +
      weights.change * this.#changes +
      weights.statement * this.#statements +
      weights.cpuMs * this.#cpuMs
    );
  }

  get statements(): number {
    return this.#statements;
  }

  countStatement(): void {
    this.#statements += 1;
    this.#spendLate?.(weights.statement);
    this.parent?.countStatement();
  }

  countRows(count: number): void {
    this.parent?.countRows(count); // here rows are counted as they are taken
  }

  /** Has what is still spent, by work that goes on behind the answer, told to `spendLate`. */
  settle(spendLate: (points: number) => void): void {
    this.#spendLate = spendLate;
  }

  /** Counts the bytes of an answer, which has kept to the allowance. */
  takeBytes(count: number): void {
    this.#bytes += count;
  }

  takeChanges(count: number): void {
    this.#changes += count;
  }

  /** Counts milliseconds in which the process, or a thread, worked for the operation alone. */
  takeTime(ms: number): void {
    this.#cpuMs += ms;
    this.#spendLate?.(weights.cpuMs * ms);
  }

  get rowsLeft(): number {
    return Math.max(0, this.#allowance.rows - this.#rows);
  }

  get charactersLeft(): number {
    return Math.max(0, this.#allowance.characters - this.#characters);
  }

  /** Takes rows of which so many fields are selected. Throws as {@link check} does. */
  takeRows(count: number, fields: number): void {
    this.#rows += count;
    this.#values += count * fields;
    this.check();
  }

  /** Takes values that are not rows of a list of ours. Throws as {@link check} does. */
  takeValues(count: number): void {
    this.#values += count;
    this.check();
  }

  /** Takes characters of a text that may be long. Throws as {@link check} does. */
  takeText(length: number): void {
    this.#characters += length;
    this.check();
  }

  /** Rows, values and characters that were taken, to {@link goBack} to. */
  get taken(): readonly [rows: number, values: number, characters: number] {
    return [this.#rows, this.#values, this.#characters];
  }

  /** What was taken since is done again: it counts as a part of the cost, not against the allowance. */
  goBack([rows, values, characters]: Budget["taken"]): void {
    this.#before.rows += this.#rows - rows;
    this.#before.values += this.#values - values;
    this.#before.characters += this.#characters - characters;
    [this.#rows, this.#values, this.#characters] = [rows, values, characters];
  }

  /** Throws INVALID_INPUT when more was taken than the operation may have: the same error each time. */
  check(): void {
    this.#excess ??= this.#findExcess();
    if (!this.#excess) return;
    if (this.#leave) this.abandon();
    throw this.#excess;
  }

  /** Whether the operation has gone beyond its allowance, or nobody waits for it any more: nothing is to be read. */
  get isOver(): boolean {
    return this.#excess !== null || this.#isAbandoned;
  }

  /** Nobody waits for the operation any more: ends the run that is in progress ({@link within}), and all reads. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#leave?.();
  }

  /** Replaces a read when {@link isOver}. If nobody waits it never settles: 100,000 refusals are work, too. */
  async refuse(): Promise<never> {
    if (!this.#isAbandoned) this.check();
    return new Promise<never>(() => {}); // it goes with the operation, which is all that knows of it
  }

  /** What a run gives; null where it is abandoned, at that moment. */
  async within<Result>(run: () => Promise<Result> | Result): Promise<Result | null> {
    const { promise, resolve } = Promise.withResolvers<null>();
    this.#leave = () => resolve(null);
    try {
      return await Promise.race([run(), promise]);
    } finally {
      this.#leave = undefined;
    }
  }

  #findExcess(): ExcessError | null {
    const { rows, values, characters } = this.#allowance;
    if (this.#rows > rows) return new ExcessError(`${rows} rows in all; ask for smaller pages.`);
    if (this.#values > values)
      return new ExcessError(`${values} values in all; ask for smaller pages, or for fewer fields of each row.`);
    if (this.#characters > characters)
      return new ExcessError(`${characters} characters of text in all; ask for fewer texts, or for each of them once.`);
    return null;
  }

  /** Throws as {@link check} does where so many values with short texts could be too long together. */
  async checkAnswer(data: unknown): Promise<void> {
    const { characters } = this.#allowance;
    if (this.#values * shortText <= characters) return;
    this.#characters = Math.max(this.#characters, await textLength(data, characters));
    this.check();
  }

  /** Takes a part of an answer that is sent in parts. Throws as {@link check} does where they are too long together. */
  async takePart(data: unknown): Promise<void> {
    const { characters } = this.#allowance;
    this.#answered += await textLength(data, characters);
    this.#characters = Math.max(this.#characters, this.#answered);
    this.check();
  }

  /** The operation is run again from the start. */
  restart(): void {
    this.#excess = null;
    this.#isAbandoned = false;
    this.goBack([0, 0, 0]);
  }
}
