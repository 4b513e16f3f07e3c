// The soak proof: many subscribers, most of them short-lived, under mixed load for minutes. No event is lost, no
// request fails, and no resource of the gateway keeps growing.
import { setTimeout as sleep } from "node:timers/promises";
import { type Comparison, SubscriberGroup, type LiveWorld } from "#test/live/subscriber-group.ts";
import { upload } from "#test/live/faults/upload.ts";
import { startGateways } from "#test/live/gateways.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { letWrite, writeLast } from "#test/live/writers.ts";
import { type Merged, mergeDocument, openChangeRequest } from "#test/features/change-requests/scene.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { importDocument } from "#test/features/imports/importing.ts";
import { zipFile } from "#test/features/imports/files.ts";
import { type HttpClient, httpClient } from "#test/support/client.ts";
import { freePort } from "#test/support/free-port.ts";
import { makeRandom, type Random } from "#test/support/random.ts";

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
  const load = new Load(liveWorld, url, size, random);
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

const nested = `query ($id: ID!) { organization(id: $id) { spaces(first: 5) { nodes { title
  comments(first: 10) { nodes { body { markdown } postedBy { displayName } } } } } } }`;

/** The mixed load on a gateway until it is stopped, with its counts. */
class Load {
  readonly done: Record<string, number> = {};
  readonly faults: string[] = [];
  #isOver = false;
  readonly #world: LiveWorld;
  readonly #url: string;
  readonly #as: HttpClient;
  readonly #working: readonly Promise<unknown>[];
  readonly #end = new AbortController();
  readonly #undone = new Set(["visits", "nested reads", "REST reads", "merges", "imports", "uploads", "writes"]);
  #allDone = () => {};
  /** Resolves when each kind of request has succeeded once. */
  readonly begun = new Promise<void>((resolve) => (this.#allDone = resolve));

  constructor(liveWorld: LiveWorld, url: string, { visitors, stayMs }: SoakSize, random: Random) {
    [this.#world, this.#url, this.#as] = [liveWorld, url, httpClient(url, liveWorld.token)];
    const { organizationId, spaces } = liveWorld;
    const [spaceId = ""] = spaces;
    this.#working = [
      this.#write(random),
      ...Array.from({ length: visitors }, () => this.#again("visits", 100, () => this.#visit(random, stayMs))),
      this.#again("nested reads", 200, () => this.#as.query(nested, { id: organizationId })),
      this.#again("REST reads", 200, () => this.#readByRest(spaceId)),
      this.#again("merges", 2000, (turn) => this.#merge(random.pick(spaces), turn)),
      this.#again("imports", 10_000, (turn) => this.#import(random.pick(spaces), turn)),
      this.#again("uploads", 3000, (turn) => this.#upload(random.pick(spaces), turn)),
    ];
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#end.abort();
    await Promise.all(this.#working);
  }

  /** Sleeps for `ms`, or until the end. */
  async #rest(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#end.signal }).catch(() => {});
  }

  /** Repeats an action with pauses. */
  async #again(name: string, restMs: number, work: (turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      await work(turn).then(
        () => this.#count(name),
        (error: unknown) => this.faults.push(`${name}: ${String(error)}`),
      );
      await this.#rest(restMs);
    }
  }

  #count(name: string): void {
    this.done[name] = (this.done[name] ?? 0) + 1;
    this.#undone.delete(name);
    if (this.#undone.size === 0) this.#allDone();
  }

  #write(random: Random): Promise<void> {
    return letWrite({
      ...this.#world,
      gateway: () => this.#url,
      count: 4,
      random,
      restMs: 500,
      goOn: () => !this.#isOver,
      onWritten: () => this.#count("writes"),
      onFailed: (error) => this.faults.push(`writes: ${String(error)}`),
    });
  }

  /** Subscribes for a while. */
  async #visit(random: Random, stayMs: number): Promise<void> {
    const field = `commentEvents(of: { spaceId: "${random.pick(this.#world.spaces)}" })`;
    const over = random.below(4) === 0 ? "events" : "socket";
    const options = { gateway: () => this.#url, token: this.#world.token, field, over } as const;
    const visitor = await new Subscriber(options).start();
    await this.#rest(random.below(stayMs));
    await visitor.stop();
    if (visitor.faults.length > 0) throw new Error(visitor.faults.join("; "));
  }

  async #readByRest(spaceId: string): Promise<void> {
    const { status } = await this.#as.rest("GET", `/v1/spaces/${spaceId}/comments?limit=10`);
    if (status !== 200) throw new Error(String(status));
  }

  async #merge(spaceId: string, turn: number): Promise<void> {
    const id = await openChangeRequest(this.#as, spaceId);
    await editAs(
      this.#as,
      { changeRequestId: id },
      newPage(`Page of merge ${turn}`, { markdown: `# Merge ${turn}` }).edit,
    );
    const { mergeChangeRequest } = await this.#as.query<Merged>(mergeDocument, { input: { changeRequestId: id } });
    const { status } = mergeChangeRequest.changeRequest;
    if (status !== "MERGED") throw new Error(status);
  }

  #import(spaceId: string, turn: number): Promise<unknown> {
    const archive = zipFile({
      "README.md": `# Import ${turn}`,
      "chapter/README.md": "# Chapter",
      "chapter/a.md": "# A",
    });
    return this.#as.query(importDocument, { input: { contentOf: { spaceId }, from: { archive } } });
  }

  async #upload(spaceId: string, turn: number): Promise<void> {
    const status = await upload(this.#url, this.#world.token, { spaceId, bytes: Buffer.from(`Note ${turn}`) });
    if (status !== 200) throw new Error(String(status));
  }
}
