// What comes of a run for an installation: an answer or a fault, and the lines of its trace.

/** A line of a trace, as events keep it. */
export interface TraceLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly timestamp: string;
}

/** What came of it. `answer` is JSON: what a handler has returned, or a server answered. */
export interface Outcome {
  readonly answer: string | null;
  /** What went wrong; null when all went well. */
  readonly fault: string | null;
  readonly logs: readonly TraceLine[];
  readonly durationMs: number;
}

/** The most lines that a trace keeps, and the most characters of each. */
const traceLines = 200;
const lineLength = 2_000;

/** A line said now. */
export const line = (level: TraceLine["level"], message: string, at: Date): TraceLine => ({
  level,
  message: message.slice(0, lineLength),
  timestamp: at.toISOString(),
});

/** The trace of an outcome: its lines, and what went wrong as the last one. */
export function traceOf({ logs, fault }: Outcome, at: Date): TraceLine[] {
  const last = fault === null ? [] : [line("error", fault, at)];
  return [...logs.slice(0, traceLines - last.length), ...last];
}
