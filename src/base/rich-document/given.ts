// A document from outside: JSON that may be anything, read step by step; each error has a JSON pointer to its place.
import { invalidInput } from "#src/base/errors.ts";
import { documentLimit } from "#src/base/rich-document/document.ts";
import { tooDeep } from "#src/base/rich-document/tree-limit.ts";
import { isStorable, mustBeStorable } from "#src/base/text/storable.ts";

/** A JSON object that was given. What is asked for is checked; further properties are free and not looked at. */
export class Given {
  readonly path: string;
  readonly #value: Readonly<Record<string, unknown>>;
  readonly #level: number;

  constructor(value: unknown, path: string, level = 0) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw invalidInput(path, "must be an object.");
    // A code block has lines and texts in it, and is one level in Markdown.
    if (level > documentLimit.levels + 2) throw tooDeep();
    this.path = path;
    this.#value = value as Readonly<Record<string, unknown>>; // any object can be asked for its properties
    this.#level = level;
  }

  /** Refuses this object, or a property of it. */
  refusal(message: string, name?: string): Error {
    return invalidInput(name === undefined ? this.path : `${this.path}/${name}`, message);
  }

  #own(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? (this.#value[name] ?? undefined) : undefined;
  }

  /** Whether its type is this one; says nothing about its form. */
  is(type: string): boolean {
    return this.#own("type") === type;
  }

  has(name: string): boolean {
    return this.#own(name) !== undefined;
  }

  /** One of these values; without one the fallback, if there is any. */
  oneOf<Value extends string>(name: string, values: readonly Value[], fallback?: Value): Value {
    const value = this.#own(name) ?? fallback;
    const known = values.find((one) => one === value);
    if (known === undefined) throw this.refusal(`must be one of ${values.join(", ")}.`, name);
    return known;
  }

  /** A text, or undefined when there is none. PostgreSQL takes neither NUL nor halves of characters. */
  text(name: string): string | undefined {
    const value = this.#own(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string") throw this.refusal("must be a string.", name);
    if (!isStorable(value)) throw this.refusal(mustBeStorable, name);
    return value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw this.refusal("must be given.", name);
    return value;
  }

  flag(name: string): boolean | undefined {
    const value = this.#own(name);
    if (value !== undefined && typeof value !== "boolean") throw this.refusal("must be true or false.", name);
    return value;
  }

  whole(name: string, max: number): number | undefined {
    const value = this.#own(name);
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > max)
      throw this.refusal(`must be a whole number from 0 to ${max}.`, name);
    return value;
  }

  /** The object in a property; without one an empty one. */
  object(name: string): Given {
    return new Given(this.#own(name) ?? {}, `${this.path}/${name}`, this.#level);
  }

  /** The objects of a list, those of nodes one level below; without a list none. */
  list(name: string): Given[] {
    const list = this.#own(name) ?? [];
    if (!Array.isArray(list)) throw this.refusal("must be a list.", name);
    return list.map((item, index) => new Given(item, `${this.path}/${name}/${index}`, this.#level + 1));
  }
}
