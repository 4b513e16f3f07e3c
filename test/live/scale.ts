// The proof of several machines, deployed as in src/deployment: gateways behind HAProxy, a primary and two standbys,
// each behind a PgBouncer, Redis and S3. The primary is killed under load.
import { setTimeout as sleep } from "node:timers/promises";
import { sessionSettings } from "#src/db/connection/sessions.ts";
import { type Cluster, follow, promote, set, startCluster, startReplica } from "#test/live/clusters.ts";
import { type Comparison, SubscriberGroup, type LiveWorld } from "#test/live/subscriber-group.ts";
import { upload } from "#test/live/faults/upload.ts";
import { startGateways } from "#test/live/gateways.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { startHaproxy } from "#test/live/haproxy.ts";
import { readTable } from "#test/live/outbox.ts";
import { startPgBouncer } from "#test/live/pgbouncer.ts";
import { findRedis } from "#test/live/redis.ts";
import { type Acknowledged, letWrite, writeLast } from "#test/live/writers.ts";
import { settingsIn } from "#test/support/deployment.ts";
import { ask } from "#test/support/docgraph-process.ts";
import { makeRandom, type Random } from "#test/support/random.ts";
import { s3Credentials, startS3 } from "#test/support/s3.ts";

export interface ScaleSize {
  readonly gateways: number;
  readonly subscribers: number;
  /** Seconds of load at least before and after the primary is killed. */
  readonly seconds: number;
  readonly writers: number;
  readonly readers: number;
  /** The pause of each reader after a request, in milliseconds. */
  readonly restMs: number;
  readonly seed: number;
}

export interface ScaleReport extends Comparison {
  readonly reads: number;
  readonly writes: number;
  readonly uploads: number;
  readonly failedReads: number;
  readonly failedWrites: number;
  /** Acknowledged writes that are missing from the table of the new primary. */
  readonly lost: number;
  /** From the kill until a write was acknowledged again, in milliseconds, including the operator's work. */
  readonly recoveredAfterMs: number;
  /** The number of reconnects. */
  readonly returns: number;
  /** The number of replicas in use at the end, over all gateways. */
  readonly replicasUsed: number;
}

const names = ["db1", "db2", "db3"] as const;

/** A primary with two standbys, at least one of them synchronous. */
class Databases implements AsyncDisposable {
  readonly clusters: readonly Cluster[];
  primary: Cluster;

  constructor(clusters: readonly [Cluster, ...Cluster[]]) {
    this.clusters = clusters;
    this.primary = clusters[0];
  }

  static async start(): Promise<Databases> {
    const first = await startCluster();
    const { synchronous_standby_names: standbys, wal_keep_size, hot_standby_feedback } = settingsIn("postgresql.conf");
    await set(first, { wal_keep_size: wal_keep_size ?? "", hot_standby_feedback: hot_standby_feedback ?? "" });
    // Behind transaction poolers session settings come from the role.
    for (const [name, value] of Object.entries(sessionSettings({ statementTimeoutMs: 10_000 })))
      await first.pool.query(`alter role docgraph in database docgraph set ${name} = '${value}'`);
    const others = [await startReplica(first, names[1]), await startReplica(first, names[2])];
    const databases = new Databases([first, ...others]);
    for (const each of databases.clusters) await set(each, { synchronous_standby_names: standbys ?? "" });
    return databases;
  }

  /** Kills the primary, and promotes the most advanced standby, as Patroni does. */
  async failOver(): Promise<void> {
    await this.primary.kill();
    const standbys = this.clusters.filter((cluster) => cluster !== this.primary);
    const received = await Promise.all(
      standbys.map(async ({ pool }) => {
        const { rows } = await pool.query<{ at: string }>("select pg_last_wal_receive_lsn() - '0/0'::pg_lsn as at");
        return BigInt(rows[0]?.at ?? 0);
      }),
    );
    const most = standbys[received.findIndex((at) => received.every((other) => other <= at))];
    if (!most) throw new Error("No standby is configured.");
    await promote(most);
    this.primary = most;
    for (const [index, cluster] of this.clusters.entries())
      if (standbys.includes(cluster) && cluster !== most) await follow(cluster, most, names[index] ?? "");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cluster of this.clusters.toReversed()) await cluster[Symbol.asyncDispose]();
  }
}

/** Counts what a group of readers and writers was answered. */
class Load {
  reads = 0;
  uploads = 0;
  failedReads = 0;
  failedWrites = 0;
  readonly acknowledged: Acknowledged[] = [];
  #isOver = false;
  readonly #working: Promise<unknown>[] = [];

  constructor(liveWorld: LiveWorld, url: string, { writers, readers, restMs }: ScaleSize, random: Random) {
    const goOn = () => !this.#isOver;
    const onWritten = (written: Acknowledged) => void this.acknowledged.push(written);
    const onFailed = () => void this.failedWrites++;
    const options = {
      ...liveWorld,
      gateway: () => url,
      count: writers,
      random,
      restMs: 100,
      goOn,
      onWritten,
      onFailed,
    };
    this.#working.push(letWrite(options));
    for (let reader = 0; reader < readers; reader++) this.#working.push(this.#read(liveWorld, url, restMs));
    this.#working.push(this.#upload(liveWorld, url));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#working);
  }

  /** Waits until `count` more writes and reads, and an upload, have succeeded. */
  async more(count: number): Promise<void> {
    const [writes, reads, uploads] = [this.acknowledged.length + count, this.reads + count, this.uploads + 1];
    while (this.acknowledged.length < writes || this.reads < reads || this.uploads < uploads) await sleep(20);
  }

