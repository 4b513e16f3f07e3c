// The scene of the chaos proof: two gateways under mixed load, and everything beside them behind a proxy.
import { setTimeout as sleep } from "node:timers/promises";
import { type Cluster, startCluster } from "#test/live/clusters.ts";
import { mountSmallDisk, type SmallDisk } from "#test/live/faults/disks.ts";
import { type Gateways, startGateways } from "#test/live/gateways.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import { MixedLoad } from "#test/live/mixed-load.ts";
import { type NetworkProxy, startDatabaseProxy, startNetworkProxy } from "#test/live/network-proxy.ts";
import { findRedis } from "#test/live/redis.ts";
import { SubscriberGroup } from "#test/live/subscriber-group.ts";
import { writeLast } from "#test/live/writers.ts";
import { ask } from "#test/support/docgraph-process.ts";
import type { Random } from "#test/support/random.ts";
import { s3Credentials, startS3, type TestS3 } from "#test/support/s3.ts";

export interface ChaosSize {
  /** How long faults are made. */
  readonly seconds: number;
  /** How many are made at least. */
  readonly faults: number;
  readonly subscribers: number;
  readonly visitors: number;
  readonly seed: number;
  /** Only faults whose name contains this are made. */
  readonly named?: string;
}

export interface ChaosScene extends AsyncDisposable {
  readonly random: Random;
  /** The primary; a failover replaces it. */
  cluster: Cluster;
  /** Of all clusters; null without the right to mount one. */
  readonly disk: SmallDisk | null;
  readonly database: NetworkProxy;
  /** Null if Redis is not installed. */
  readonly redis: NetworkProxy | null;
  readonly s3: NetworkProxy;
  readonly storage: TestS3;
  readonly gateways: Gateways;
  readonly liveWorld: Awaited<ReturnType<typeof makeLiveWorld>>;
  readonly load: MixedLoad;
  readonly group: SubscriberGroup;
  /** Waits until each gateway writes again; returns the milliseconds. */
  untilWritten(): Promise<number>;
  /** Ends the load, with last writes by which subscribers have received all earlier ones. */
  end(): Promise<void>;
}

const gatewayCount = 2;

/** How far the clock of a gateway jumps: ahead of all leases, and of the age at which something is deleted. */
const clockShiftSeconds = 3 * 86_400;

/** The load is one user, who may do what many do. */
const limits = { OPERATIONS_PER_USER: "100", OPERATIONS_AT_ONCE: "200", POINTS_PER_MINUTE: "1000000000" };

/** Starts everything. */
export async function openChaos(size: ChaosSize, random: Random): Promise<ChaosScene> {
  const open = new AsyncDisposableStack();
  const disk = await mountSmallDisk(1_500).then(
    (mounted) => open.use(mounted),
    () => null,
  ); // not as root
  const current = { cluster: await startCluster(disk?.path) };
  open.defer(() => current.cluster[Symbol.asyncDispose]());
  const database = open.use(await startDatabaseProxy(() => current.cluster.url));
  const storage = open.use(await startS3());
  const s3 = open.use(await startNetworkProxy({ host: "127.0.0.1", port: Number(new URL(storage.endpoint).port) }));
  const server = open.use(await findRedis());
  const redis = open.use(server && (await startNetworkProxy({ host: server.host, port: server.port })));
  const gateways = open.use(
    await startGateways(gatewayCount, database.url, {
      ...limits,
      ...s3Credentials,
      ...(redis && { REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
      FILES_URL: `s3://${storage.bucket}/files`,
      S3_ENDPOINT: `http://127.0.0.1:${s3.port}`,
      NODE_OPTIONS: `--import=${new URL("./shifted-clock.ts", import.meta.url).href}`,
      CLOCK_SHIFT_SECONDS: String(clockShiftSeconds),
    }),
  );
  const liveWorld = await makeLiveWorld(current.cluster.pool);
  const takesOutages = true;
  const group = new SubscriberGroup(size.subscribers, liveWorld, (index) => gateways.next(index), random, {
    takesOutages,
  });
  open.use(group);
  await group.start();
  const any = () => gateways.urlOf(random.below(gatewayCount));
  const load = new MixedLoad(liveWorld, any, { visitors: size.visitors, stayMs: 3_000, takesOutages }, random);
  return Object.assign(current, {
    random,
    disk,
    database,
    redis,
    s3,
    storage,
    gateways,
    liveWorld,
    load,
    group,
    untilWritten: () => untilWritten(gateways, liveWorld),
    async end() {
      await load.end();
      await writeLast({ ...liveWorld, gateway: gateways.urlOf(0) }, liveWorld.spaces);
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  });
}

type World = Pick<ChaosScene["liveWorld"], "token" | "spaces">;

async function untilWritten(gateways: Gateways, { token, spaces: [spaceId] }: World): Promise<number> {
  const begun = performance.now();
  const post = "mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }";
  const input = { contentOf: { spaceId }, text: { markdown: "Again" } };
  for (let index = 0; index < gateways.count; index++)
    for (let failure: unknown = ""; failure !== null;) {
      failure = await ask(gateways.urlOf(index), token, post, { input }).then(
        () => null,
        (error: unknown) => error,
      );
      if (performance.now() - begun > 120_000) throw new Error("A gateway does not recover.", { cause: failure });
      if (failure !== null) await sleep(50);
    }
  return Math.round(performance.now() - begun);
}
