// One run of one script in WebAssembly, with limits of memory, time and output. A machine is used for one script only.
import variant from "@jitl/quickjs-ng-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from "quickjs-emscripten-core";
import { initSync, parse } from "es-module-lexer";
import { isRecord } from "#src/base/json.ts";
import { handleOf, pureFunctions, valueOf } from "#src/sandbox/gate.ts";
import {
  type CallAnswer,
  type LogLevel,
  type RunEnd,
  runLimits,
  type RunLimits,
  type ScriptCall,
  type ScriptCheck,
  type ScriptFault,
  type ScriptRun,
} from "#src/sandbox/messages.ts";
import { packageText } from "#src/sandbox/packages.ts";
import { worldText } from "#src/sandbox/world.ts";

/** Receives the logs and calls of the script. */
export interface Outside {
  log(level: LogLevel, message: string): void;
  call(id: number, call: ScriptCall): void;
  /** Called once. The thread of an unhealthy machine should be ended. */
  end(end: RunEnd, about: { cpuMs: number; isHealthy: boolean }): void;
  busy(isBusy: boolean): void;
}

const maxStackBytes = 256 * 1024;
const jobsAtOnce = 64;
/** A large bundle takes its time to compile, which is not counted as that of the script. */
const charactersCompiledPerMs = 1_000;
/** Pages of 64 KB that WebAssembly may use: the script's memory, and that of the engine. */
const memoryPages = { initial: 256, maximum: 3072 };

const cpuNow = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

initSync();

/** QuickJS-NG, which lets stacks be formatted. Its types are those of a CommonJS module. */
const quickjs = variant as unknown as QuickJSSyncVariant;

/** Makes machines from the compiled engine. */
export function machinesOf(engine: WebAssembly.Module): () => Promise<Machine> {
  return async () => {
    const wasmMemory = new WebAssembly.Memory(memoryPages);
    const module = await newQuickJSWASMModuleFromVariant(newVariant(quickjs, { wasmModule: engine, wasmMemory }));
    const runtime = module.newRuntime();
    runtime.setMemoryLimit(runLimits.memoryBytes);
    runtime.setMaxStackSize(maxStackBytes);
    return new Machine(runtime.newContext());
  };
}

/** See the head of this file. */
export class Machine {
  readonly #vm: QuickJSContext;
  readonly #run: QuickJSHandle;
  readonly #due: QuickJSHandle;
  readonly #timers = new Map<number, NodeJS.Timeout>();
  readonly #calls = new Map<number, QuickJSHandle>();
  #limits: RunLimits = runLimits;
  #outside: Outside | null = null;
  #stopped: "cpu" | "time" | null = null;
  #cpuStart = 0;
  #cpuAllowed = 0;
  #deadline = Infinity;
  #asked = { fetch: 0, api: 0, last: 0, lines: 0 };

  #isLoading = false;

  constructor(vm: QuickJSContext) {
    this.#vm = vm;
    const load = (name: string) => (this.#isLoading ? packageText(name) : null);
    vm.runtime.setModuleLoader((name) => load(name) ?? { error: new Error("Scripts cannot import.") });
    const world = vm.unwrapResult(vm.evalCode(worldText(runLimits), "world.js"));
    const made = vm.unwrapResult(vm.callFunction(world, vm.undefined, this.#gate()));
    this.#run = vm.getProp(made, "run");
    this.#due = vm.getProp(made, "due");
  }

  start(run: ScriptRun, limits: RunLimits, outside: Outside): void {
    this.#begin(run.script, limits, outside);
    this.#enter(() => {
      const vm = this.#vm;
      const module = this.#checked(vm.evalCode(run.script, "script.js", { type: "module" }));
      const texts = [run.event, run.context, run.environment].map((text) => vm.newString(text));
      if (module) vm.callFunction(this.#run, vm.undefined, module, ...texts);
    });
  }

  /** Compiles a script without running it. The answer is a {@link ScriptCheck} in JSON. */
  check(script: string, limits: RunLimits, outside: Outside): void {
    this.#begin(script, limits, outside);
    this.#enter(() => {
      const compiled = this.#vm.evalCode(script, "script.js", { type: "module", compileOnly: true });
      if (!compiled.error)
        return this.#done(JSON.stringify({ exports: exportsOf(script) } satisfies ScriptCheck), false);
      const fault = faultOf(this.#vm.dump(compiled.error));
      this.#done(JSON.stringify({ fault } satisfies ScriptCheck), false);
    });
  }

  #begin(script: string, limits: RunLimits, outside: Outside): void {
    this.#limits = limits;
    this.#outside = outside;
    this.#cpuStart = cpuNow();
    this.#cpuAllowed = limits.cpuMs + script.length / charactersCompiledPerMs;
    this.#deadline = performance.now() + limits.totalMs;
    const isOver = (): boolean => this.#isOver();
    this.#vm.runtime.setMemoryLimit(limits.memoryBytes);
    this.#vm.runtime.setInterruptHandler(isOver);
    this.#after(0, limits.totalMs);
  }

