// Events and signals of scripts: EventTarget, AbortController, DOMException; runs inside the sandbox (see surface.ts).
// Not abort-controller or abortcontroller-polyfill: they lack `timeout`, `any` and `reason`.

type Define = (name: string, value: unknown) => void;
type Listener = (event: unknown) => void;
/** The class `EventTarget`, as the functions of this file pass it on. */
type Target = new () => {
  addEventListener(type: string, listener: () => void, options: { once: boolean }): void;
  dispatchEvent(event: { readonly type: string }): boolean;
};
/** The class `DOMException`. */
type Failure = new (message?: string, name?: string) => Error;
/** Defines `DOMException`; returns the class. */
export function addFailures(define: Define): Failure {
  const codes = new Map([
    ["InvalidCharacterError", 5],
    ["NotSupportedError", 9],
    ["InvalidStateError", 11],
    ["SyntaxError", 12],
    ["InvalidAccessError", 15],
    ["SecurityError", 18],
    ["NetworkError", 19],
    ["AbortError", 20],
    ["QuotaExceededError", 22],
    ["TimeoutError", 23],
    ["DataCloneError", 25],
  ]);
  class DOMException extends Error {
    constructor(message: unknown = "", name: unknown = "Error") {
      super(String(message));
      Object.defineProperty(this, "name", { value: String(name), configurable: true });
    }
    get code() {
      return codes.get(this.name) ?? 0;
    }
  }
  define("DOMException", DOMException);
  return DOMException;
}

/** Defines `Event` and `EventTarget`; returns the latter. */
export function addEventTarget(define: Define): Target {
  class Event {
    readonly type: string;
    readonly cancelable: boolean;
    target: unknown = null;
    defaultPrevented = false;
    constructor(type: unknown, options: { cancelable?: unknown } = {}) {
      this.type = String(type);
      this.cancelable = Boolean(options.cancelable);
    }
    preventDefault() {
      this.defaultPrevented = this.cancelable;
    }
  }
  class EventTarget {
    readonly #listeners = new Map<string, Map<unknown, boolean>>();
    addEventListener(type: unknown, listener: unknown, options?: { once?: unknown }) {
      if (listener === null || listener === undefined) return;
      const name = String(type);
      const of = this.#listeners.get(name) ?? new Map<unknown, boolean>();
      this.#listeners.set(name, of);
      if (!of.has(listener)) of.set(listener, Boolean(options?.once));
    }
    removeEventListener(type: unknown, listener: unknown) {
      this.#listeners.get(String(type))?.delete(listener);
    }
    dispatchEvent(event: Event) {
      event.target = this;
      const own = (this as Record<string, unknown>)[`on${event.type}`];
      if (typeof own === "function") (own as Listener).call(this, event);
      const of = this.#listeners.get(event.type) ?? new Map<unknown, boolean>();
      for (const [listener, isOnce] of new Map(of)) {
        if (isOnce) of.delete(listener);
        if (typeof listener === "function") (listener as Listener).call(this, event);
        else (listener as { handleEvent: Listener }).handleEvent(event);
      }
      return !event.defaultPrevented;
    }
  }
  define("Event", Event);
  define("EventTarget", EventTarget);
  return EventTarget;
}

/** Defines `AbortSignal` and `AbortController`. */
export function addSignals(define: Define, EventTarget: Target, DOMException: Failure) {
  const secret = Symbol("signals are made by controllers");
  const { setTimeout: later, Event } = globalThis;
  const states = new WeakMap<object, { isAborted: boolean; reason: unknown }>();
  const stateOf = (signal: object) => {
    const state = states.get(signal);
    if (!state) throw new TypeError("Not an AbortSignal.");
    return state;
  };
  const abort = (signal: AbortSignal, reason: unknown) => {
    const state = stateOf(signal);
    if (state.isAborted) return;
    state.isAborted = true;
    state.reason = reason === undefined ? new DOMException("This was aborted.", "AbortError") : reason;
    signal.dispatchEvent(new Event("abort"));
  };
  class AbortSignal extends EventTarget {
    onabort: unknown = null;
    constructor(given?: symbol) {
      if (given !== secret) throw new TypeError("Signals are made by AbortController.");
      super();
      states.set(this, { isAborted: false, reason: undefined });
    }
    static abort(reason?: unknown) {
      const signal = new AbortSignal(secret);
      abort(signal, reason);
      return signal;
    }
    static timeout(milliseconds: unknown) {
      const signal = new AbortSignal(secret);
      const stop = () => abort(signal, new DOMException("This took too long.", "TimeoutError"));
      later(stop, Number(milliseconds));
      return signal;
    }
    static any(signals: Iterable<AbortSignal>) {
      const joined = new AbortSignal(secret);
      for (const one of signals) {
        const follow = () => abort(joined, one.reason);
        if (one.aborted) follow();
        else one.addEventListener("abort", follow, { once: true });
      }
      return joined;
    }
    get aborted() {
      return stateOf(this).isAborted;
    }
    get reason() {
      return stateOf(this).reason;
    }
    throwIfAborted() {
      if (this.aborted) throw this.reason;
    }
  }
  class AbortController {
    readonly signal = new AbortSignal(secret);
    abort(reason?: unknown) {
      abort(this.signal, reason);
    }
  }
  define("AbortSignal", AbortSignal);
  define("AbortController", AbortController);
}
