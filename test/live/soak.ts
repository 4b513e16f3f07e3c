// The soak proof: many subscribers, most of them short-lived, under mixed load for minutes. No event is lost, no
// request fails, and no resource of the gateway keeps growing.
import { setTimeout as sleep } from "node:timers/promises";
import { type Comparison, SubscriberGroup } from "#test/live/subscriber-group.ts";
import { startGateways } from "#test/live/gateways.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { MixedLoad } from "#test/live/mixed-load.ts";
import { writeLast } from "#test/live/writers.ts";
import { freePort } from "#test/support/free-port.ts";
import { makeRandom } from "#test/support/random.ts";

export interface SoakSize {
  readonly seconds: number;
  /** How long its resources are measured after all clients have left, in seconds. */
  readonly restSeconds: number;
  /** Subscribers that stay for the whole run. */
  readonly subscribers: number;
  /** Subscribers that connect for a while, repeatedly. */
  readonly visitors: number;
  /** The longest stay of a visitor, in milliseconds. */
  readonly stayMs: number;
  readonly seed: number;
}

/** The resources of a gateway, by its metrics. */
interface Use {
  readonly heapMb: number;
  readonly residentMb: number;
  readonly descriptors: number;
  readonly loopP99Ms: number;
}

export interface SoakReport extends Comparison {
  /** Successful requests by kind. */
  readonly done: Readonly<Record<string, number>>;
  /** Failed requests. */
  readonly faults: readonly string[];
  /** At the start, after each quarter of the time, and after all have left. */
  readonly use: readonly Use[];
}

/** Whether no event was lost, nothing failed, and the heap grew by less than half since the first quarter. */
export function lasts({ missing, doubled, different, hollow, faults, use }: SoakReport): boolean {
  const [start, quarter, end] = [use[0], use[1], use.at(-1)];
  if (!start || !quarter || !end) return false;
  const isSteady = end.heapMb <= quarter.heapMb * 1.5 && end.descriptors <= start.descriptors + 20;
  return missing + doubled + different + hollow + faults.length === 0 && isSteady;
}

/** Runs the proof on a gateway with its own PostgreSQL. */
export async function proveSoak(size: SoakSize, say: (line: string) => void = () => {}): Promise<SoakReport> {
  const random = makeRandom(size.seed);
  await using postgres = await startOwnPostgres();
  const metricsPort = await freePort();
  const settings = { METRICS_PORT: String(metricsPort), OPERATIONS_PER_USER: "1000", POINTS_PER_MINUTE: "1000000000" };
  await using gateways = await startGateways(1, postgres.url, settings);
  const [url, liveWorld] = [gateways.urlOf(0), await makeLiveWorld(postgres.pool)];
  const use = [await useOf(metricsPort)];
  const group = new SubscriberGroup(size.subscribers, liveWorld, () => url, random);
  await group.start();
  const load = new MixedLoad(liveWorld, () => url, size, random);
  for (let quarter = 1; quarter <= 4; quarter++) {
    await Promise.race([Promise.all([load.begun, sleep(size.seconds * 250)]), gateways.failure]);
    use.push(await useOf(metricsPort));
    say(`${JSON.stringify(use.at(-1))} after ${JSON.stringify(load.done)}, ${load.faults.length} faults`);
  }
  await load.end();
  await writeLast({ ...liveWorld, gateway: url }, liveWorld.spaces);
  const comparison = await group.compare(postgres.pool);
  await group[Symbol.asyncDispose]();
  use.push(await usedAtRest(metricsPort, size.restSeconds));
  return { ...comparison, done: load.done, faults: load.faults, use };
}

async function useOf(port: number): Promise<Use> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^docgraph_${name} (\\S+)$`, "m").exec(text)?.[1]);
  const mb = (name: string) => Math.round(read(name) / 1e6);
  return {
    heapMb: mb("nodejs_heap_size_used_bytes"),
    residentMb: mb("process_resident_memory_bytes"),
    descriptors: read("process_open_fds"),
    loopP99Ms: Math.round(read("nodejs_eventloop_lag_p99_seconds") * 1000),
  };
}

/**
 * The lowest resources within some seconds after all have left: garbage is collected eventually, and connections are
 * kept for a minute.
 */
async function usedAtRest(port: number, seconds: number): Promise<Use> {
  const seen = [await useOf(port)];
  while (seen.length <= seconds) {
    await sleep(1000);
    seen.push(await useOf(port));
  }
  const least = (name: keyof Use) => Math.min(...seen.map((use) => use[name]));
  return {
    heapMb: least("heapMb"),
    residentMb: least("residentMb"),
    descriptors: least("descriptors"),
    loopP99Ms: least("loopP99Ms"),
  };
}
