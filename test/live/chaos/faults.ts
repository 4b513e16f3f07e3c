// The faults of the chaos proof. Each ends what it began, so that the gateways may recover.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { ChaosScene } from "#test/live/chaos/scene.ts";
import { makeSynchronous, promote, startReplica } from "#test/live/clusters.ts";
import type { NetworkProxy } from "#test/live/network-proxy.ts";
import { ask } from "#test/support/docgraph-process.ts";

export interface Fault {
  readonly name: string;
  /** Whether it is possible here; by default it is. */
  readonly isPossible?: (scene: ChaosScene) => boolean;
  readonly make: (scene: ChaosScene) => Promise<void>;
}

const anyGateway = ({ gateways, random }: ChaosScene) => random.below(gateways.count);

/** Between one second and `seconds`. */
const lasting = ({ random }: ChaosScene, seconds = 4) => sleep(1_000 + random.below((seconds - 1) * 1_000));

/** A service that answers nothing, and one that refuses connections. */
const faultsOf = (service: string, proxyOf: (scene: ChaosScene) => NetworkProxy | null): readonly Fault[] => [
  {
    name: `${service} is frozen`,
    isPossible: (scene) => proxyOf(scene) !== null,
    async make(scene) {
      proxyOf(scene)?.hold();
      await lasting(scene, 8);
      proxyOf(scene)?.resume();
    },
  },
  {
    name: `${service} is away`,
    isPossible: (scene) => proxyOf(scene) !== null,
    async make(scene) {
      proxyOf(scene)?.disconnect();
      await lasting(scene, 8);
      proxyOf(scene)?.reconnect();
    },
  },
];

export const faults: readonly Fault[] = [
  { name: "a gateway is killed", make: (scene) => scene.gateways.crash(anyGateway(scene)) },
  { name: "a gateway is restarted", make: (scene) => scene.gateways.restart(anyGateway(scene)) },
  {
    name: "a gateway is frozen",
    async make(scene) {
      const pid = scene.gateways.pidOf(anyGateway(scene));
      process.kill(pid, "SIGSTOP");
      await lasting(scene);
      process.kill(pid, "SIGCONT");
    },
  },
  {
    name: "the clock of a gateway jumps",
    async make(scene) {
      const pid = scene.gateways.pidOf(anyGateway(scene));
      process.kill(pid, "SIGUSR2");
      await lasting(scene, 8);
      process.kill(pid, "SIGUSR2");
    },
  },
  {
    name: "PostgreSQL is killed",
    async make({ cluster }) {
      await cluster.kill();
      await cluster.startAgain();
    },
  },
  {
    name: "PostgreSQL is frozen",
    async make(scene) {
      const { pool, pid } = scene.cluster;
      const { rows } = await pool.query<{ pid: number }>(
        "select pid from pg_stat_activity where pid <> pg_backend_pid()",
      );
      const signal = (name: NodeJS.Signals) => {
        for (const each of [pid, ...rows.map((row) => row.pid)]) kill(each, name);
      };
      signal("SIGSTOP");
      await lasting(scene, 8);
      signal("SIGCONT");
    },
  },
  { name: "another server takes over from PostgreSQL", make: failOver },
  ...faultsOf("the network to PostgreSQL", ({ database }) => database),
  {
    name: "connections to PostgreSQL are cut",
    async make({ database, random }) {
      for (let cut = 0; cut < 20; cut++) {
        database.cut(random.below(database.size), random.pick(["client", "server"]));
        await sleep(100);
      }
    },
  },
  {
    name: "sessions of PostgreSQL are ended",
    async make({ cluster: { pool } }) {
      const end = "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'docgraph%'";
      for (let time = 0; time < 5; time++) {
        await pool.query(`${end} and pid <> pg_backend_pid()`);
        await sleep(300);
      }
    },
  },
  {
    name: "the network to PostgreSQL is slow",
    async make(scene) {
      scene.database.slowDown(20 + scene.random.below(300));
      await lasting(scene, 8);
      scene.database.slowDown(0);
    },
  },
  {
    name: "PostgreSQL takes 2 seconds",
    async make(scene) {
      scene.database.slowDown(2_000);
      await sleep(8_000);
      scene.database.slowDown(0);
    },
  },
  {
    name: "a table is locked",
    async make(scene) {
      const client = new pg.Client({ connectionString: scene.cluster.url, application_name: "operator" });
      await client.connect();
      await client.query(`begin; lock table ${scene.random.pick([`"Comment"`, `"Revision"`, `"User"`])}`);
      await lasting(scene, 8);
      await client.end();
    },
  },
  {
    name: "the disk of PostgreSQL is full",
    isPossible: ({ disk }) => disk !== null,
    async make(scene) {
      await scene.disk?.fill();
      await lasting(scene, 8);
      await scene.disk?.clear();
      // It ends by itself when its log has no space.
      kill(scene.cluster.pid, "SIGKILL");
      await scene.cluster.startAgain();
    },
  },
  ...faultsOf("Redis", ({ redis }) => redis),
  ...faultsOf("S3", ({ s3 }) => s3),
  { name: "a user takes all that they get", make: hog },
];

/** Signals a process that may have ended. */
function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // it has ended
  }
}

/** Kills the primary, and promotes its synchronous standby. */
async function failOver(scene: ChaosScene): Promise<void> {
  const { cluster: former, disk } = scene;
  const standby = await startReplica(former, "standby", disk?.path);
  await makeSynchronous(former, standby, "standby");
  await former.kill();
  await promote(standby);
  scene.cluster = standby;
  await former[Symbol.asyncDispose]();
}

/** Forty large requests at once, again and again; refusals are expected. */
async function hog(scene: ChaosScene): Promise<void> {
  const { gateways, liveWorld } = scene;
  const document = `query ($id: ID!) { organization(id: $id) { spaces(first: 5) { nodes { comments(first: 200) { nodes {
    body { markdown } replies(first: 50) { nodes { body { markdown } } } postedBy { displayName } } } } } } }`;
  const over = AbortSignal.timeout(5_000);
  const askAgain = async (index: number) => {
    while (!over.aborted)
      await ask(gateways.urlOf(index), liveWorld.otherToken, document, { id: liveWorld.organizationId }).catch(
        () => {},
      );
  };
  await Promise.all(Array.from({ length: 40 }, (_, index) => askAgain(index)));
}
