// Traffic during a fault: requests of several kinds, sent at a constant rate independent of responses, and their
// outcomes.
import { setTimeout as wait } from "node:timers/promises";

/** A kind of request. */
export interface Kind {
  readonly name: string;
  readonly perSecond: number;
  /** Sends one; returns the status and the code of the first GraphQL error. */
  readonly send: () => Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly code?: string | undefined;
}

/** The outcomes of the requests of one kind. */
export interface Figures {
  readonly sent: number;
  /** Those with status 200 or 201 and no error. */
  readonly good: number;
  /** The others, by error code, status, or "cut" without a response. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly most: number;
}

interface Request {
  readonly outcome: string;
  readonly ms: number;
}

/** Sends requests of all kinds during `work`, waits for all responses, and returns the figures by kind. */
export async function during(kinds: readonly Kind[], work: () => Promise<void>): Promise<Record<string, Figures>> {
  const over = new AbortController();
  const sending = kinds.map((kind) => keepSending(kind, over.signal));
  try {
    await work();
  } finally {
    over.abort();
  }
  const requests = await Promise.all(sending);
  return Object.fromEntries(kinds.map(({ name }, index) => [name, figuresOf(requests[index] ?? [])]));
}

async function keepSending({ perSecond, send }: Kind, over: AbortSignal): Promise<Request[]> {
  const requests: Promise<Request>[] = [];
  while (!over.aborted) {
    requests.push(timed(send));
    await wait(1000 / perSecond, undefined, { signal: over }).catch(() => {});
  }
  return Promise.all(requests);
}

async function timed(send: Kind["send"]): Promise<Request> {
  const begun = performance.now();
  const outcome = await send().then(outcomeOf, () => "cut");
  return { outcome, ms: performance.now() - begun };
}

function outcomeOf({ status, code }: Answer): string {
  return code ?? (status === 200 || status === 201 ? "good" : String(status));
}

function figuresOf(requests: readonly Request[]): Figures {
  const failures: Record<string, number> = {};
  for (const { outcome } of requests) if (outcome !== "good") failures[outcome] = (failures[outcome] ?? 0) + 1;
  const times = requests.map(({ ms }) => ms).toSorted((one, other) => one - other);
  const part = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  const good = requests.filter(({ outcome }) => outcome === "good").length;
  return { sent: requests.length, good, failures, p50: part(0.5), p95: part(0.95), most: part(1) };
}

/** One line, such as `reads 300 of 300 good, p95 12 ms, most 40 ms`. */
export function describeFigures(figures: Readonly<Record<string, Figures>>): string {
  const parts = Object.entries(figures).map(([name, { sent, good, failures, p95, most }]) => {
    const others = Object.entries(failures).map(([outcome, count]) => `, ${count} × ${outcome}`);
    return `${name} ${good}/${sent}${others.join("")}, p95 ${p95} ms, most ${most} ms`;
  });
  return parts.join("; ");
}
