// `npm run bench`: starts everything it needs, measures the cases side by side and, with --write, keeps the results.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { measureAgainst } from "#test/bench/against.ts";
import { historyIn, measureHistory, writeFigures } from "#test/bench/history.ts";
import { cases } from "#test/bench/cases.ts";
import { type System, systems } from "#test/bench/documents.ts";
import { type Bench, measure as measureCase } from "#test/bench/measure.ts";
import { prepareData } from "#test/bench/prepare.ts";
import { type RunningSystem, startSystem } from "#test/bench/processes.ts";
import { reportCase, wordsOf } from "#test/bench/report.ts";
import { sections } from "#test/bench/sections.ts";
import { benchDirectory, type BenchServer, startServer } from "#test/bench/server.ts";
import { readWorld } from "#test/bench/world.ts";

const keys = [...cases, ...sections].map(({ key }) => key);

const help = `Usage: npm run bench -- [options]

  --only a,b       only these cases and sections (${keys.join(", ")})
  --system x,y     only these systems (${systems.join(", ")})
  --seconds 5      length of one burst of load
  --rounds 3       bursts for each system and case; the systems take options
  --duration 300   seconds that the load of (memory) lasts
  --against DIR    compares docgraph here with that of another checkout, in options: what a change costs; with cases
                   alone, and on one database: both have the same migrations
  --history        measures the last release and this commit beside hand-written SQL, in turns, three processes of each,
                   and keeps a line of each in test/bench/results.md
  --write          puts what is measured in the place of its sections in test/bench/results.md; needs all systems
  --help

The first run installs the rivals (test/bench/rivals) and generates the data (about a minute). Both are kept.
To start afresh, delete .data/bench (the run says where, if it had to use another place) and test/bench/rivals/node_modules.

Cases and sections:
${[...cases, ...sections].map(({ key, title }) => `  ${key.padEnd(8)} ${title}`).join("\n")}

Targets of the cases:
${cases.flatMap(({ key, targets }) => targets.map((target) => `  ${key.padEnd(8)} ${wordsOf(target)}`)).join("\n")}
`;

const rivalsDirectory = path.join(import.meta.dirname, "rivals");
const resultsFile = path.join(import.meta.dirname, "results.md");
const say = (line: string) => process.stderr.write(`${line}\n`);

/**
 * Installs the rivals' packages and the stock stack's generated clients, if they are missing or the lock file has
 * changed.
 */
