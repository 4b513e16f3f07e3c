// The globals of a script besides the language. These functions run inside the sandbox, where their text is
// evaluated: each uses only its arguments and the language, and saves what it needs before a script can change it.

/** The functions of the sandbox for its own code; scripts never see them. */
export interface Gate {
  log(level: string, message: string): void;
  /** Calls the gateway; `settle` is called later with the result or an error message. */
  call(kind: string, request: string, body: ArrayBuffer | null, settle: Settle): void;
  timer(id: number, milliseconds: number): void;
  stop(id: number): void;
  /** Bytes of a text, given as JSON. */
  encode(json: string): ArrayBuffer;
  /** The JSON of a text, or null if the bytes are not valid UTF-8. */
  decode(bytes: ArrayBuffer, isFatal: boolean): string | null;
  digest(algorithm: string, bytes: ArrayBuffer): ArrayBuffer | null;
  hmac(algorithm: string, key: ArrayBuffer, bytes: ArrayBuffer): ArrayBuffer | null;
  uuid(): string;
  /** Random bytes: at most 65,536. */
  random(length: number): ArrayBuffer;
  base64Of(bytes: ArrayBuffer): string;
  /** Null for a text that is not base64. */
  bytesOf(base64: string): ArrayBuffer | null;
  /** The exports of a package (`packageNames`), evaluated in this world. */
  load(name: string): Record<string, unknown>;
  /** Parts of an address as JSON, after one of them was set if `part` is given; null if it is not an address. */
  address(text: string, base: string | null, part: string | null, value: string): string | null;
  /** `isResponse` for the response of a worker, with its body in base64. */
  done(answer: string, isResponse: boolean): void;
  failed(message: string): void;
}

type Settle = (message: string | null, json: string, body: ArrayBuffer | null) => void;
type World = Record<string, unknown>;
type Bytes = ArrayBuffer | ArrayBufferView;

