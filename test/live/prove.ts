// `npm run prove`: the proofs that take long, at full size, on gateways and a PostgreSQL of their own.
import { parseArgs } from "node:util";
import { openDatabase } from "#src/db/connection/database.ts";
import { proveAbuse } from "#test/live/abuse/abuse.ts";
import { isUnharmed, proveChaos } from "#test/live/chaos/chaos.ts";
import { proveBudgets } from "#test/live/budgets.ts";
import { proveCrashes } from "#test/live/crashes.ts";
import type { Comparison } from "#test/live/subscriber-group.ts";
import { proveEntities } from "#test/live/entities.ts";
import { proveFaults } from "#test/live/faults/table.ts";
import { startGateways } from "#test/live/gateways.ts";
import { isFaultless, proveHistories } from "#test/live/histories.ts";
import { proveHogs } from "#test/live/hogs.ts";
import { proveIntegrations } from "#test/live/integration-kills.ts";
import { proveKeyedKills } from "#test/live/keyed-kills.ts";
import { proveMemory } from "#test/live/memory.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { longestGapAllowed, provePurge } from "#test/live/purge.ts";
import { proveReconnects } from "#test/live/reconnects.ts";
import { findRedis } from "#test/live/redis.ts";
import { draining, proveRolling } from "#test/live/rolling.ts";
import { proveScale } from "#test/live/scale.ts";
import { lasts, proveSoak } from "#test/live/soak.ts";
import { proveBacklog, provePlans, proveSizes } from "#test/live/suite.ts";
import { proveUpgrade } from "#test/live/upgrade.ts";
import { stopStarted } from "#test/support/docgraph-process.ts";

const help = `Usage: npm run prove -- [options]

  --only reconnects   200 subscribers whose connections are cut at random under 50 writers
  --only crashes      kills (-9) of one of two gateways and of their PostgreSQL, in turn, under the same load
  --only integrations kills (-9) every 2 seconds of a gateway to which 1,000 comments are written, which installations hear of
  --only clusters     failovers, older backups, a recovery and dumps in the place of the database of two gateways and 8 subscribers
  --only abuse        the list of the security reviews against a gateway in production mode, and what each check costs it
  --only keys         kills (-9) of a gateway under mutations that are sent again with their Idempotency-Key
  --only rolling      two gateways behind HAProxy, which sends nothing twice, are restarted in turn under 2,000 requests
  --only scale        3 gateways behind HAProxy, 2 standbys, PgBouncer, Redis, S3: the primary is killed in 3 minutes of load
  --only purge        a space of 1,000,000 comments and 100,000 change requests is removed for good under a subscriber elsewhere
  --only budgets      the most expensive operations that the limits allow: their cost, and what others notice of 20 at once
  --only sizes        the tests that npm test runs at a small size, at their full one: properties, whole books, kills, an install by npm
  --only plans        all test files, with every query that they send answered by its plan and field by field
  --only faults       everything that may break beside it, one after the other: kills, locks, disks, clocks, the database away or frozen
  --only entities     a copy of the project with two entities of npm run new: types, unused code, examples, permissions, tenants
  --only backlog      20,000 events for an address that was down, and 13 scripts that misbehave beside one that does not
  --only upgrade      this release migrates 200,000 comments while a gateway of the last release serves
  --only memory       a gateway of 1 GB with 50 requests for 2,000 pages, a PDF of 150 pages and a specification of 5.6 MB at once
  --only chaos        faults drawn by --seed for --minutes, under a mixed load on two gateways: what is lost, doubled or left over
  --only hogs         small reads and comments of one user while another does heavy work of each kind, as multiples of alone
  --only soak         all that people do, for --minutes, while subscribers come and go: what is lost, and what keeps growing
  --fault lock        only the faults, or the works of hogs, whose name contains this, or the checks of abuse by part and name: "SAML:"
  --writes 10000      writes of the first
  --runs 1            how many times the full size of these; the chance of properties is --seed, if it is given
  --minutes 15        how long the load of the soak, or the faults of chaos, last
  --cycles 200        kills of a gateway, and of PostgreSQL, of the second
  --subscribers 200
  --writers 50
  --seed 1            of the chance by which connections are cut and writes are chosen
  --help

Without --only all are run. Each but the faults compares what every subscriber received with the table of events. It ends with 1
when anything is missing, doubled or out of order, or does not hold otherwise.
`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    fault: { type: "string", default: "" },
    writes: { type: "string", default: "10000" },
    minutes: { type: "string", default: "15" },
    cycles: { type: "string", default: "200" },
    subscribers: { type: "string", default: "200" },
    writers: { type: "string", default: "50" },
    runs: { type: "string", default: "1" },
    seed: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const load = {
  subscribers: Number(values.subscribers),
  writers: Number(values.writers),
  seed: Number(values.seed ?? 1),
};

