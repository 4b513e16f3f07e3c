// The budget of one operation: how much it may hand out in all, so that no document fills the memory, however it
// multiplies.
import { DomainError } from "#src/base/errors.ts";

/** What an operation may hand out. */
export interface Allowance {
  /** Rows of all lists together. */
  readonly rows: number;
  /** Values: for each row the fields that are selected of it. */
  readonly values: number;
  /** Characters of texts. */
  readonly characters: number;
}

/** Of a query or mutation. The longest answer is the longest text that Node makes, each character written in six. */
export const operationAllowance: Allowance = { rows: 100_000, values: 2_000_000, characters: 64_000_000 };

/** Of the messages of a subscription that are made together, and of one that is made alone. */
export const messageAllowance: Allowance = { rows: 100_000, values: 200_000, characters: 4_000_000 };

/** The most characters of a value that nobody counts, such as a title: longer texts are counted as they are read. */
const shortText = 2_048;

/** What is left to an operation. What goes beyond it is refused: each of its reads throws. */
export class Budget {
  readonly #allowance: Allowance;
  #rows = 0;
  #values = 0;
  #characters = 0;

  constructor(allowance: Allowance) {
    this.#allowance = allowance;
  }

  /** How many more rows there are to take. */
  get rowsLeft(): number {
    return Math.max(0, this.#allowance.rows - this.#rows);
  }

  /** How many more characters of texts there are to take. */
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

  /** Throws INVALID_INPUT when more was taken than the operation may have. */
  check(): void {
    const { rows, values, characters } = this.#allowance;
    if (this.#rows > rows) throw tooMuch(`${rows} rows in all; ask for smaller pages.`);
    if (this.#values > values)
      throw tooMuch(`${values} values in all; ask for smaller pages, or for fewer fields of each row.`);
    if (this.#characters > characters)
      throw tooMuch(`${characters} characters of text in all; ask for fewer texts, or for each of them once.`);
  }

  /** Throws as {@link check} does where so many values with short texts could be too long together. */
  checkAnswer(data: unknown): void {
    const { characters } = this.#allowance;
    if (this.#values * shortText <= characters) return;
    this.#characters = Math.max(this.#characters, lengthOf(data, characters));
    this.check();
  }

  /** Starts anew: the operation is run again. */
  restart(): void {
    this.#rows = this.#values = this.#characters = 0;
  }
}

function tooMuch(what: string): DomainError {
  return new DomainError("INVALID_INPUT", `This asks for more than ${what}`);
}

/** How many characters all texts in a value have; it stops counting beyond `limit`. */
function lengthOf(value: unknown, limit: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let length = 0;
  for (const part of Array.isArray(value) ? (value as unknown[]) : Object.values(value)) {
    length += lengthOf(part, limit);
    if (length > limit) break;
  }
  return length;
}
