// The budget of one operation: how much it may return, so that no document exhausts memory, and what it has cost.
import { DomainError } from "#src/base/errors.ts";
import { operationLimits } from "#src/base/limits.ts";
import { textLength } from "#src/runtime/long-json.ts";
import type { StatementMeter } from "#src/db/connection/database.ts";

/** The components of estimates and costs, in points. */
export const weights = { row: 1, value: 1, text: 20, character: 0.01, statement: 10, change: 50, cpuMs: 100 } as const;

/** How many rows of all lists, values (for each row its selected fields) and characters may be returned. */
export interface Allowance {
  readonly rows: number;
  readonly values: number;
  readonly characters: number;
}

/** The allowance of a query or mutation by these limits. */
export function allowanceOf({ values, answerBytes }: { values: number; answerBytes: number }): Allowance {
  return { rows: 100_000, values, characters: answerBytes };
}

/** The allowance of a query or mutation, by default. */
export const operationAllowance: Allowance = allowanceOf(operationLimits);
/** The allowance of the messages of a subscription that are made together, and of a single message. */
export const messageAllowance: Allowance = { rows: 100_000, values: 200_000, characters: 4_000_000 };

/** The most characters of a value that is not counted, such as a title: longer texts are counted as they are read. */
const shortText = 2_048;

export interface Spent {
  readonly rows: number;
  readonly values: number;
  /** Characters of texts, or bytes of a response that was written as bytes. */
  readonly text: number;
  readonly changes: number;
  readonly statements: number;
  readonly cpuMs: number;
}

/** The error beyond an allowance, shared by all reads: graphql-js does not copy an error that already has a path. */
export class ExcessError extends DomainError {
  readonly path: readonly never[] = [];

  constructor(what: string) {
    super("INVALID_INPUT", `The operation reads more than ${what}`);
  }
}

/** What an operation has spent and may still spend: beyond it each read throws. As a meter it counts statements. */
export class Budget implements StatementMeter {
  readonly #allowance: Allowance;
  #rows = 0;
  #values = 0;
  #characters = 0;
  /** Spent by earlier runs that were repeated. */
  readonly #before = { rows: 0, values: 0, characters: 0 };
  #bytes = 0;
  #answered = 0;
  #changes = 0;
  #statements = 0;
  #cpuMs = 0;
  #spendLate: ((points: number) => void) | undefined;
  /** The error of the operation, once it has exceeded its allowance. */
  #excess: ExcessError | null = null;
  /** Ends the current run if the run ends with the allowance. */
  #leave: (() => void) | undefined;
  #isAbandoned = false;
  /** Points by the estimate, once it is known. */
  estimated = 0;
  /** The meter of the request that contains the operation, which counts its statements, too. */
  parent: StatementMeter | undefined;

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

  /** Reports to `spendLate` what background work spends after the response. */
  settle(spendLate: (points: number) => void): void {
    this.#spendLate = spendLate;
  }

  /** Counts the bytes of a response that is within the allowance. */
  takeBytes(count: number): void {
    this.#bytes += count;
  }

  takeChanges(count: number): void {
    this.#changes += count;
  }

  /** Counts milliseconds in which the process, or a thread, worked for this operation alone. */
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

  /** Takes rows with a number of selected fields. Throws as {@link check} does. */
  takeRows(count: number, fields: number): void {
    this.#rows += count;
    this.#values += count * fields;
    this.check();
  }

  /** Takes values that are not rows of a list of docgraph. Throws as {@link check} does. */
  takeValues(count: number): void {
    this.#values += count;
    this.check();
  }

  /** Takes characters of a text that may be long. Throws as {@link check} does. */
  takeText(length: number): void {
    this.#characters += length;
    this.check();
  }

  /** Rows, values and characters taken so far, to {@link goBack} to. */
  get taken(): readonly [rows: number, values: number, characters: number] {
    return [this.#rows, this.#values, this.#characters];
  }

  /** What was taken since is repeated: it counts as a part of the cost, but not against the allowance. */
  goBack([rows, values, characters]: Budget["taken"]): void {
    this.#before.rows += this.#rows - rows;
    this.#before.values += this.#values - values;
    this.#before.characters += this.#characters - characters;
    [this.#rows, this.#values, this.#characters] = [rows, values, characters];
  }

  /** Throws INVALID_INPUT if more was taken than the operation may have: the same error each time. */
  check(): void {
    this.#excess ??= this.#findExcess();
    if (!this.#excess) return;
    if (this.#leave) this.abandon();
    throw this.#excess;
  }

  /** Whether the operation has exceeded its allowance or was abandoned: nothing is read then. */
  get isOver(): boolean {
    return this.#excess !== null || this.#isAbandoned;
  }

  /** The caller has gone away: ends the current run ({@link within}) and all reads. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#leave?.();
  }

  /** Replaces a read when {@link isOver}. If abandoned it never settles: 100,000 rejections take time, too. */
  async refuse(): Promise<never> {
    if (!this.#isAbandoned) this.check();
    return new Promise<never>(() => {}); // collected together with the operation
  }

  /** The result of a run; null as soon as it is abandoned. */
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
    if (this.#rows > rows) return new ExcessError(`${rows} rows in total: request smaller pages.`);
    if (this.#values > values)
      return new ExcessError(`${values} values in total: request smaller pages, or fewer fields of each row.`);
    if (this.#characters > characters)
      return new ExcessError(`${characters} characters of text in total: request fewer texts, or each of them once.`);
    return null;
  }

  /** Throws as {@link check} does if this many values with short texts could exceed the limit together. */
  async checkAnswer(data: unknown): Promise<void> {
    const { characters } = this.#allowance;
    if (this.#values * shortText <= characters) return;
    this.#characters = Math.max(this.#characters, await textLength(data, characters));
    this.check();
  }

  /** Takes a part of a response that is sent in parts. Throws as {@link check} does if they are too long together. */
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