  answer(id: number, answer: CallAnswer): void {
    const settle = this.#calls.get(id);
    this.#calls.delete(id);
    if (!settle || !this.#outside) return;
    const values = answer.ok ? [null, answer.json, answer.body] : [answer.message, "", null];
    this.#enter(() => {
      const handles = values.map((value) => handleOf(this.#vm, value));
      this.#checked(this.#vm.callFunction(settle, this.#vm.undefined, ...handles));
    });
  }

  #isOver(): boolean {
    if (cpuNow() - this.#cpuStart > this.#cpuAllowed) this.#stopped ??= "cpu";
    if (performance.now() > this.#deadline) this.#stopped ??= "time";
    return this.#stopped !== null;
  }

  #enter(body: () => void): void {
    if (!this.#outside) return;
    this.#outside.busy(true);
    try {
      body();
      const { runtime } = this.#vm;
      while (this.#outside && runtime.hasPendingJob() && !this.#isOver())
        if (runtime.executePendingJobs(jobsAtOnce).error) break;
      if (this.#outside && this.#stopped === null && runtime.hasPendingJob()) return this.#again();
      this.#look();
    } catch (error) {
      this.#end({ ok: false, problem: "ended", message: nameOf(error) }, false); // the engine itself failed
    } finally {
      this.#outside?.busy(false);
    }
  }

  #again(): void {
    setImmediate(() => this.#enter(() => {}));
  }

  /** Ends the run when it is finished, or can never finish. */
  #look(): void {
    if (!this.#outside) return;
    if (this.#stopped === "cpu") return this.#fail("cpu", `The script used more than ${this.#limits.cpuMs} ms of CPU.`);
    if (this.#stopped === "time") return this.#fail("time", `The script took longer than ${this.#limits.totalMs} ms.`);
    const isWaiting = this.#calls.size > 0 || this.#timers.size > 1; // one of the timers is the deadline
    if (!isWaiting) this.#fail("error", "The handler never ends: it waits for a promise that nothing can settle.");
  }

  #fail(problem: "cpu" | "time" | "memory" | "size" | "script" | "error", message: string): void {
    this.#end({ ok: false, problem, message }, problem === "error" || problem === "script" || problem === "size");
  }

  #end(end: RunEnd, isHealthy: boolean): void {
    const outside = this.#outside;
    this.#outside = null;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#calls.clear();
    outside?.busy(false);
    outside?.end(end, { cpuMs: cpuNow() - this.#cpuStart, isHealthy });
  }

  /** The value, unless it is an error, which ends the run. */
  #checked(result: ReturnType<QuickJSContext["evalCode"]>): QuickJSHandle | null {
    if (!result.error) return result.value;
    if (this.#stopped === null) {
      const thrown: unknown = this.#vm.dump(result.error);
      this.#fail("script", thrownText(thrown).slice(0, this.#limits.logLineLength));
    }
    return null;
  }

  #after(id: number, milliseconds: number): void {
    const due = (): void => {
      this.#timers.delete(id);
      this.#enter(() => {
        if (id === 0) this.#stopped ??= "time";
        else this.#vm.callFunction(this.#due, this.#vm.undefined, this.#vm.newNumber(id));
      });
    };
    this.#timers.set(id, setTimeout(due, milliseconds));
  }

  #log(level: unknown, message: unknown): void {
    this.#asked.lines += 1;
    const { logLines, logLineLength } = this.#limits;
    const known = (["debug", "info", "warn", "error"] as const).find((name) => name === level) ?? "info";
    if (this.#asked.lines === logLines)
      this.#outside?.log("warn", `Only ${logLines} lines are kept; the rest is dropped.`);
    else if (this.#asked.lines < logLines) this.#outside?.log(known, String(message).slice(0, logLineLength));
  }

  /** Passes a call of the script on; rejects it if it is not allowed. */
  #ask(kind: unknown, request: unknown, body: unknown, settle: QuickJSHandle): void {
    if (!this.#outside || typeof request !== "string") return;
    const isFetch = kind === "fetch";
    const count = isFetch ? (this.#asked.fetch += 1) : (this.#asked.api += 1);
    const most = isFetch ? this.#limits.fetches : this.#limits.apiCalls;
    const id = (this.#asked.last += 1);
    const bytes = body instanceof Uint8Array ? body : null;
    const size = request.length + (bytes?.length ?? 0);
    this.#calls.set(id, settle.dup());
    const refuse = (message: string) => setImmediate(() => this.answer(id, { ok: false, message }));
    if (count > most)
      refuse(`A run may send at most ${most} requests to ${isFetch ? "other servers" : "the gateway"}.`);
    else if (size > this.#limits.requestLength)
      refuse(`A request may have at most ${this.#limits.requestLength} characters and bytes.`);
    else
      this.#outside.call(id, {
        kind: isFetch ? "fetch" : kind === "graphql" ? "graphql" : "rest",
        request,
        body: bytes,
      });
  }

  #done(answer: unknown, isResponse: unknown): void {
    const { answerLength } = this.#limits;
    if (typeof answer !== "string" || answer.length > answerLength)
      this.#fail("size", `The result exceeds ${answerLength} characters of JSON.`);
    else this.#end({ ok: true, answer, isResponse: isResponse === true }, true);
  }

  #failed(message: unknown): void {
    const text = String(message).slice(0, this.#limits.logLineLength);
    if (this.#stopped !== null) this.#look();
    else if (text.startsWith("InternalError: out of memory"))
      this.#fail("memory", `The script used more than ${this.#limits.memoryBytes / 1024 / 1024} MB of memory.`);
    else this.#fail("error", text);
  }

  #gate(): QuickJSHandle {
    const vm = this.#vm;
    const gate = vm.newObject();
    const add = (name: string, body: (...values: readonly unknown[]) => unknown): void => {
      const called = (...handles: QuickJSHandle[]) =>
        handleOf(vm, body(...handles.map((handle) => valueOf(vm, handle))));
      vm.setProp(gate, name, vm.newFunction(name, called));
    };
    for (const [name, body] of Object.entries(pureFunctions)) add(name, body);
    add("log", (level, message) => this.#log(level, message));
    add("timer", (id, milliseconds) => this.#after(Number(id), Number(milliseconds)));
    add("stop", (id) => this.#stop(Number(id)));
    add("done", (answer, isResponse) => this.#done(answer, isResponse));
    add("failed", (message) => this.#failed(message));
    const call = (kind: QuickJSHandle, request: QuickJSHandle, body: QuickJSHandle, settle: QuickJSHandle) =>
      this.#ask(valueOf(vm, kind), valueOf(vm, request), valueOf(vm, body), settle);
    vm.setProp(gate, "call", vm.newFunction("call", call));
    vm.setProp(
      gate,
      "load",
      vm.newFunction("load", (name) => this.#load(String(valueOf(vm, name)))),
    );
    return gate;
  }

  /** Evaluates a package in the world of the script; what the script has changed there harms only itself. */
  #load(name: string) {
    this.#isLoading = true;
    try {
      return this.#vm.evalCode(packageText(name) ?? "", `${name}/index.js`, { type: "module" });
    } finally {
      this.#isLoading = false;
    }
  }

  #stop(id: number): void {
    if (id === 0) return;
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }
}

/** The name and message of what was thrown while a script was loaded, and its stack, which begins with both. */
function thrownText(thrown: unknown): string {
  const { name = "Error", message = "", stack } = isRecord(thrown) ? thrown : { message: thrown };
  const head = `${String(name)}: ${String(message)}`;
  return typeof stack === "string" && stack.startsWith(head) ? stack : head;
}

/** The fault in what the engine throws for a script that does not compile. */
function faultOf(thrown: unknown): ScriptFault {
  const { name, message, stack } = isRecord(thrown) ? thrown : {};
  const [, line, column] = /script\.js:(\d+)(?::(\d+))?/.exec(String(stack)) ?? [];
  const numberOf = (text: string | undefined) => (text === undefined ? null : Number(text));
  return { message: `${String(name)}: ${String(message)}`, line: numberOf(line), column: numberOf(column) };
}

/** The names that a script exports. It was compiled before. */
const exportsOf = (script: string): string[] => parse(script)[1].map(({ n }) => n);

const nameOf = (error: unknown): string =>
  error instanceof RangeError ? "The script nested its calls too deeply." : "The script's engine failed.";
