// The proof of reconnects: connections are cut at random under writers, and every subscriber receives each event once
// and in order.
import type pg from "pg";
import { startNetworkProxy } from "#test/live/network-proxy.ts";
import { type Comparison, SubscriberGroup } from "#test/live/subscriber-group.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { makeRandom } from "#test/support/random.ts";
import { letWrite, writeLast } from "#test/live/writers.ts";

export interface ReconnectSize {
  readonly subscribers: number;
  readonly writers: number;
  readonly writes: number;
  readonly seed: number;
}

export interface ReconnectReport extends Comparison {
  readonly writes: number;
  /** The number of cuts. */
  readonly cuts: number;
  /** The number of reconnects. */
  readonly returns: number;
}

/** Runs the proof against the gateway at `url`. `say` is called with the progress. */
export async function proveReconnects(
  { url, pool }: { url: string; pool: pg.Pool },
  { subscribers, writers, seed, ...size }: ReconnectSize,
  say: (line: string) => void = () => {},
): Promise<ReconnectReport> {
  const random = makeRandom(seed);
  const liveWorld = await makeLiveWorld(pool);
  await using proxy = await startNetworkProxy({ host: "127.0.0.1", port: Number(new URL(url).port) });
  await using group = new SubscriberGroup(subscribers, liveWorld, () => `http://127.0.0.1:${proxy.port}`, random);
  await group.start();
  let [writes, cuts] = [0, 0];

  function cutSomebody(): void {
    const where = random.pick(["at home", "client", "server"] as const);
    if (where === "at home") random.pick(group.subscribers).drop();
    else proxy.cut(random.below(proxy.size), where);
    cuts++;
  }

  await letWrite({
    ...liveWorld,
    gateway: () => url,
    count: writers,
    random,
    goOn: () => writes < size.writes,
    onWritten() {
      if (++writes % 500 === 0) say(`${writes} writes, ${cuts} cuts`);
      if (random.below(3) === 0) cutSomebody();
    },
  });
  await writeLast({ ...liveWorld, gateway: url }, liveWorld.spaces);
  const comparison = await group.compare(pool);
  return { ...comparison, writes, cuts, returns: group.returns };
}
