// The proof of a rolling restart: two gateways behind a balancer are restarted in turn, and one is stopped at the end,
// under writers and subscribers who know the balancer alone. No request fails, and everybody hears everything.
import { setTimeout as sleep } from "node:timers/promises";
import { type Comparison, Crowd } from "#test/live/crowd.ts";
import { startGateways } from "#test/live/gateways.ts";
import { makeGround } from "#test/live/ground.ts";
import { startHaproxy } from "#test/live/haproxy.ts";
import { readTable } from "#test/live/outbox.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { type Acknowledged, letWrite, writeLast } from "#test/live/writers.ts";
import { ask } from "#test/support/docgraph-process.ts";
import { makeRandom } from "#test/support/random.ts";

export interface RollingSize {
  /** Requests at least. */
  readonly requests: number;
  /** Restarts at least. */
  readonly restarts: number;
  readonly subscribers: number;
  /** How many people write, and as many read. */
  readonly people: number;
  /** How long each of them rests after a request, in milliseconds. */
  readonly restMs: number;
  readonly seed: number;
}

export interface RollingReport extends Comparison {
  readonly requests: number;
  readonly failed: number;
  /** Writes that were acknowledged, and are not in the table. */
  readonly lost: number;
  readonly restarts: number;
  /** How often somebody had to connect again. */
  readonly returns: number;
}

/** Runs it on two gateways with a PostgreSQL of their own; null, and the reason printed, where there is no balancer. */
export async function proveRolling(
  { requests, subscribers, people, restMs, seed, ...size }: RollingSize,
  say: (line: string) => void = () => {},
): Promise<RollingReport | null> {
  const random = makeRandom(seed);
  await using postgres = await startOwnPostgres();
  await using gateways = await startGateways(2, postgres.url, { DRAIN_SECONDS: "3" });
  const balancer = await startHaproxy([gateways.urlOf(0), gateways.urlOf(1)]);
  if (!balancer) return null;
  await using _ = balancer;
  const gateway = () => balancer.url;
  const ground = await makeGround(postgres.pool);
  await using crowd = new Crowd(subscribers, ground, gateway, random);
  await crowd.start();
  await balancer.knowsAll();
  const acknowledged: Acknowledged[] = [];
  const failures: unknown[] = [];
  let [reads, restarts, isOver] = [0, 0, false];
  const onFailed = (error: unknown) => void failures.push(error);
  const goOn = () => !isOver;
  const onWritten = (written: Acknowledged) => void acknowledged.push(written);
  const working = [letWrite({ ...ground, gateway, count: people, restMs, random, goOn, onWritten, onFailed })];
  for (let reader = 0; reader < people; reader++)
    working.push(
      letRead({ url: balancer.url, token: ground.token, restMs, goOn, onRead: () => (reads += 1), onFailed }),
    );
  const sent = () => acknowledged.length + reads + failures.length;
  try {
    while (restarts < size.restarts || sent() < requests) {
      await Promise.race([gateways.restart(restarts % 2), gateways.failure]);
      restarts += 1;
      await balancer.knowsAll();
      say(`${restarts} restarts, ${sent()} requests, ${failures.length} failed`);
    }
    await Promise.race([gateways.stop(restarts % 2), gateways.failure]);
  } finally {
    isOver = true;
    await Promise.all(working);
  }
  for (const failure of failures.slice(0, 5)) say(String(failure));
  await writeLast({ ...ground, gateway: balancer.url }, ground.spaces);
  const table = await readTable(postgres.pool, { types: ["comment", "commentReply", "changeRequest", "space"] });
  const written = new Set(table.map(({ type, subjectId }) => `${type} ${subjectId}`));
  const lost = acknowledged.filter(({ type, subjectId }) => !written.has(`${type} ${subjectId}`)).length;
  const comparison = await crowd.compare(postgres.pool);
  return { ...comparison, requests: sent(), failed: failures.length, lost, restarts, returns: crowd.returns };
}

interface Reading {
  readonly url: string;
  readonly token: string;
  readonly restMs: number;
  readonly goOn: () => boolean;
  readonly onRead: () => void;
  readonly onFailed: (error: unknown) => void;
}

/** Reads the same again and again, by GraphQL. */
async function letRead({ url, token, restMs, goOn, onRead, onFailed }: Reading): Promise<void> {
  while (goOn()) {
    await ask(url, token, "{ viewer { id } }").then(onRead, onFailed);
    await sleep(restMs);
  }
}
