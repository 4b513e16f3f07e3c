// The messages between the gateway and a script thread, and the limits of a run. Values of scripts are only JSON text
// or bytes.

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface ScriptRun {
  readonly script: string;
  /** JSON of the event: the first argument of `handle`, or the field `event` that a worker reads. */
  readonly event: string;
  /** JSON of an object with the properties of `context` besides `api`, for `handle`. */
  readonly context: string;
  /** JSON of the field `environment` that a worker reads; its `apiEndpoint` is the public URL of the gateway. */
  readonly environment: string;
}

/** What is wrong with a script, at its line and column from 1; null for both where they are not known. */
export interface ScriptFault {
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
}

/** What a check of a script found: its fault, or the names that it exports. */
export type ScriptCheck = { readonly fault: ScriptFault } | { readonly exports: readonly string[] };

/** The answer of a worker, as {@link RunEnd} has it in JSON. */
export interface WorkerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In base64. */
  readonly body: string;
}

/** Why a run has no result: the script threw, exceeded a limit, or could not be run. */
type RunProblem = "error" | "cpu" | "time" | "memory" | "size" | "script" | "ended";

/** The outcome of a run: the JSON of its result, or an error. */
export type RunEnd =
  | { readonly ok: true; readonly answer: string; readonly isResponse: boolean }
  | { readonly ok: false; readonly problem: RunProblem; readonly message: string };

export interface ScriptCall {
  readonly kind: "fetch" | "graphql" | "rest";
  readonly request: string;
  readonly body: Uint8Array | null;
}

export type CallAnswer =
  | { readonly ok: true; readonly json: string; readonly body: Uint8Array | null }
  | { readonly ok: false; readonly message: string };

export type ToThread =
  | { readonly type: "run"; readonly run: ScriptRun; readonly limits: RunLimits }
  | { readonly type: "check"; readonly script: string; readonly limits: RunLimits }
  | { readonly type: "answer"; readonly id: number; readonly answer: CallAnswer };

export type FromThread =
  | { readonly type: "ready" }
  | { readonly type: "log"; readonly level: LogLevel; readonly message: string; readonly at: number }
  | { readonly type: "call"; readonly id: number; readonly call: ScriptCall }
  | { readonly type: "end"; readonly end: RunEnd; readonly cpuMs: number; readonly isHealthy: boolean };

/** Limits of one run. Times are in milliseconds. */
export interface RunLimits {
  readonly memoryBytes: number;
  readonly cpuMs: number;
  /** Time in total, waiting included. */
  readonly totalMs: number;
  readonly logLines: number;
  readonly logLineLength: number;
  readonly answerLength: number;
  readonly scriptLength: number;
  readonly inputLength: number;
  readonly fetches: number;
  readonly fetchBytes: number;
  readonly apiCalls: number;
  /** Of a request to other servers or to the gateway, with its body. */
  readonly requestLength: number;
  readonly timers: number;
}

export const runLimits: RunLimits = {
  memoryBytes: 64 * 1024 * 1024,
  cpuMs: 1_000,
  totalMs: 10_000,
  logLines: 100,
  logLineLength: 2_000,
  answerLength: 1_000_000,
  scriptLength: 1_000_000,
  inputLength: 4_000_000,
  fetches: 20,
  fetchBytes: 1_000_000,
  apiCalls: 100,
  requestLength: 1_100_000,
  timers: 1_000,
};
