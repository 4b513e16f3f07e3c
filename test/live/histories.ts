// The proof of histories: the database of two gateways is replaced by others, which continue after the delivered events
// or go back. Subscribers are notified of a rollback once, and receive exactly the later events.
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { openDatabase } from "#src/db/connection/database.ts";
import type { ResetReason } from "#src/events/history.ts";
import { beginSegment, trimOutbox } from "#src/events/segments.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { startDatabaseProxy } from "#test/live/network-proxy.ts";
import * as clusters from "#test/live/clusters.ts";
import type { Cluster } from "#test/live/clusters.ts";
import type { LiveWorld } from "#test/live/subscriber-group.ts";
import { type Gateways, startGateways } from "#test/live/gateways.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { type Entry, readTable } from "#test/live/outbox.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { ask } from "#test/support/docgraph-process.ts";

/** What eight subscribers received when the database was replaced. */
export interface HistoryReport {
  readonly step: string;
  /** The expected reason of the Resync; null if no subscriber has to resync. */
  readonly reason: ResetReason | null;
  /** Events that were delivered and have left the database. */
  readonly gone: number;
  /** Over all subscribers: the later events, and those received. */
  readonly expected: number;
  readonly missing: number;
  readonly doubled: number;
  /** Received events that are earlier or not in the table. */
  readonly old: number;
  /** Subscribers whose list is not the table's, event for event. */
  readonly different: number;
  /** Subscribers that got Resync, and those with another reason than RESET. */
  readonly resyncs: number;
  readonly otherReasons: number;
  /** Gateways whose log and `/readyz` have the expected reason. */
  readonly said: number;
  /** From the recovery of the database until all had received the first new event, in milliseconds. */
  readonly tookMs: number;
}

/** The environment of the proof, while the cluster behind the gateways changes. */
class Scene implements AsyncDisposable {
  readonly #open: AsyncDisposable[] = [];
  readonly #writes: number;
  readonly #say: (line: string) => void;
  readonly reports: HistoryReport[] = [];
  readonly gateways: Gateways;
  readonly #world: LiveWorld;
  readonly #subscribers: readonly Subscriber[];
  readonly #proxy: { disconnect(): void; reconnect(): void };
  readonly #current: { cluster: Cluster };

