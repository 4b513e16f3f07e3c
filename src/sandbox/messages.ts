// What the gateway and a thread with a script say to each other. Values of scripts are JSON text or bytes alone.
import type { RunLimits } from "#src/sandbox/limits.ts";

/** How serious a line of a script's log is. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** A script to run, with what it is told as JSON text. */
export interface ScriptRun {
  readonly script: string;
  /** JSON of the event: the first argument of `handle`. */
  readonly event: string;
  /** JSON of an object with what `context` has besides `api`. */
  readonly context: string;
}

/** Why a run gave no answer: the script threw, used too much of something, or could not be run as it is. */
type RunProblem = "error" | "cpu" | "time" | "memory" | "size" | "script" | "ended";

/** How a run ended: with the JSON of its answer, or with what went wrong. */
export type RunEnd =
  | { readonly ok: true; readonly answer: string }
  | { readonly ok: false; readonly problem: RunProblem; readonly message: string };

/** What a script asks of the gateway. */
export interface ScriptCall {
  readonly kind: "fetch" | "graphql" | "rest";
  /** JSON of the arguments. */
  readonly request: string;
  /** The body of a fetch, if it has one. */
  readonly body: Uint8Array | null;
}

/** What the gateway answers to a {@link ScriptCall}. */
export type CallAnswer =
  | { readonly ok: true; readonly json: string; readonly body: Uint8Array | null }
  | { readonly ok: false; readonly message: string };

/** From the gateway to a thread. */
export type ToThread =
  | { readonly type: "run"; readonly run: ScriptRun; readonly limits: RunLimits }
  | { readonly type: "answer"; readonly id: number; readonly answer: CallAnswer };

/** From a thread to the gateway. */
export type FromThread =
  | { readonly type: "ready" }
  | { readonly type: "log"; readonly level: LogLevel; readonly message: string; readonly at: number }
  | { readonly type: "call"; readonly id: number; readonly call: ScriptCall }
  | { readonly type: "end"; readonly end: RunEnd; readonly cpuMs: number; readonly isHealthy: boolean };
