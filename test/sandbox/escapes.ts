// Attempts of scripts to escape the sandbox or to exceed limits, each with its expected result.

/** The result of an attempt: a returned value, or one of these problems. */
export type Comes =
  | { readonly answers: unknown }
  | { readonly ends: RegExp; readonly limits?: "little time" | "little memory" };

const ends = (problem: RegExp): Comes => ({ ends: problem });
/** For attempts that use all CPU or time. */
const endless = (problem: RegExp): Comes => ({ ends: problem, limits: "little time" });
const answers = (value: unknown): Comes => ({ answers: value });
/** For attempts that use all memory, or CPU first. Without memory for an error the result is null. */
const bounded: Comes = {
  ends: /^(cpu|time|memory|error: InternalError|error: RangeError|error: a value that|error: null$)/,
  limits: "little memory",
};
const nowhere = "the name of the host's process, if it can be read";
const reach = (expression: string): string =>
  `try { const P = ${expression}; return P && P.versions ? "${nowhere}" : typeof P } catch (error) { return error.name }`;

/** Bodies of `handle(event, context)`. Those that start with `export` are whole scripts. */
export const escapes: readonly (readonly [name: string, body: string, comes: Comes])[] = [
  // Access to host objects.
  [
    "constructor of a host function",
    reach("console.info.constructor('return globalThis.process')()"),
    answers("undefined"),
  ],
  ["constructor of fetch", reach("await fetch.constructor('return process')()"), answers("ReferenceError")],
  [
    "constructor of the event",
    reach("event.constructor.constructor('return globalThis.process')()"),
    answers("undefined"),
  ],
  [
    "constructor of the context",
    reach("context.constructor.constructor('return globalThis.process')()"),
    answers("undefined"),
  ],
  [
    "constructor of an answer",
    reach("(await context.api.graphql('{x}')).constructor.constructor('return globalThis.process')()"),
    answers("undefined"),
  ],
  [
    "constructor of a response",
    reach(
      "(await fetch('https://allowed.example.com')).headers.constructor.constructor('return globalThis.process')()",
    ),
    answers("undefined"),
  ],
  [
    "constructor of an error of the host",
    reach(
      "await fetch('https://example.com', { method: 'TRACE' }).catch((error) => error.constructor.constructor('return globalThis.process')())",
    ),
    answers("undefined"),
  ],
  [
    "constructor of bytes of the host",
    reach("new TextEncoder().encode('x').buffer.constructor.constructor('return globalThis.process')()"),
    answers("undefined"),
  ],
  ["Function", reach("Function('return globalThis.process')()"), answers("undefined")],
  [
    "async function constructor",
    reach("await (async () => {}).constructor('return globalThis.process')()"),
    answers("undefined"),
  ],
  [
    "generator constructor",
    reach("(function* () {}).constructor('return globalThis.process')().next().value"),
    answers("undefined"),
  ],
  ["eval", reach("eval('globalThis.process')"), answers("undefined")],
  ["indirect eval", reach("(0, eval)('this.process')"), answers("undefined")],
  ["process", "return typeof process", answers("undefined")],
  ["require", "return typeof require", answers("undefined")],
  [
    "module and exports",
    "return [typeof module, typeof exports, typeof __filename, typeof __dirname]",
    answers(Array(4).fill("undefined")),
  ],
  [
    "import() of a module of Node",
    "return await import('node:fs').catch((error) => error.message)",
    answers("Scripts cannot import."),
  ],
  [
    "modules of the packages of the sandbox",
    "new FormData(); return await import('clone/serialize.js').catch((error) => error.message)",
    answers("Scripts cannot import."),
  ],
  [
    "import() of a file",
    "return await import('file:///etc/passwd').catch((error) => error.message)",
    answers("Scripts cannot import."),
  ],
  [
    "import() of data",
    "return await import('data:text/javascript,export default 1').catch((error) => error.message)",
    answers("Scripts cannot import."),
  ],
  ["static import", "import fs from 'node:fs'; export async function handle() { return fs }", ends(/^script/)],
  ["re-export", "export * from 'node:os'; export async function handle() {}", ends(/^script/)],
  ["import.meta", "export async function handle() { return JSON.stringify(import.meta) }", answers("{}")],
  [
    "modules of the engine",
    "return await import('std').catch((error) => error.message)",
    answers("Scripts cannot import."),
  ],
  [
    "globals of the engine's shell",
    "return [typeof std, typeof os, typeof print, typeof scriptArgs]",
    answers(Array(4).fill("undefined")),
  ],
  [
    "what the global object has besides the language",
    "return Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-z]/.test(name) && !/^(eval|undefined|parse|is|decode|encode|escape|unescape|globalThis)/.test(name)).sort()",
    answers(
      "atob btoa clearInterval clearTimeout console crypto fetch queueMicrotask setInterval setTimeout structuredClone".split(
        " ",
      ),
    ),
  ],
  [
    "this at the top",
    "export const at = this; export async function handle() { return String(at) }",
    answers("undefined"),
  ],
  ["this of a function", "return (function () { return String(this) })()", answers("undefined")],
  [
    "caller and callee",
    "function f() { return [f.caller, arguments.callee] } try { return f() } catch (error) { return error.name }",
    answers("TypeError"),
  ],
  ["WebAssembly", "return typeof WebAssembly", answers("undefined")],
  [
    "SharedArrayBuffer and Atomics",
    "return [typeof SharedArrayBuffer, typeof Atomics]",
    answers(["undefined", "undefined"]),
  ],
  [
    "threads and ports",
    "return [typeof Worker, typeof MessageChannel, typeof postMessage, typeof XMLHttpRequest, typeof WebSocket]",
    answers(Array(5).fill("undefined")),
  ],
  [
    "the functions of the wall by name",
    "return [typeof gate, typeof makeRun, typeof define, typeof ask, typeof bytesOf]",
    answers(Array(5).fill("undefined")),
  ],
  [
    "stack traces with structure",
    "Error.prepareStackTrace = (_, frames) => frames; const { stack } = new Error('x'); return Array.isArray(stack) && stack.some((frame) => frame.getThis?.() || frame.getFunction?.())",
    answers(false),
  ],
  [
    "a thenable that is answered",
    "return { then(resolve) { resolve(resolve.constructor('return typeof process')()) } }",
    answers("undefined"),
  ],
  [
    "a proxy as answer",
    "return new Proxy({}, { ownKeys: () => ['a'], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: (_, name) => typeof name === 'string' && name === 'a' ? 'mine' : undefined })",
    answers({ a: "mine" }),
  ],
  ["getters in an answer", "return { get a() { return typeof process } }", answers({ a: "undefined" })],
  ["symbols in an answer", "return { [Symbol.toPrimitive]: () => 'x', [Symbol('a')]: 1, b: Symbol('c') }", answers({})],
  ["toJSON in an answer", "return { toJSON: () => ({ a: typeof require }) }", answers({ a: "undefined" })],
  ["a circle as answer", "const a = {}; a.a = a; return a", ends(/^error: TypeError/)],
  ["a function as answer", "return () => 1", answers(null)],
  ["a BigInt as answer", "return 1n", ends(/^error: TypeError/)],
  [
    "__proto__ in an answer",
    'return JSON.parse(\'{"__proto__":{"polluted":true}}\')',
    answers(JSON.parse('{"__proto__":{"polluted":true}}')),
  ],
  [
    "__proto__ in what it asks",
    "await context.api.rest('GET', '/v1/x', JSON.parse('{\"__proto__\":{\"polluted\":true}}')); return ({}).polluted ?? null",
    answers(null),
  ],
  [
    "an error with a hostile toString",
    "throw { toString() { throw this }, get name() { throw this }, get stack() { throw this } }",
    ends(/^error: \{\}|^error: a value that cannot be shown/),
  ],
  [
    "an error with a hostile stack",
    "throw Object.defineProperty(new Error('x'), 'stack', { get() { throw new Error('y') } })",
    ends(/^error: a value that cannot be shown/),
  ],
  [
    "an error with a name of its own",
    "const error = new Error('x'); error.name = { toString() { return 'y' } }; throw error",
    ends(/^error: : x/),
  ],
  ["a huge error", "throw new Error('x'.repeat(5e6))", ends(/^error: Error: x{10}/)],
  ["null as error", "throw null", ends(/^error: null$/)],
  [
    "a changed language",
    "JSON.stringify = () => 'not JSON'; Promise.prototype.then = () => {}; Array.prototype.map = () => {}; String.prototype.slice = () => 7; return 'as ever'",
    answers("as ever"),
  ],
  ["no handler", "export const other = 1", ends(/^error: TypeError: The script must export a function/)],
  ["a handler that is not a function", "export const handle = { call: 1 }", ends(/^error: TypeError/)],
  ["no script at all", "export async function handle( {", ends(/^script: SyntaxError/)],
  [
    "an error while it loads",
    "throw new Error('early'); export async function handle() {}",
    ends(/^error: Error: early|^script: Error: early/),
  ],
  [
    "a script that waits for ever while it loads",
    "await new Promise(() => {}); export async function handle() {}",
    ends(/^error: The handler never ends/),
  ],
  // Exceeding limits.
  ["an endless loop", "while (true);", endless(/^cpu|^time/)],
  ["an endless loop while it loads", "while (true); export async function handle() {}", endless(/^cpu|^time|^script/)],
  [
    "an endless loop that catches",
    "while (true) { try { while (true); } catch {} finally { continue } }",
    endless(/^cpu|^time/),
  ],
  [
    "an endless chain of microtasks",
    "await (function next() { return Promise.resolve().then(next) })()",
    endless(/^cpu|^time|^memory/),
  ],
  ["an endless chain of awaits", "while (true) await null", endless(/^cpu|^time/)],
  ["an endless generator", "for (const _ of (function* () { while (true) yield 1 })());", endless(/^cpu|^time/)],
  [
    "an endless async generator",
    "for await (const _ of (async function* () { while (true) yield 1 })());",
    endless(/^cpu|^time/),
  ],
  ["a regular expression that never ends", "return /^(a+)+$/.test('a'.repeat(50) + 'b')", endless(/^cpu|^time/)],
  ["a getter that never ends, in an answer", "return { get a() { while (true); } }", endless(/^cpu|^time/)],
  ["a thenable that never ends", "return { then() { while (true); } }", endless(/^cpu|^time/)],
  ["a toString that never ends, in a log", "console.info({ toJSON() { while (true); } })", endless(/^cpu|^time/)],
  [
    "a long sort",
    "while (true) Array.from({ length: 1e5 }, (_, i) => -i).sort((a, b) => a - b)",
    endless(/^(cpu|time|memory)/),
  ],
  ["large numbers", "let n = 3n; while (true) n *= n", bounded],
  ["an array bomb", "const all = []; while (true) all.push(new Array(1000).fill(1))", bounded],
  ["a string bomb", "let all = ['x'.repeat(1e6)]; while (true) all.push(all[0] + all.length)", bounded],
  ["a bomb of bytes", "const all = []; while (true) all.push(new ArrayBuffer(1e7))", bounded],
  [
    "a bomb of encoded text",
    "const all = []; while (true) all.push(new TextEncoder().encode('x'.repeat(1e6)))",
    bounded,
  ],
  ["a bomb of maps", "const all = new Map(); for (let i = 0; ; i += 1) all.set(i, { i })", bounded],
  ["a bomb of promises", "const all = []; while (true) all.push(new Promise(() => {}))", bounded],
  [
    "a bomb of closures",
    "let f = () => 1; while (true) { const g = f; f = () => [g, new Array(100).fill(g)] }",
    bounded,
  ],
  [
    "a regular expression of great size",
    "return new RegExp('(' .repeat(1e5) + ')'.repeat(1e5)).source.length",
    ends(/^error|^memory|^cpu|^time/),
  ],
  ["deep JSON", "return JSON.parse('['.repeat(1e6))", ends(/^error|^memory/)],
  ["a deep answer", "let a = []; for (let i = 0; i < 1e6; i += 1) a = [a]; return a", bounded],
  ["a wide answer", "return Array.from({ length: 6e5 }, () => 1)", ends(/^size|^cpu|^time/)],
  ["a huge answer", "return 'x'.repeat(2e6)", ends(/^size/)],
  [
    "calls without end",
    "function f() { return f() + 1 } return f()",
    ends(/^error: RangeError: Maximum call stack size exceeded/),
  ],
  [
    "calls without end through the host",
    "function f() { return JSON.stringify({ toJSON: f }) } return f()",
    ends(/^error|^memory|^cpu|^time|^ended/),
  ],
  [
    "calls without end in proxies",
    "let p = {}; for (let i = 0; i < 1e5; i += 1) p = new Proxy(p, {}); return p.x ?? null",
    ends(/^error|^memory|^cpu|^time|^ended/),
  ],
  ["a promise that never settles", "await new Promise(() => {})", ends(/^error: The handler never ends/)],
  ["a timer beyond the end", "await new Promise((done) => setTimeout(done, 1e9))", endless(/^time/)],
  ["a timer that is repeated for ever", "setInterval(() => {}, 1); await new Promise(() => {})", endless(/^time|^cpu/)],
  [
    "too many timers",
    "for (let i = 0; i < 2000; i += 1) setTimeout(() => {}, 1000)",
    ends(/^error: RangeError: At most 1000 timers/),
  ],
];
