// The outcome of a run for an installation: an answer or a fault, and its trace.

export interface TraceLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly timestamp: string;
}

export interface Outcome {
  /** JSON from the handler or the server. */
  readonly answer: string | null;
  /** What went wrong; null for success. */
  readonly fault: string | null;
  readonly logs: readonly TraceLine[];
  readonly durationMs: number;
}

/** The most lines of a trace, and the most characters of each. */
const traceLines = 200;
const lineLength = 2_000;

export const line = (level: TraceLine["level"], message: string, at: Date): TraceLine => ({
  level,
  message: message.slice(0, lineLength),
  timestamp: at.toISOString(),
});

/** The lines of an outcome, the last one being its fault. */
export function traceOf({ logs, fault }: Outcome, at: Date): TraceLine[] {
  const last = fault === null ? [] : [line("error", fault, at)];
  return [...logs.slice(0, traceLines - last.length), ...last];
}
