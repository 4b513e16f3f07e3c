// What a script may use in one run; the numbers are in the README.

/** Bounds of one run. Times are in milliseconds. */
export interface RunLimits {
  readonly memoryBytes: number;
  /** Time on the processor. */
  readonly cpuMs: number;
  /** Time in all, waiting included. */
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