  constructor(parts: SceneParts, { writes, say }: HistoryOptions) {
    const { proxy, gateways, liveWorld, current } = parts;
    this.gateways = gateways;
    this.#open.push(proxy, current.cluster);
    this.#writes = writes;
    this.#say = say;
    this.#proxy = proxy;
    this.#world = liveWorld;
    this.#current = current;
    const { token, organizationId } = liveWorld;
    this.#subscribers = Array.from({ length: 8 }, (_, index) => {
      const gateway = () => gateways.urlOf(index >> 1);
      const field = `commentEvents(of: { organizationId: "${organizationId}" })`;
      return new Subscriber({ gateway, token, over: index % 2 === 0 ? "socket" : "events", takesResync: true, field });
    });
  }

  get cluster(): Cluster {
    return this.#current.cluster;
  }

  /** Registers something to be disposed of at the end, in reverse order. */
  keep<Thing extends AsyncDisposable>(thing: Thing): Thing {
    this.#open.unshift(thing);
    return thing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#subscribers.map((subscriber) => subscriber.stop()));
    await this.gateways[Symbol.asyncDispose]();
    for (const thing of this.#open) await thing[Symbol.asyncDispose]();
  }

  async start(): Promise<void> {
    await Promise.all(this.#subscribers.map((subscriber) => subscriber.start()));
    await this.write();
    await this.#receive(this.#subscribers);
  }

  /** Comments at both gateways, one after the other. */
  async write(count = this.#writes): Promise<void> {
    const { token, spaces } = this.#world;
    const document = "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }";
    for (let index = 0; index < count; index++) {
      const input = { contentOf: { spaceId: spaces[index % spaces.length] }, text: { markdown: "Written" } };
      await ask(this.gateways.urlOf(index), token, document, { input });
    }
  }

  /**
   * Replaces the cluster by the result of `replace`, which may write before. Two subscribers are offline during
   * the replacement and two more after it; all four reconnect with their cursors.
   */
  async replace(step: string, reason: ResetReason | null, replace: () => Promise<Cluster>): Promise<void> {
    const [staying, away, gone] = [
      this.#subscribers.slice(0, 4),
      this.#subscribers.slice(4, 6),
      this.#subscribers.slice(6),
    ];
    await stopAll(gone);
    const next = this.keep(await replace());
    await this.#receive([...staying, ...away]);
    await stopAll(away);
    const before = await this.#table();
    const marks = this.#subscribers.map(({ received, resyncs }) => [received.length, resyncs.length] as const);
    this.#proxy.disconnect();
    await this.cluster.stop();
    this.#current.cluster = next;
    const begun = performance.now();
    this.#proxy.reconnect();
    const known = new Set((await this.#table()).map(({ subjectId }) => subjectId));
    await this.#answer();
    await Promise.all([...away, ...gone].map((subscriber) => subscriber.start()));
    if (reason)
      await Promise.all(
        this.#subscribers.map((one, index) => one.until(() => one.resyncs.length > (marks[index]?.[1] ?? 0))),
      );
    await this.write(1);
    await this.#receive(this.#subscribers);
    const tookMs = Math.round(performance.now() - begun);
    await this.write(this.#writes - 1);
    await this.#receive(this.#subscribers);
    const table = await this.#table();
    const told = reason ? table.filter(({ subjectId }) => !known.has(subjectId)) : table;
    const report = {
      step,
      reason,
      gone: before.filter(({ subjectId }) => !known.has(subjectId)).length,
      ...this.#compare(marks, { told: cursorsOf(told), before: cursorsOf(before), isReset: reason !== null }),
      said: reason ? await this.#said(reason) : 0,
      tookMs,
    };
    this.#say(JSON.stringify(report));
    this.reports.push(report);
  }

  /** Before a Resync only earlier events may arrive, at subscribers that were offline; after it only later ones. */
  #compare(marks: readonly (readonly [number, number])[], { told, before, isReset }: Told) {
    const sums = { expected: 0, missing: 0, doubled: 0, old: 0, different: 0, resyncs: 0, otherReasons: 0 };
    for (const [index, { received, resyncs }] of this.#subscribers.entries()) {
      const [events, resyncsBefore] = marks[index] ?? [0, 0];
      const fresh = resyncs.slice(resyncsBefore);
      const start = isReset ? (fresh.at(-1)?.after ?? events) : 0;
      const cursors = received.slice(start).map(({ cursor }) => cursor);
      const late = received.slice(events, start).filter(({ cursor }) => !before.includes(cursor));
      sums.expected += told.length;
      sums.missing += told.filter((cursor) => !cursors.includes(cursor)).length;
      sums.doubled += cursors.length - new Set(cursors).size;
      sums.old += cursors.filter((cursor) => !told.includes(cursor)).length + late.length;
      sums.different += JSON.stringify(cursors) === JSON.stringify(told) ? 0 : 1;
      sums.resyncs += fresh.length;
      sums.otherReasons += fresh.filter((resync) => resync.reason !== "RESET").length;
    }
    return sums;
  }

  #table() {
    return readTable(this.cluster.pool, { organizationId: this.#world.organizationId, types: ["comment"] });
  }

  /** Waits until these subscribers have received the last event. */
  async #receive(subscribers: readonly Subscriber[]): Promise<void> {
    const last = (await this.#table()).at(-1);
    if (last) await Promise.all(subscribers.map((subscriber) => subscriber.reaches(last.cursor)));
  }

  async #readiness(index: number): Promise<{ status: string; feed?: { reset?: { reason: string } } }> {
    const response = await fetch(`${this.gateways.urlOf(index)}/readyz`);
    return (await response.json()) as { status: string }; // the fields of src/docs/monitoring.md#health
  }

  /** Waits until both gateways have a database. */
  async #answer(): Promise<void> {
    for (const index of [0, 1]) while ((await this.#readiness(index)).status !== "ok") await sleep(20);
  }

  /** The number of gateways that report it, at once if both do, or else after a minute. */
  async #said(reason: ResetReason): Promise<number> {
    const isLogged = (index: number) => this.gateways.outputOf(index).includes(`"reason":"${reason}"`);
    for (const end = performance.now() + 60_000; ; await sleep(20)) {
      const said = await Promise.all([0, 1].map((index) => this.#readiness(index)));
      const count = said.filter(({ feed }, index) => feed?.reset?.reason === reason && isLogged(index)).length;
      if (count === 2 || performance.now() > end) return count;
    }
  }
}

/** Cursors of a step: of the expected events, and of those of the former database. */
interface Told {
  readonly told: readonly string[];
  readonly before: readonly string[];
  readonly isReset: boolean;
}

const cursorsOf = (table: readonly Entry[]): string[] => table.map(({ cursor }) => cursor);

const stopAll = (subscribers: readonly Subscriber[]) => Promise.all(subscribers.map((subscriber) => subscriber.stop()));

interface SceneParts {
  readonly proxy: AsyncDisposable & { disconnect(): void; reconnect(): void };
  readonly gateways: Gateways;
  readonly liveWorld: LiveWorld;
  readonly current: { cluster: Cluster };
}

export interface HistoryOptions {
  /** Comments that are written between two steps. */
  readonly writes: number;
  readonly say: (line: string) => void;
  /** Only the steps that are named; all by default. */
  readonly only?: readonly string[];
}

async function openScene(options: HistoryOptions): Promise<Scene> {
  const cluster = await clusters.startCluster();
  await clusters.ageBy(cluster, 3000); // so that clusters restored from a dump have lower ids
  const liveWorld = await makeLiveWorld(cluster.pool);
  const current = { cluster };
  const proxy = await startDatabaseProxy(() => current.cluster.url);
  const gateways = await startGateways(2, proxy.url);
  const scene = new Scene({ proxy, gateways, liveWorld, current }, options);
  await scene.start();
  return scene;
}

/** The steps, each with its expected reason and the way to make the next cluster. */
const steps: readonly (readonly [
  step: string,
  reason: ResetReason | null,
  replace: (scene: Scene) => Promise<Cluster>,
])[] = [
  [
    "failover to a replica that has everything",
    null,
    async (scene) => {
      const replica = await clusters.startReplica(scene.cluster);
      await scene.write();
      await clusters.hasReplayed(replica, await clusters.placeInLog(scene.cluster));
      await clusters.promote(replica);
      return replica;
    },
  ],
  [
    "failover to a replica that is behind",
    "older state",
    async (scene) => {
      const replica = await clusters.startReplica(scene.cluster);
      await clusters.cutOff(replica);
      await scene.write();
      await clusters.promote(replica);
      return replica;
    },
  ],
  [
    "recovery up to a moment",
    "older state",
    async (scene) => {
      const backup = await clusters.backUp(scene.cluster);
      await scene.write();
      const moment = await clusters.placeInLog(scene.cluster);
      await scene.write();
      return clusters.recover(backup, scene.cluster, moment);
    },
  ],
  [
    "an older backup, as it is",
    "older state",
    async (scene) => {
      const backup = await clusters.backUp(scene.cluster);
      await scene.write();
      return clusters.startOn(backup);
    },
  ],
  [
    "a dump of what was never trimmed",
    "other cluster",
    async (scene) => {
      await scene.write();
      return clusters.restoreDump(scene.cluster);
    },
  ],
  [
    "a dump of what was trimmed",
    "other cluster",
    async (scene) => {
      await trim(scene.cluster);
      return clusters.restoreDump(scene.cluster);
    },
  ],
];

/** Failovers, an older backup, a point-in-time recovery and dumps, one after the other. */
export async function proveHistories(options: HistoryOptions): Promise<HistoryReport[]> {
  await using scene = await openScene(options);
  for (const [step, reason, replace] of steps)
    if (options.only?.includes(step) ?? true) await scene.replace(step, reason, () => replace(scene));
  return scene.reports;
}

/** Whether all subscribers received exactly the expected events, and Resync if expected. */
export function isFaultless(report: HistoryReport): boolean {
  const { missing, doubled, old, different, otherReasons, reason, resyncs, said } = report;
  const isTold = reason ? resyncs === 8 && said === 2 : resyncs === 0;
  return isTold && [missing, doubled, old, different, otherReasons].every((count) => count === 0);
}

/** Trims the events of a cluster as on the next day, and begins another segment. */
async function trim({ url }: Cluster): Promise<void> {
  const database = openDatabase({ url });
  try {
    await trimOutbox.run({
      database,
      files: new FolderStore("/nowhere"),
      fetch: () => Promise.reject(new Error("it asks for nothing")),
      log: pino({ level: "silent" }),
      clock: { now: () => new Date(Date.now() + 25 * 3_600_000) },
      readTxtRecords: () => Promise.resolve([]),
    });
    await beginSegment(database, new Date(Date.now() + 60_000));
  } finally {
    await database.close();
  }
}