function installRivals(): void {
  const lock = readFileSync(path.join(rivalsDirectory, "package-lock.json"), "utf8");
  const installed = path.join(rivalsDirectory, "node_modules/.installed-lock");
  if (!existsSync(installed) || readFileSync(installed, "utf8") !== lock) {
    say("Installing the rivals (once) ...");
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: rivalsDirectory,
      stdio: ["ignore", "ignore", "inherit"],
    });
    writeFileSync(installed, lock);
  }
  execFileSync(process.execPath, [path.join(rivalsDirectory, "stock/generate.ts")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** The introduction of the results. */
function heading(database: BenchServer): string {
  const packages = JSON.parse(readFileSync(path.join(rivalsDirectory, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const versions = ["postgraphile", "@pothos/plugin-prisma", "@prisma/client", "graphql-yoga"].map(
    (name) => `${name} ${packages.dependencies[name]}`,
  );
  return `# Results of the benchmark

Written by \`npm run bench\`, section by section: each says by which command, at which commit and on which machine it was measured.
Gateway or rival, PostgreSQL and load generator share the machine. Node ${process.version}, PostgreSQL ${database.version}, ${versions.join(", ")}.

Only ratios within one section mean anything: the systems take options, burst by burst. Figures are those of the median round; ratios are
medians of the ratios round by round. docgraph has all its checks on; postgraphile, stock and \`limit-open\` check nothing;
\`limit\` checks the token and the membership within its statement. \`stock\` loads relations by separate queries (Prisma's default),
\`stock-joins\` by \`relationJoins\`. Statements are counted by PostgreSQL (transaction commands included), CPU time is a request's share.
From ff14ad0a on V8 does not collect the whole heap of a rival while others take their turn; docgraph sees to that itself.`;
}

/** The command, commit and machine of a section. */
function circumstances(): string {
  const cpu = os.cpus();
  const git = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: import.meta.dirname });
  const command = ["npm run bench", ...process.argv.slice(2)].join(" ").replace("bench ", "bench -- ");
  const machine = `${cpu.length} x ${cpu[0]?.model.trim()}, ${Math.round(os.totalmem() / 2 ** 30)} GB`;
  return `Measured by \`${command}\` at ${git.toString().trim()}, on ${machine}, load before the run ${os.loadavg()[0]?.toFixed(1)}.`;
}

/** Replaces sections with the same keys in the results, and the figures that pages have of them. */
function writeSections(head: string, measured: ReadonlyMap<string, string>): void {
  const kept = existsSync(resultsFile)
    ? readFileSync(resultsFile, "utf8")
        .split(/\n(?=## \()/)
        .slice(1)
    : [];
  const byKey = new Map(kept.map((text) => [/^## \((\w+)\)/.exec(text)?.[1] ?? "", text.trimEnd()]));
  for (const [key, text] of measured) byKey.set(key, text);
  const texts = ["history", ...keys].flatMap((key) => byKey.get(key) ?? []);
  const results = `${[head, ...texts].join("\n\n")}\n`;
  writeFileSync(resultsFile, results);
  writeFigures(results);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      system: { type: "string" },
      seconds: { type: "string", default: "5" },
      rounds: { type: "string", default: "3" },
      duration: { type: "string", default: "300" },
      against: { type: "string" },
      history: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(help);
  const only = values.only?.split(",");
  const unknown = only?.filter((key) => !keys.includes(key)) ?? [];
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(", ")}.\n${help}`);
  const chosen = cases.filter(({ key }) => !only || only.includes(key));
  const chosenSystems = systems.filter((system) => !values.system || values.system.split(",").includes(system));
  const chosenSections = sections.filter(({ key, isLong }) => (only ? only.includes(key) : !isLong));
  if ((chosen.length === 0 && chosenSections.length === 0) || chosenSystems.length === 0)
    throw new Error(`Nothing to measure.\n${help}`);
  if (values.against !== undefined && (chosen.length === 0 || values.write || values.system))
    throw new Error(`--against goes with cases, and neither with --write nor with --system.\n${help}`);
  if (values.history && (values.against !== undefined || values.write || values.only !== undefined || values.system))
    throw new Error(`--history measures all cases of docgraph: leave the other options out.\n${help}`);
  if (values.write && chosen.length > 0 && chosenSystems.length < systems.length)
    throw new Error("--write needs the figures of all systems: leave --system out.");
  const hasRivals =
    chosen.length > 0 && values.against === undefined && chosenSystems.some((system) => system !== "docgraph");
  if (hasRivals || values.history || chosenSections.some(({ key }) => key === "live")) installRivals();
  const database = await startServer();
  if (!database.dataDir.startsWith(benchDirectory)) say(`The data are in ${database.dataDir}.`);
  const running = new Map<System, RunningSystem>();
  const stopAll = async () => {
    await Promise.all([...running.values()].map((system) => system.stop()));
    await database.stop();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void stopAll().then(() => process.exit(1)));
  try {
    if (chosen.length > 0 || chosenSections.some(({ readsData }) => readsData)) await prepareData(database.url, say);
    const how = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
    const measuring = { databaseUrl: database.url, postmaster: database.pid, say, ...how };
    if (values.against !== undefined)
      return void process.stdout.write(`\n${await measureAgainst(values.against, chosen, measuring)}`);
    if (values.history) {
      const measuredBy = circumstances();
      const text = await measureHistory(historyIn(readFileSync(resultsFile, "utf8")), measuring);
      process.stdout.write(`\n${text}\n`);
      return writeSections(heading(database), new Map([["history", text.replace("\n", `\n\n${measuredBy}\n`)]]));
    }
    for (const system of chosen.length > 0 ? chosenSystems : [])
      running.set(system, await startSystem(system, database.url));
    const bench: Omit<Bench, "world"> = {
      databaseUrl: database.url,
      postmaster: database.pid,
      running,
      seconds: Number(values.seconds),
      rounds: Number(values.rounds),
      say,
    };
    const measuredBy = circumstances();
    const measured = new Map<string, string>();
    const missed: string[] = [];
    const note = (key: string, report: { text: string; missed: readonly string[] }) => {
      process.stdout.write(`\n${report.text}\n\n`);
      measured.set(key, report.text.replace("\n", `\n\n${measuredBy}\n`));
      missed.push(...report.missed);
    };
    for (const one of chosen) {
      say(`(${one.key}) ${one.title}`);
      const world = await readWorld(database.url);
      note(one.key, reportCase(one, await measureCase({ ...bench, world }, one)));
    }
    await Promise.all([...running.values()].map((system) => system.stop()));
    running.clear();
    for (const { key, title, measure } of chosenSections) {
      say(`(${key}) ${title}`);
      const options = { databaseUrl: database.url, postmaster: database.pid, duration: Number(values.duration), say };
      note(key, await measure(options));
    }
    process.stdout.write(
      missed.length === 0
        ? "All measured targets are met.\n"
        : `Targets missed:\n\n${missed.map((text) => `- ${text}`).join("\n")}\n`,
    );
    if (values.write) writeSections(heading(database), measured);
  } finally {
    await stopAll();
  }
}

await main();
