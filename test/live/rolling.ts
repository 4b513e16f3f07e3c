// The proof of a rolling restart: two gateways behind a load balancer are restarted in turn, and one is stopped at the
// end, under writers at the balancer and subscribers, half of them directly at the gateways. No request fails, and
// every subscriber receives all events.
import { setTimeout as sleep } from "node:timers/promises";
import { type Comparison, SubscriberGroup } from "#test/live/subscriber-group.ts";
import type { Gateways } from "#test/live/gateways.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { startHaproxy } from "#test/live/haproxy.ts";
import { readTable } from "#test/live/outbox.ts";
import type { OwnPostgres } from "#test/live/postgres.ts";
import { type Acknowledged, letWrite, writeLast } from "#test/live/writers.ts";
import { ask } from "#test/support/docgraph-process.ts";
import { makeRandom } from "#test/support/random.ts";

export interface RollingSize {
  /** The smallest number of requests. */
  readonly requests: number;
  /** The smallest number of restarts. */
  readonly restarts: number;
  readonly subscribers: number;
  /** The number of writers, and of readers. */
  readonly people: number;
  /** The pause of each after a request, in milliseconds. */
  readonly restMs: number;
  readonly seed: number;
}

export interface RollingReport extends Comparison {
  readonly requests: number;
  readonly failed: number;
  /** Acknowledged writes that are missing from the table. */
  readonly lost: number;
  readonly restarts: number;
  /** The number of reconnects. */
  readonly returns: number;
}

/** The settings of gateways that are restarted behind a balancer: it has noticed it before they stop. */
export const draining = { DRAIN_SECONDS: "3" };

/** Runs the proof on two gateways, one of which it stops; without a balancer all clients use the gateways. */
export async function proveRolling(
  { postgres, gateways }: { readonly postgres: OwnPostgres; readonly gateways: Gateways },
  { requests, subscribers, people, restMs, seed, ...size }: RollingSize,
  say: (line: string) => void = () => {},
): Promise<RollingReport> {
  const random = makeRandom(seed);
  await using balancer = await startHaproxy([gateways.urlOf(0), gateways.urlOf(1)]);
  const gateway = () => balancer?.url ?? gateways.next(gateways);
  const liveWorld = await makeLiveWorld(postgres.pool);
  /** Every second pair connects directly to the gateways, one to each. */
  const at = (index: number) => (balancer && index % 4 < 2 ? balancer.url : gateways.next(index));
  await using group = new SubscriberGroup(subscribers, liveWorld, at, random);
  await group.start();
  await balancer?.knowsAll();
  const acknowledged: Acknowledged[] = [];
  const failures: unknown[] = [];
  let [reads, restarts, isOver] = [0, 0, false];
  const onFailed = (error: unknown) => void (balancer && failures.push(error)); // otherwise it is retried
  const goOn = () => !isOver;
  const onWritten = (written: Acknowledged) => void acknowledged.push(written);
  const working = [letWrite({ ...liveWorld, gateway, count: people, restMs, random, goOn, onWritten, onFailed })];
  for (let reader = 0; reader < people; reader++)
    working.push(letRead({ gateway, token: liveWorld.token, restMs, goOn, onRead: () => (reads += 1), onFailed }));
  const sent = () => acknowledged.length + reads + failures.length;
  try {
    while (restarts < size.restarts || sent() < requests) {
      await Promise.race([gateways.restart(restarts % 2), gateways.failure]);
      restarts += 1;
      await balancer?.knowsAll();
      say(`${restarts} restarts, ${sent()} requests, ${failures.length} failed`);
    }
    await Promise.race([gateways.stop(restarts % 2), gateways.failure]);
  } finally {
    isOver = true;
    await Promise.all(working);
  }
  for (const failure of failures.slice(0, 5)) say(String(failure));
  await writeLast({ ...liveWorld, gateway: balancer?.url ?? gateways.urlOf(restarts + 1) }, liveWorld.spaces);
  const table = await readTable(postgres.pool, { types: ["comment", "commentReply", "changeRequest", "space"] });
  const written = new Set(table.map(({ type, subjectId }) => `${type} ${subjectId}`));
  const lost = acknowledged.filter(({ type, subjectId }) => !written.has(`${type} ${subjectId}`)).length;
  const comparison = await group.compare(postgres.pool);
  return { ...comparison, requests: sent(), failed: failures.length, lost, restarts, returns: group.returns };
}

interface Reading {
  readonly gateway: () => string;
  readonly token: string;
  readonly restMs: number;
  readonly goOn: () => boolean;
  readonly onRead: () => void;
  readonly onFailed: (error: unknown) => void;
}

/** Repeats a GraphQL query. */
async function letRead({ gateway, token, restMs, goOn, onRead, onFailed }: Reading): Promise<void> {
  while (goOn()) {
    await ask(gateway(), token, "{ viewer { id } }").then(onRead, onFailed);
    await sleep(restMs);
  }
}
