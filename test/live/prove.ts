// `npm run prove`: the proofs of the live feed that take long, at full size, on gateways and a PostgreSQL of
// their own.
import { parseArgs } from "node:util";
import { proveCrashes } from "#test/live/crashes.ts";
import { proveFaults } from "#test/live/faults/table.ts";
import { startGateways } from "#test/live/gateways.ts";
import { isFaultless, proveHistories } from "#test/live/histories.ts";
import { proveIntegrations } from "#test/live/integration-kills.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { longestGapAllowed, provePurge } from "#test/live/purge.ts";
import { proveReconnects } from "#test/live/reconnects.ts";
import type { Comparison } from "#test/live/crowd.ts";

const help = `Usage: npm run prove -- [options]

  --only reconnects   200 subscribers whose connections are cut at random under 50 writers
  --only crashes      kills (-9) of one of two gateways and of their PostgreSQL, in turn, under the same load
  --only integrations kills (-9) every 2 seconds of a gateway to which 1,000 comments are written, which installations hear of
  --only clusters     failovers, older backups, a recovery and dumps in the place of the database of two gateways and 8 subscribers
  --only faults       everything that may break beside it, one after the other: kills, locks, disks, clocks, the database away or frozen
  --fault lock        only those of them whose name contains this
  --only purge        a space of 1,000,000 comments and 100,000 change requests is removed for good under a subscriber elsewhere
  --writes 10000      writes of the first
  --cycles 200        kills of a gateway, and of PostgreSQL, of the second
  --subscribers 200
  --writers 50
  --seed 1            of the chance by which connections are cut and writes are chosen
  --help

Each but the faults compares what every subscriber received with the table of events, and ends with 1 when anything is missing, doubled or out of order.
`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    fault: { type: "string", default: "" },
    writes: { type: "string", default: "10000" },
    cycles: { type: "string", default: "200" },
    subscribers: { type: "string", default: "200" },
    writers: { type: "string", default: "50" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});
const load = { subscribers: Number(values.subscribers), writers: Number(values.writers), seed: Number(values.seed) };

const proofs: Record<string, (say: (line: string) => void) => Promise<Comparison>> = {
  async reconnects(say) {
    await using postgres = await startOwnPostgres();
    await using gateways = await startGateways(1, postgres.url);
    const { pool } = postgres;
    return await proveReconnects({ url: gateways.urlOf(0), pool }, { ...load, writes: Number(values.writes) }, say);
  },
  integrations: proveIntegrations,
  crashes: (say) => proveCrashes({ ...load, cycles: Number(values.cycles), writes: 200 }, say),
};

async function prove(name: string): Promise<boolean> {
  const begun = performance.now();
  const say = (line: string) =>
    console.log(`  ${((performance.now() - begun) / 1000).toFixed(0).padStart(5)} s  ${line}`);
  if (name === "purge") {
    const report = await provePurge({ changeRequests: 100_000, comments: 1_000_000 }, say);
    console.table(report);
    return report.longestGap <= longestGapAllowed;
  }
  if (name === "clusters") {
    const reports = await proveHistories({ writes: 25, say });
    console.table(reports);
    return reports.every(isFaultless);
  }
  const prove = proofs[name];
  if (!prove) throw new Error(`There is no proof "${name}".\n\n${help}`);
  const crowd = `${load.subscribers} subscribers, ${load.writers} writers, seed ${load.seed}`;
  console.log(name === "integrations" ? name : `${name}: ${crowd}`);
  const report = await prove(say);
  console.table(report);
  const { expected, missing, doubled, hollow, different } = report;
  const delivered = ((100 * (expected - missing)) / expected).toFixed(3);
  console.log(`  ${delivered} % delivered, ${doubled} doubled, ${different} subscribers out of order\n`);
  const { lost = 0 } = report as { lost?: number }; // of crashes
  return [missing, doubled, hollow, different, lost].every((count) => count === 0);
}

if (values.help) console.log(help);
else if (values.only === "faults") process.exit((await proveFaults(console.log, values.fault)) ? 0 : 1);
else {
  const names = values.only === undefined ? [...Object.keys(proofs), "clusters", "purge"] : [values.only];
  for (const name of names) if (!(await prove(name))) process.exitCode = 1;
  process.exit(); // after thousands of torn connections Node 24 may wait for ever for handles of its own to close
}
