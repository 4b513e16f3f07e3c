// Reads of /metrics from the database: one for all who ask at the same time, and without a value while the database
// does not answer.
import { TimeLimit } from "#src/db/connection/time-limit.ts";

/** How long the database may take, in milliseconds: collectors of metrics do not wait for long. */
const patienceMs = 1_000;

/** Shares the reads that overlap. Each resolves to null where it fails or takes longer than a second. */
export function metricsRead<Result>(read: () => Promise<Result>): () => Promise<Result | null> {
  let running: Promise<Result | null> | undefined;
  return () =>
    (running ??= new TimeLimit(patienceMs)
      .run(read)
      .catch(() => null)
      .finally(() => (running = undefined)));
}
