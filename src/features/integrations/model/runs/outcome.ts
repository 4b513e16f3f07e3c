// The outcome of a run for an installation: an answer or a fault, and its trace.

export interface TraceLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly timestamp: string;
}

export interface Outcome {
  /** JSON from the handler or the server. */
  readonly answer: string | null;
  /** The failure; null for success. */
  readonly fault: string | null;
  readonly logs: readonly TraceLine[];
  readonly durationMs: number;
}

/** The limits of lines per trace, and of characters per line. */
const traceLines = 200;
const lineLength = 2_000;

export const line = (level: TraceLine["level"], message: string, at: Date): TraceLine => ({
  level,
  message: message.slice(0, lineLength),
  timestamp: at.toISOString(),
});

/** The lines of an outcome; its fault is the last line. */
export function traceOf({ logs, fault }: Outcome, at: Date): TraceLine[] {
  const last = fault === null ? [] : [line("error", fault, at)];
  return [...logs.slice(0, traceLines - last.length), ...last];
}
