// URL and URLSearchParams for scripts. They run inside the sandbox (see surface.ts).
// Not core-js: it takes 45 ms per machine. Not whatwg-url: it needs SharedArrayBuffer.
import type { Gate } from "#src/sandbox/surface.ts";

type Pair = [name: string, value: string];

/** Defines `URLSearchParams`; returns the class. */
export function addSearchParams(define: (name: string, value: unknown) => void) {
  const escape = (text: string) =>
    encodeURIComponent(text.toWellFormed())
      .replace(/[!'()~]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
      .replaceAll("%20", "+");
  const unescape = (text: string) => {
    const spaced = text.replaceAll("+", " ");
    try {
      return decodeURIComponent(spaced);
    } catch {
      return spaced;
    }
  };
  const pairsOf = (init: unknown): Pair[] => {
    if (typeof init === "object" && init !== null) {
      const list = Symbol.iterator in init ? [...(init as Iterable<unknown[]>)] : Object.entries(init);
      return list.map((pair): Pair => [String(pair[0]), String(pair[1])]);
    }
    const text = init === undefined ? "" : String(init).replace(/^\?/, "");
    const parts = text.split("&").filter((part) => part !== "");
    return parts.map((part): Pair => {
      const at = part.indexOf("=");
      return at < 0 ? [unescape(part), ""] : [unescape(part.slice(0, at)), unescape(part.slice(at + 1))];
    });
  };
  const texts = new WeakMap<object, { pairs: Pair[]; changed: (text: string) => void }>();
  const stateOf = (of: object) => {
    const state = texts.get(of);
    if (!state) throw new TypeError("Not a URLSearchParams.");
    return state;
  };
  const change = (of: object, pairs: Pair[]) => {
    const state = stateOf(of);
    state.pairs = pairs;
    state.changed(String(of));
  };
  const make = { escape, pairsOf, stateOf, change, texts };
  const URLSearchParams = searchParamsClass(make);
  define("URLSearchParams", URLSearchParams);
  return {
    URLSearchParams,
    listen: (of: object, changed: (text: string) => void) => void (stateOf(of).changed = changed),
  };
}

interface PairsOfParams {
  escape(text: string): string;
  pairsOf(init: unknown): Pair[];
  stateOf(of: object): { pairs: Pair[] };
  change(of: object, pairs: Pair[]): void;
  texts: WeakMap<object, { pairs: Pair[]; changed: (text: string) => void }>;
}

/** The class itself. */
export function searchParamsClass({ escape, pairsOf, stateOf, change, texts }: PairsOfParams) {
  return class URLSearchParams {
    constructor(init?: unknown) {
      texts.set(this, { pairs: pairsOf(init), changed: () => {} });
    }
    append(name: unknown, value: unknown) {
      change(this, [...stateOf(this).pairs, [String(name), String(value)]]);
    }
    delete(name: unknown) {
      change(
        this,
        stateOf(this).pairs.filter(([of]) => of !== String(name)),
      );
    }
    get(name: unknown) {
      return stateOf(this).pairs.find(([of]) => of === String(name))?.[1] ?? null;
    }
    getAll(name: unknown) {
      return stateOf(this)
        .pairs.filter(([of]) => of === String(name))
        .map(([, value]) => value);
    }
    has(name: unknown) {
      return stateOf(this).pairs.some(([of]) => of === String(name));
    }
    set(name: unknown, value: unknown) {
      const { pairs } = stateOf(this);
      const at = pairs.findIndex(([of]) => of === String(name));
      const others = pairs.filter(([of]) => of !== String(name));
      change(this, others.toSpliced(at < 0 ? others.length : at, 0, [String(name), String(value)]));
    }
    sort() {
      change(
        this,
        stateOf(this).pairs.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))),
      );
    }
    forEach(callback: (value: string, name: string) => void) {
      for (const [name, value] of stateOf(this).pairs) callback(value, name);
    }
    get size() {
      return stateOf(this).pairs.length;
    }
    *entries() {
      yield* stateOf(this).pairs.map(([name, value]) => [name, value]);
    }
    *keys() {
      yield* stateOf(this).pairs.map(([name]) => name);
    }
    *values() {
      yield* stateOf(this).pairs.map(([, value]) => value);
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return stateOf(this)
        .pairs.map(([name, value]) => `${escape(name)}=${escape(value)}`)
        .join("&");
    }
  };
}

/** `URL`, read and changed by the gateway's own parser. */
export function addUrl(define: (name: string, value: unknown) => void, gate: Gate, params: Params) {
  const { parse } = JSON;
  const states = new WeakMap<object, { parts: Record<string, string>; searchParams: object | null }>();
  const read = (text: string, base: string | null, part: string | null, value: string) => {
    const found = gate.address(text.toWellFormed(), base?.toWellFormed() ?? null, part, value.toWellFormed());
    return found === null ? null : (parse(found) as Record<string, string>); // written by the gateway
  };
  const stateOf = (of: object) => {
    const state = states.get(of);
    if (!state) throw new TypeError("Not a URL.");
    return state;
  };
  const change = (of: object, part: string, value: string) => {
    const state = stateOf(of);
    state.parts = read(state.parts["href"] ?? "", null, part, value) ?? state.parts;
  };
  class URL {
    constructor(url: unknown, base?: unknown) {
      const parts = read(String(url), base === undefined ? null : String(base), null, "");
      if (!parts) throw new TypeError("Not a valid URL.");
      states.set(this, { parts, searchParams: null });
    }
    static canParse(url: unknown, base?: unknown) {
      return read(String(url), base === undefined ? null : String(base), null, "") !== null;
    }
    get searchParams() {
      const state = stateOf(this);
      if (state.searchParams) return state.searchParams;
      const made = new params.URLSearchParams(state.parts["search"]);
      params.listen(made, (text) => change(this, "search", text));
      return (state.searchParams = made);
    }
    toString() {
      return stateOf(this).parts["href"] ?? "";
    }
    toJSON() {
      return String(this);
    }
  }
  addParts(URL.prototype, stateOf, change);
  define("URL", URL);
}

interface Params {
  readonly URLSearchParams: new (init?: unknown) => object;
  listen(of: object, changed: (text: string) => void): void;
}

/** Adds the parts of an address, such as `pathname`; all except `origin` can be set. */
export function addParts(
  prototype: object,
  stateOf: (of: object) => { parts: Record<string, string>; searchParams: object | null },
  change: (of: object, part: string, value: string) => void,
) {
  const settable = [
    "href",
    "protocol",
    "username",
    "password",
    "host",
    "hostname",
    "port",
    "pathname",
    "search",
    "hash",
  ];
  const get = (name: string) =>
    function (this: object) {
      return stateOf(this).parts[name] ?? "";
    };
  const set = (name: string) =>
    function (this: object, value: unknown) {
      change(this, name, String(value));
      stateOf(this).searchParams = null;
    };
  for (const name of settable)
    Object.defineProperty(prototype, name, { configurable: true, get: get(name), set: set(name) });
  Object.defineProperty(prototype, "origin", { configurable: true, get: get("origin") });
}
