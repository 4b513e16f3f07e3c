// The proof of crashes: gateways and PostgreSQL are killed in turn under load. Every acknowledged write is delivered to
// everybody once and in one order; other writes may or may not exist, equally for all.
import { type Comparison, SubscriberGroup } from "#test/live/subscriber-group.ts";
import type { Gateways } from "#test/live/gateways.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { readTable } from "#test/live/outbox.ts";
import type { OwnPostgres } from "#test/live/postgres.ts";
import { makeRandom } from "#test/support/random.ts";
import { type Acknowledged, letWrite, writeLast } from "#test/live/writers.ts";

export interface CrashSize {
  /** The number of kills of gateways and of PostgreSQL. */
  readonly cycles: number;
  readonly subscribers: number;
  readonly writers: number;
  /** Writes that are acknowledged before each kill. */
  readonly writes: number;
  /** The pause of each writer after a write, in milliseconds. */
  readonly restMs: number;
  readonly seed: number;
}

export interface CrashReport extends Comparison {
  readonly acknowledged: number;
  /** Acknowledged writes that are missing from the table. */
  readonly lost: number;
  /** Requests that failed. */
  readonly failed: number;
  /** The number of reconnects. */
  readonly returns: number;
}

/** Runs the proof on gateways and their PostgreSQL. `say` is called with the progress. */
export async function proveCrashes(
  { postgres, gateways }: { readonly postgres: OwnPostgres; readonly gateways: Gateways },
  { cycles, subscribers, writers, writes, restMs, seed }: CrashSize,
  say: (line: string) => void = () => {},
): Promise<CrashReport> {
  const random = makeRandom(seed);
  const liveWorld = await makeLiveWorld(postgres.pool);
  await using group = new SubscriberGroup(subscribers, liveWorld, (index) => gateways.next(index), random);
  await group.start();
  const acknowledged: Acknowledged[] = [];
  let failed = 0;
  let isOver = false;
  let onWritten = () => {};
  const moreWrites = async () => {
    const enough = acknowledged.length + writes;
    const written = new Promise<void>((resolve) => (onWritten = () => acknowledged.length >= enough && resolve()));
    await Promise.race([written, gateways.failure]);
  };
  const writing = letWrite({
    ...liveWorld,
    gateway: () => gateways.next(writing),
    count: writers,
    random,
    restMs,
    goOn: () => !isOver,
    onWritten(written) {
      acknowledged.push(written);
      onWritten();
    },
    onFailed: () => failed++,
  });
  try {
    for (let cycle = 1; cycle <= cycles; cycle++) {
      await moreWrites();
      await gateways.crash(cycle % gateways.count);
      await moreWrites();
      await postgres.crash();
      say(`${cycle} of ${cycles} cycles, ${acknowledged.length} writes acknowledged, ${failed} failed`);
    }
    await moreWrites();
    isOver = true;
    await writing;
    await writeLast({ ...liveWorld, gateway: gateways.urlOf(0) }, liveWorld.spaces);
    const table = await readTable(postgres.pool, { types: ["comment", "commentReply", "changeRequest", "space"] });
    const written = new Set(table.map(({ type, subjectId }) => `${type} ${subjectId}`));
    const lost = acknowledged.filter(({ type, subjectId }) => !written.has(`${type} ${subjectId}`)).length;
    const comparison = await group.compare(postgres.pool);
    return { ...comparison, acknowledged: acknowledged.length, lost, failed, returns: group.returns };
  } finally {
    isOver = true;
    await writing;
  }
}
