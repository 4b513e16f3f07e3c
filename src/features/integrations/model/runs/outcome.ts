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

interface Waiting {
  readonly id: string;
  readonly tries: number;
  readonly createdAt: string;
  /** The event that is delivered next to the installation; null for an event that was handled. */
  readonly next: { readonly id: string; readonly type: string; readonly at: string } | null;
}

/** The trace of an event with what it waits for: its own next try, or an event before it that failed. */
export function traceWithWait({ id, tries, createdAt, next }: Waiting, logs: readonly TraceLine[]): TraceLine[] {
  const isOwn = next?.id === id;
  if (!next || (isOwn && tries === 0)) return [...logs];
  const at = new Date(next.at).toISOString();
  const waits = isOwn
    ? `It waits for its next try, at ${at}.`
    : `It waits for the event ${next.id} (${next.type}) before it, which is tried at ${at}.`;
  return [...logs.slice(0, traceLines - 1), line("info", waits, new Date(createdAt))];
}
