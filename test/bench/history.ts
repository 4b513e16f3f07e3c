// The history of the benchmark: the last release and this commit beside hand-written SQL, in turns, with one line for
// each in results.md. The table of src/docs/architecture.md has the figures of its last line.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { loadAlternating, type Runner } from "#test/bench/alternating-load.ts";
import { type Case, cases } from "#test/bench/cases.ts";
import type { Ask, System } from "#test/bench/documents.ts";
import { median, percentile, table } from "#test/bench/figures.ts";
import { askOnce } from "#test/bench/load.ts";
import { startSystem } from "#test/bench/processes.ts";
import type { SectionOptions } from "#test/bench/sections.ts";
import { readWorld } from "#test/bench/world.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Processes of each commit: two of the same code differ by up to 20 %, so one is not enough. */
const processesEach = 3;

/** The cases of a line, with their names in tables: those with hand-written SQL that are not about growth alone. */
const names = {
  a: "nested: 20 x 10 x 5 rows, 245 kB",
  b: "three levels: 20 x 10 rows, 32 kB",
  c: "50 spaces with counts and permissions",
  d: "one row",
  e: "REST: 50 spaces",
  f: "REST: one space",
  site: "a published site, whole",
  h: "a page of 5 of 10,000 comments",
} as const;

const historyCases = Object.keys(names) as (keyof typeof names)[];

/** The name of the line of a commit that is not released. */
const unreleased = "next";

interface Commit {
  readonly name: string;
  readonly hash: string;
  readonly folder: string;
}

type HistoryOptions = Omit<SectionOptions, "duration"> & { readonly rounds: number; readonly seconds: number };

const git = (...words: string[]): string => execFileSync("git", words, { cwd: root }).toString().trim();

const versionAt = (hash: string): string =>
  (JSON.parse(git("show", `${hash}:package.json`)) as { version: string }).version;

/** The last commit before this one that changed the version: its checkout, with its own packages. */
function lastRelease(say: (line: string) => void): Commit {
  const head = git("rev-parse", "--short", "HEAD");
  const hash = git("log", "--format=%h", '-G"version":', "--", "package.json")
    .split("\n")
    .find((one) => one !== head);
  if (!hash) throw new Error("No earlier commit changed the version in package.json.");
  const folder = path.join(tmpdir(), `docgraph-release-${hash}`); // outside of the project, which tests copy
  if (!existsSync(path.join(folder, "node_modules"))) {
    say(`Checking out and installing ${hash} (once) ...`);
    git("worktree", "prune");
    if (!existsSync(folder)) git("worktree", "add", "--detach", folder, hash);
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  }
  return { name: versionAt(hash), hash, folder };
}

function thisCommit(release: Commit): Commit {
  const version = versionAt("HEAD");
  const name = version === release.name ? unreleased : version;
  return { name, hash: git("rev-parse", "--short", "HEAD"), folder: root };
}

interface Line {
  readonly name: string;
  readonly hash: string;
  /** By case: the ratio of throughput to that of hand-written SQL, and CPU milliseconds of the gateway per request. */
  readonly cells: Readonly<Record<string, string>>;
}

/** Measures the last release and this commit. Returns the section of the results, with the lines of other releases. */
export async function measureHistory(
  known: string | undefined,
  { databaseUrl, postmaster, say, ...how }: HistoryOptions,
): Promise<string> {
  const release = lastRelease(say);
  const commits = [release, thisCommit(release)];
  const runners: Runner[] = [];
  const start = async (name: string, system: System, folder?: string) =>
    void runners.push({ name, running: await startSystem(system, databaseUrl, {}, folder), figures: [] });
  try {
    await start("limit", "limit");
    for (let count = 0; count < processesEach; count++)
      for (const { hash, folder } of commits) await start(hash, "docgraph", folder);
    const world = await readWorld(databaseUrl);
    const cells = commits.map((): Record<string, string> => ({}));
    for (const one of cases.filter(({ key }) => historyCases.some((each) => each === key))) {
      say(`(${one.key}) ${one.title}`);
      const askOf = await asksOf(one, world, runners);
      for (const { figures } of runners) figures.length = 0;
      await loadAlternating(runners, { ...how, postmaster, say, connections: one.connections, askOf });
      for (const [place, { hash }] of commits.entries()) {
        const found = cells[place];
        if (found) found[one.key] = cellOf(runners, hash);
      }
    }
    const lines = commits.map(({ name, hash }, place) => ({ name, hash, cells: cells[place] ?? {} }));
    return report([...linesIn(known).filter(({ name }) => !lines.some((line) => line.name === name)), ...lines]);
  } finally {
    await Promise.all(runners.map(({ running }) => running.stop()));
  }
}