  /** Its figures, with the writes missing from the event table. */
  async result({ pool }: Cluster) {
    const table = await readTable(pool, { types: ["comment", "commentReply", "changeRequest", "space"] });
    const written = new Set(table.map(({ type, subjectId }) => `${type} ${subjectId}`));
    const lost = this.acknowledged.filter(({ type, subjectId }) => !written.has(`${type} ${subjectId}`)).length;
    const { reads, uploads, failedReads, failedWrites, acknowledged } = this;
    return { reads, uploads, failedReads, failedWrites, writes: acknowledged.length, lost };
  }

  async #read({ token, organizationId }: LiveWorld, url: string, restMs: number): Promise<void> {
    const nested = `{ organization(id: "${organizationId}") { spaces(first: 5) { nodes { title
      comments(first: 10) { nodes { body { markdown } postedBy { displayName } } } } } } }`;
    while (!this.#isOver) {
      await ask(url, token, nested).then(
        () => this.reads++,
        () => this.failedReads++,
      );
      await sleep(restMs);
    }
  }

  async #upload({ token, spaces: [spaceId = ""] }: LiveWorld, url: string): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const status = await upload(url, token, { spaceId, bytes: Buffer.from(`Note ${turn}`) });
      if (status === 200) this.uploads++;
      else this.failedWrites++;
      await sleep(500);
    }
  }
}

interface Told {
  readonly replicas?: readonly { readonly isUsed: boolean }[];
}

/** The settings of gateways for shared services, with the addresses of this run. */
function gatewayVariables(places: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const shared = /^(DATABASE_\w+|PREPARED_STATEMENTS|REDIS_URL|FILES_URL|S3_ENDPOINT|DRAIN_SECONDS)$/;
  const placed = Object.entries(settingsIn("docgraph.env")).filter(([name]) => shared.test(name));
  return Object.fromEntries(
    placed.map(([name, value]) => [
      name,
      Object.entries(places).reduce((text, [from, to]) => text.replaceAll(from, to), value),
    ]),
  );
}

/** Runs the proof; prints the reason and returns null if a program is missing. */
export async function proveScale(size: ScaleSize, say: (line: string) => void = () => {}): Promise<ScaleReport | null> {
  const random = makeRandom(size.seed);
  await using open = new AsyncDisposableStack();
  const databases = open.use(await Databases.start());
  const poolers = await Promise.all(databases.clusters.map(({ url }) => startPgBouncer({ url, mode: "transaction" })));
  for (const pooler of poolers) open.use(pooler);
  const redis = open.use(await findRedis());
  const s3 = open.use(await startS3());
  if (!redis || poolers.includes(null)) return null;
  const { DATABASE_URL = "", ...variables } = gatewayVariables({
    "docgraph:PASSWORD": "docgraph",
    ...Object.fromEntries(
      names.flatMap((_name, index) => [
        [`10.0.0.2${index + 1}:6432`, new URL(poolers[index]?.url ?? "").host],
        [`10.0.0.2${index + 1}:5432`, databases.clusters[index]?.host ?? ""],
      ]),
    ),
    "redis://10.0.0.31:6379": `redis://${redis.host}:${redis.port}`,
    "s3://docgraph-files": `s3://${s3.bucket}/files`,
    "https://storage.example.com": s3.endpoint,
  });
  const gateways = open.use(await startGateways(size.gateways, DATABASE_URL, { ...variables, ...s3Credentials }));
  const urls = Array.from({ length: size.gateways }, (_, index) => gateways.urlOf(index));
  const balancer = open.use(await startHaproxy(urls));
  if (!balancer) return null;
  const liveWorld = await makeLiveWorld(databases.primary.pool);
  const group = open.use(new SubscriberGroup(size.subscribers, liveWorld, () => balancer.url, random));
  await group.start();
  say(`${size.subscribers} subscribers are connected`);
  const load = new Load(liveWorld, balancer.url, size, random);
  const work = () => Promise.all([load.more(5), sleep(size.seconds * 1000)]);
  await Promise.race([work(), gateways.failure]);
  say(`${load.acknowledged.length} writes and ${load.reads} reads answered; now the primary is killed`);
  const recoveredAfterMs = await recover(databases, liveWorld, balancer.url);
  say(`a write was acknowledged again after ${recoveredAfterMs} ms`);
  await Promise.race([work(), gateways.failure]);
  await load.end();
  await writeLast({ ...liveWorld, gateway: balancer.url }, liveWorld.spaces);
  const replicasUsed = await countReplicas(urls);
  const comparison = await group.compare(databases.primary.pool);
  return {
    ...comparison,
    ...(await load.result(databases.primary)),
    recoveredAfterMs,
    replicasUsed,
    returns: group.returns,
  };
}

/** The number of replicas in use, once each gateway uses one, or else after a minute. */
async function countReplicas(urls: readonly string[]): Promise<number> {
  const end = performance.now() + 60_000;
  for (;;) {
    const states = await Promise.all(urls.map(async (url) => (await (await fetch(`${url}/readyz`)).json()) as Told));
    const count = states.flatMap(({ replicas = [] }) => replicas).filter(({ isUsed }) => isUsed).length;
    if (count >= urls.length || performance.now() > end) return count;
    await sleep(100);
  }
}

/** Kills the primary, promotes another, and writes until that is acknowledged. */
async function recover(databases: Databases, { token, spaces: [spaceId] }: LiveWorld, url: string): Promise<number> {
  const at = performance.now();
  await databases.failOver();
  const post = "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }";
  const input = { contentOf: { spaceId }, text: { markdown: "Again" } };
  while (!(await ask(url, token, post, { input }).catch(() => null))) await sleep(20);
  return Math.round(performance.now() - at);
}