type Say = (line: string) => void;

/** Says its figures, and answers whether what it proves holds. */
type Proof = (say: Say) => Promise<boolean>;

/** Prints what came of a comparison, and answers whether everybody heard everything, once, in order. */
function holds({ lost = 0, failed = 0, ...report }: Comparison & { lost?: number; failed?: number }): boolean {
  console.table({ ...report, lost, failed });
  const { expected, missing, doubled, hollow, different } = report;
  const delivered = ((100 * (expected - missing)) / expected).toFixed(3);
  console.log(`  ${delivered} % delivered, ${doubled} doubled, ${different} subscribers out of order\n`);
  return [missing, doubled, hollow, different, lost].every((count) => count === 0);
}

const proofs: Readonly<Record<string, Proof>> = {
  async reconnects(say) {
    await using postgres = await startOwnPostgres();
    await using gateways = await startGateways(1, postgres.url);
    const at = { url: gateways.urlOf(0), pool: postgres.pool };
    return holds(await proveReconnects(at, { ...load, writes: Number(values.writes) }, say));
  },
  async crashes(say) {
    await using postgres = await startOwnPostgres();
    await using gateways = await startGateways(2, postgres.url);
    const size = { ...load, cycles: Number(values.cycles), writes: 200, restMs: 0 };
    return holds(await proveCrashes({ postgres, gateways }, size, say));
  },
  integrations: async (say) => holds(await proveIntegrations(say)),
  async abuse(say) {
    const rows = await proveAbuse({ say, isFull: true, named: values.fault });
    const failed = rows.filter(({ holds: isGood }) => !isGood).length;
    console.table(
      rows.map(({ part, what, before, holds: isGood }) => ({ part, what, before, now: isGood ? "pass" : "FAIL" })),
    );
    console.log(`${rows.length - failed} passed, ${failed} failed`);
    return failed === 0;
  },
  async keys(say) {
    const report = await proveKeyedKills({ kills: 30, writers: 16, seed: load.seed }, say);
    console.table(report);
    return report.notOnce === 0 && report.wrong === 0;
  },
  async rolling(say) {
    await using postgres = await startOwnPostgres();
    await using redis = await findRedis();
    const wakeups = redis && { REDIS_URL: `redis://${redis.host}:${redis.port}` };
    await using gateways = await startGateways(2, postgres.url, { ...draining, ...wakeups });
    const report = await proveRolling(
      { postgres, gateways },
      { requests: 2000, restarts: 4, subscribers: 8, people: 4, restMs: 0, seed: load.seed },
      say,
    );
    return holds(report) && report.failed === 0;
  },
  async scale(say) {
    const size = { gateways: 3, subscribers: 2000, seconds: 90, writers: 4, readers: 4, restMs: 20, seed: load.seed };
    const report = await proveScale(size, say);
    return report === null || (holds(report) && report.failedReads + report.failedWrites < report.reads);
  },
  async clusters(say) {
    const reports = await proveHistories({ writes: 25, say });
    console.table(reports);
    return reports.every(isFaultless);
  },
  async purge(say) {
    const report = await provePurge({ changeRequests: 100_000, comments: 1_000_000 }, say);
    console.table(report);
    return report.longestGap <= longestGapAllowed;
  },
  async budgets(say) {
    const { alone, together } = await proveBudgets({ comments: 1000, count: 20 }, say);
    console.table(alone);
    console.table(together);
    return together.answered === 20 && together.failed === 0 && together.healthP99 < 100 && together.oneRowP95 < 250;
  },
  async soak(say) {
    const size = {
      seconds: Number(values.minutes) * 60,
      restSeconds: 90,
      subscribers: 100,
      visitors: 400,
      stayMs: 10_000,
    };
    const { use, done, faults, ...comparison } = await proveSoak({ ...size, seed: load.seed }, say);
    for (const fault of faults.slice(0, 10)) say(fault);
    console.table(use);
    console.table(done);
    return holds({ ...comparison, failed: faults.length }) && lasts({ ...comparison, use, done, faults });
  },
  async chaos(say) {
    const counts = { faults: 1, subscribers: 40, visitors: 10 };
    const size = { ...counts, seconds: Number(values.minutes) * 60, seed: load.seed, named: values.fault };
    const { bugs, unended, ...report } = await proveChaos(size, say);
    for (const line of [...bugs.slice(0, 10), ...unended]) say(line);
    console.table({ ...report, bugs: bugs.length, unended: unended.length });
    return isUnharmed({ ...report, bugs, unended });
  },
  async memory(say) {
    const work = { requests: 50, pages: 2_000, pagesOfPdf: 150, operations: 9_500 };
    const report = await proveMemory({ megabytes: 1_024, ...work }, say);
    console.table(report);
    const isDone = report.pdf.endsWith("bytes") && report.spec.endsWith("COMPLETE");
    return report.largestResident < report.megabytes && isDone && report.cut + report.failedRows === 0;
  },
  async hogs(say) {
    await using postgres = await startOwnPostgres();
    await using gateways = await startGateways(1, postgres.url, { POINTS_PER_MINUTE: "6000000000" });
    const target = { url: gateways.urlOf(0), database: openDatabase({ url: postgres.url }), databaseUrl: postgres.url };
    const size = { atOnce: 50, seconds: 10, comments: 1_000, pages: 900, operations: 500, named: values.fault };
    const lines = await proveHogs(target, size, say);
    await target.database.close();
    console.table(lines);
    return lines.every(({ reads, comments, failed }) => reads <= 2 && comments <= 2 && failed === 0);
  },
  sizes: () => proveSizes({ runs: values.runs, seed: values.seed }),
  plans: () => provePlans(),
  entities: proveEntities,
  backlog: () => proveBacklog(),
  async upgrade(say) {
    const report = await proveUpgrade({ comments: 200_000, restMs: 0 }, say);
    console.table(report);
    return report.failed === 0 && report.longestMs <= 1_000;
  },
  faults: (say) => proveFaults(say, values.fault),
};

async function prove(name: string): Promise<boolean> {
  const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
  if (!proof) throw new Error(`Unknown proof "${name}".\n\n${help}`);
  const begun = performance.now();
  console.log(name);
  const say: Say = (line) => console.log(`  ${((performance.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${line}`);
  const passes = await proof(say);
  say(`${name} ${passes ? "holds" : "FAILS"}`);
  return passes;
}

/** Says that a proof ended without a result: by a signal, or because nothing was left that it could wait for. */
function endEarly(why: string): void {
  console.error(`The proof ended before its result: ${why}.`);
  void stopStarted().finally(() => process.exit(1));
}

if (values.help) console.log(help);
else {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, endEarly);
  process.once("beforeExit", () => endEarly("it waits for something that cannot come"));
  const names = values.only === undefined ? Object.keys(proofs) : [values.only];
  for (const name of names) if (!(await prove(name))) process.exitCode = 1;
  process.exit(); // after thousands of torn connections Node 24 may wait for ever for handles of its own to close
}
