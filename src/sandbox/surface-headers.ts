// Headers of scripts by the Fetch standard; runs inside the sandbox (see surface.ts).
// Not headers-polyfill: it takes blanks in names, and joins cookies.

/** The class `Headers`, as other parts of the surface use it. */
export interface HeadersOfScript {
  get(name: unknown): string | null;
  has(name: unknown): boolean;
  set(name: unknown, value: unknown): void;
  entries(): IterableIterator<[string, string]>;
}

export type HeadersClass = new (init?: unknown) => HeadersOfScript;

/** Defines `Headers`; returns the class. */
export function addHeaders(define: (name: string, value: unknown) => void): HeadersClass {
  const nameForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
  const nameOf = (given: unknown) => {
    const name = String(given);
    if (!nameForm.test(name)) throw new TypeError("This is not a name of a header.");
    return name.toLowerCase();
  };
  const valueOf = (given: unknown) => {
    const value = String(given).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
    // eslint-disable-next-line no-control-regex
    if (/[\0\n\r]|[^\0-\xff]/.test(value)) throw new TypeError("This is not a value of a header.");
    return value;
  };
  const pairsOf = (init: unknown): unknown[][] => {
    if (init === undefined || init === null) return [];
    if (typeof init !== "object") throw new TypeError("Headers are made of an object or a list of pairs.");
    return Symbol.iterator in init ? [...(init as Iterable<unknown[]>)] : Object.entries(init);
  };
  class Headers {
    readonly #values = new Map<string, string[]>();
    constructor(init?: unknown) {
      for (const pair of pairsOf(init)) {
        const [name, value, more] = [...pair];
        if (pair.length < 2 || more !== undefined) throw new TypeError("A pair has a name and a value.");
        this.append(name, value);
      }
    }
    append(name: unknown, value: unknown) {
      const key = nameOf(name);
      const values = this.#values.get(key) ?? [];
      values.push(valueOf(value));
      this.#values.set(key, values);
    }
    set(name: unknown, value: unknown) {
      this.#values.set(nameOf(name), [valueOf(value)]);
    }
    get(name: unknown) {
      return this.#values.get(nameOf(name))?.join(", ") ?? null;
    }
    getSetCookie() {
      return [...(this.#values.get("set-cookie") ?? [])];
    }
    has(name: unknown) {
      return this.#values.has(nameOf(name));
    }
    delete(name: unknown) {
      this.#values.delete(nameOf(name));
    }
    *entries(): IterableIterator<[string, string]> {
      for (const name of [...this.#values.keys()].sort()) {
        const values = this.#values.get(name) ?? [];
        if (name === "set-cookie") for (const value of values) yield [name, value];
        else yield [name, values.join(", ")];
      }
    }
    *keys() {
      for (const [name] of this.entries()) yield name;
    }
    *values() {
      for (const [, value] of this.entries()) yield value;
    }
    forEach(callback: (value: string, name: string, of: unknown) => void, self?: unknown) {
      for (const [name, value] of this.entries()) callback.call(self, value, name, this);
    }
    [Symbol.iterator]() {
      return this.entries();
    }
  }
  define("Headers", Headers);
  return Headers;
}