/** The request of a case for a runner: that of hand-written SQL, or that of docgraph. */
async function asksOf(one: Case, world: Awaited<ReturnType<typeof readWorld>>, runners: readonly Runner[]) {
  const askFrom = (system: System, ask: Ask) => {
    const runner = runners.find(({ name }) => (name === "limit") === (system === "limit"));
    if (!runner) throw new Error(`${system} is not running`);
    return askOnce(runner.running, ask);
  };
  const contenders = await one.contenders(world, askFrom, ["docgraph", "limit"]);
  return ({ name }: Runner): Ask => {
    const found = contenders.find(({ system }) => system === (name === "limit" ? "limit" : "docgraph"));
    if (!found) throw new Error(`(${one.key}) has no request for ${name}`);
    return found.ask;
  };
}

/** The median over processes of the medians over rounds, and the CPU time of the process that takes least. */
function cellOf([limit, ...others]: readonly Runner[], hash: string): string {
  const own = others.filter(({ name }) => name === hash);
  const ratios = own.map(({ figures }) =>
    median(figures.map(({ perSecond }, round) => perSecond / (limit?.figures[round]?.perSecond ?? Number.NaN))),
  );
  const cpu = own.map(({ figures }) =>
    percentile(
      figures.map(({ serverCpu }) => serverCpu ?? Number.NaN),
      50,
    ),
  );
  return `${median(ratios).toFixed(2)} x, ${median(cpu).toFixed(3)} ms`;
}

const headOf = ["release", "commit", ...historyCases.map((key) => `(${key})`)];

/** The lines of a section that was written before. */
function linesIn(section: string | undefined): Line[] {
  const rows = (section ?? "").split("\n").filter((line) => /^\| (?!release|-)/.test(line));
  return rows.map((row) => {
    const [name = "", hash = "", ...found] = row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { name, hash, cells: Object.fromEntries(historyCases.map((key, place) => [key, found[place] ?? ""])) };
  });
}

function report(lines: readonly Line[]): string {
  const rows = lines.map(({ name, hash, cells }) => [name, hash, ...historyCases.map((key) => cells[key] ?? "")]);
  return [
    "## (history) releases beside hand-written SQL",
    "",
    `Throughput as a multiple of that of \`limit\`, and CPU of the gateway for a request: medians of ${processesEach} processes of each commit, which take turns.`,
    "",
    ...table(headOf, rows),
  ].join("\n");
}

/** The section of the results, as it was written last. */
export function historyIn(results: string): string | undefined {
  return results.split(/\n(?=## \()/).find((section) => section.startsWith("## (history)"));
}

/** The table of figures, by the last line of the history and the sections of the cases. */
export function figuresTable(results: string): string[] {
  const last = linesIn(historyIn(results)).at(-1);
  const rows = historyCases.flatMap((key) => {
    const [ratio, cpu] = last?.cells[key]?.split(", ") ?? [];
    if (ratio === undefined || cpu === undefined) return [];
    return [[names[key], postgraphileIn(results, key), ratio, cpu]];
  });
  return table(["Case", "PostGraphile 5", "hand-written SQL", "CPU"], rows);
}

/** The ratio to PostGraphile in the section of a case; empty if PostGraphile has no such request. */
function postgraphileIn(results: string, key: string): string {
  const section = results.split(/\n(?=## \()/).find((text) => text.startsWith(`## (${key})`)) ?? "";
  return /^\| postgraphile(?:, page 1)? +\|.*\| ([\d.]+ x) *\|$/m.exec(section)?.[1] ?? "";
}

/** The pages with the table. */
export const pagesOfFigures = ["README.md", "src/docs/architecture.md"] as const;

/** The place of the table on a page: the one with PostGraphile in its head. */
const figures = /\| Case [^\n]*PostGraphile[^\n]*\n(?:\|[^\n]*\n)+/;

/** The table on a page. */
export const figuresOn = (page: string): string => figures.exec(readFileSync(path.join(root, page), "utf8"))?.[0] ?? "";

/** Puts the table of the last line on its pages. */
export function writeFigures(results: string): void {
  for (const page of pagesOfFigures) {
    const text = readFileSync(path.join(root, page), "utf8");
    writeFileSync(path.join(root, page), text.replace(figures, `${figuresTable(results).join("\n")}\n`));
  }
}