/** Adds a value that enumerations of the globals do not list. */
export function makeDefine(world: World) {
  const { defineProperty } = Object;
  return (name: string, value: unknown) =>
    defineProperty(world, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Copies bytes of a script. */
export function makeBytesOf() {
  const { isView } = ArrayBuffer;
  return (data: unknown): ArrayBuffer => {
    const view = isView(data) ? data : null;
    if (!view && !(data instanceof ArrayBuffer)) throw new TypeError("Expected an ArrayBuffer or a view of one.");
    const bytes = view
      ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
      : new Uint8Array(data as ArrayBuffer); // checked above
    return new Uint8Array(bytes).buffer;
  };
}

/** `console`, with four levels; what groups and measures only logs its texts. */
export function addConsole(
  define: (name: string, value: unknown) => void,
  gate: Gate,
  describe: (v: unknown) => string,
) {
  const levelled = (level: string) => ({
    [level]: (...values: unknown[]) => {
      let line = "";
      for (let index = 0; index < values.length; index += 1) line += (index > 0 ? " " : "") + describe(values[index]);
      gate.log(level, line);
    },
  });
  const [debug, info, warn, error] = [levelled("debug"), levelled("info"), levelled("warn"), levelled("error")];
  const nothing = () => {};
  define("console", {
    ...debug,
    ...info,
    ...warn,
    ...error,
    log: info["info"],
    dir: info["info"],
    table: info["info"],
    trace: debug["debug"],
    assert: (isRight: unknown, ...values: unknown[]) => {
      if (!isRight) error["error"]?.("Assertion failed:", ...values);
    },
    group: info["info"],
    groupCollapsed: info["info"],
    groupEnd: nothing,
    time: nothing,
    timeEnd: nothing,
    timeLog: nothing,
    count: nothing,
  });
}

/** Defines what packages export as accessors that evaluate them on first use; returns the exports of a package. */
export function addPackages(
  world: World,
  define: (name: string, value: unknown) => void,
  gate: Gate,
  names: Readonly<Record<string, readonly string[]>>,
) {
  const { defineProperty, entries } = Object;
  const loaded = new Map<string, Record<string, unknown> | null>();
  const load = (of: string) => {
    const found = loaded.get(of);
    if (found !== undefined) return found ?? {}; // a package may ask for what it defines while it is evaluated
    loaded.set(of, null);
    const made = gate.load(of);
    loaded.set(of, made);
    return made;
  };
  for (const [of, exported] of entries(names))
    for (const name of exported) {
      const set = (value: unknown) => {
        define(name, value);
      };
      const get = () => {
        const made = load(of);
        const value = made[name] ?? made["default"];
        if (value !== undefined) define(name, value);
        return value;
      };
      defineProperty(world, name, { configurable: true, enumerable: false, get, set });
    }
  return load;
}

/** The four functions of timers; returns the function that runs the callback of a due timer. */
export function addTimers(define: (name: string, value: unknown) => void, gate: Gate, maxTimers: number) {
  const timers = new Map<number, { run: () => void; every: number | null }>();
  let last = 0;
  const start = (callback: unknown, milliseconds: unknown, args: unknown[], isRepeated: boolean) => {
    if (typeof callback !== "function") throw new TypeError("A timer requires a function.");
    if (timers.size >= maxTimers) throw new RangeError(`At most ${maxTimers} timers may run concurrently.`);
    const wait = Math.max(isRepeated ? 1 : 0, Math.min(Number(milliseconds) || 0, 2_147_483_647));
    last += 1;
    timers.set(last, { run: () => void callback(...args), every: isRepeated ? wait : null });
    gate.timer(last, wait);
    return last;
  };
  const clear = (id: unknown) => {
    if (timers.delete(Number(id))) gate.stop(Number(id));
  };
  define("setTimeout", (callback: unknown, wait?: unknown, ...args: unknown[]) => start(callback, wait, args, false));
  define("setInterval", (callback: unknown, wait?: unknown, ...args: unknown[]) => start(callback, wait, args, true));
  define("clearTimeout", clear);
  define("clearInterval", clear);
  const due = (id: number) => {
    const timer = timers.get(id);
    if (!timer) return;
    if (timer.every === null) timers.delete(id);
    else gate.timer(id, timer.every);
    timer.run();
  };
  return due;
}

/** `TextEncoder` and `TextDecoder`, for UTF-8. */
export function addText(
  define: (name: string, value: unknown) => void,
  gate: Gate,
  bytesOf: (data: unknown) => ArrayBuffer,
) {
  const { stringify, parse } = JSON;
  class TextEncoder {
    get encoding() {
      return "utf-8";
    }
    encode(text: unknown = "") {
      return new Uint8Array(bytesOf(gate.encode(stringify(String(text).toWellFormed()))));
    }
  }
  class TextDecoder {
    readonly #isFatal: boolean;
    constructor(label: unknown = "utf-8", options?: { fatal?: unknown }) {
      if (!/^\s*utf-?8\s*$/i.test(String(label))) throw new RangeError("Only UTF-8 is supported.");
      this.#isFatal = Boolean(options?.fatal);
    }
    get encoding() {
      return "utf-8";
    }
    decode(data?: unknown) {
      const text = gate.decode(data === undefined ? new ArrayBuffer(0) : bytesOf(data), this.#isFatal);
      if (text === null) throw new TypeError("The bytes are not UTF-8.");
      return String(parse(text));
    }
  }
  define("TextEncoder", TextEncoder);
  define("TextDecoder", TextDecoder);
}

/** `crypto`: digests, signatures with HMAC, random UUIDs. */
export function addCrypto(
  define: (name: string, value: unknown) => void,
  gate: Gate,
  bytesOf: (data: unknown) => ArrayBuffer,
) {
  const nameOf = (algorithm: unknown): string =>
    String(typeof algorithm === "string" ? algorithm : (algorithm as { name?: unknown } | null)?.name).toUpperCase();
  const made = (bytes: ArrayBuffer | null) => {
    if (!bytes) throw new Error("The algorithm must be one of SHA-1, SHA-256, SHA-384 and SHA-512.");
    return bytes;
  };
  class CryptoKey {
    readonly #hash: string;
    readonly #bytes: ArrayBuffer;
    constructor(hash: string, bytes: ArrayBuffer) {
      this.#hash = hash;
      this.#bytes = bytes;
    }
    static sign(key: CryptoKey, data: unknown) {
      return made(gate.hmac(key.#hash, key.#bytes, bytesOf(data)));
    }
  }
  const importKey = async (format: unknown, data: Bytes, algorithm: { name?: unknown; hash?: unknown }) => {
    if (format !== "raw" || nameOf(algorithm) !== "HMAC") throw new Error("Only raw keys of HMAC can be imported.");
    return new CryptoKey(nameOf(algorithm.hash), bytesOf(data));
  };
  const { sign: signWith } = CryptoKey;
  const sign = async (_algorithm: unknown, key: CryptoKey, data: unknown) => signWith(key, data);
  const verify = async (_algorithm: unknown, key: CryptoKey, signature: unknown, data: unknown) => {
    const [given, right] = [new Uint8Array(bytesOf(signature)), new Uint8Array(signWith(key, data))];
    let difference = given.length ^ right.length;
    for (let index = 0; index < right.length; index += 1) difference |= (given[index] ?? 0) ^ (right[index] ?? 0);
    return difference === 0;
  };
  const digest = async (algorithm: unknown, data: unknown) => made(gate.digest(nameOf(algorithm), bytesOf(data)));
  const getRandomValues = (array: ArrayBufferView) => {
    if (!ArrayBuffer.isView(array)) throw new TypeError("Expected an array of integers.");
    if (array.byteLength > 65_536) throw new RangeError("At most 65536 bytes are made at once.");
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(new Uint8Array(gate.random(array.byteLength)));
    return array;
  };
  const subtle = { digest, importKey, sign, verify };
  define("crypto", { subtle, getRandomValues, randomUUID: () => gate.uuid() });
}
