// Turns figures into the tables that are printed and kept in results.md.
import type { Case, Target } from "#test/bench/cases.ts";
import type { System } from "#test/bench/documents.ts";
import { median, table } from "#test/bench/figures.ts";
import type { Figures } from "#test/bench/load.ts";
import type { Result } from "#test/bench/measure.ts";

export interface CaseReport {
  readonly text: string;
  readonly missed: readonly string[];
}

/** The tables of one case: each contender in its median round, and docgraph's targets. */
export function reportCase(one: Case, results: readonly Result[]): CaseReport {
  const rows = results.map((result) => row(result, results));
  const targets = one.targets.map((target) => judge(target, results));
  const lines = [
    `## (${one.key}) ${one.title}`,
    "",
    `${one.connections} connections.${one.note ? ` ${one.note}` : ""} ${planned(results)}`.trimEnd(),
    "",
  ];
  lines.push(
    ...table(
      [
        "system",
        "requests/s",
        "p50 ms",
        "p95 ms",
        "p99 ms",
        "SQL statements",
        "server CPU ms",
        "PostgreSQL CPU ms",
        "answer kB",
        "docgraph is",
      ],
      rows,
    ),
  );
  if (targets.length > 0) {
    lines.push(
      "",
      ...table(
        ["target", "reached", "rounds", ""],
        targets.map(({ cells }) => cells),
      ),
    );
  }
  return {
    text: lines.join("\n"),
    missed: targets.filter(({ isMissed }) => isMissed).map(({ cells }) => `(${one.key}) ${cells[0]}: ${cells[1]}`),
  };
}

/** Whether docgraph ran compiled, by subject if they differ. */
function planned(results: readonly Result[]): string {
  const own = results.filter(({ contender }) => contender.system === "docgraph");
  if (own.length === 0) return "";
  const without = own.filter(({ isPlan }) => !isPlan).map(({ contender }) => contender.subject);
  if (without.length === 0) return "docgraph ran as a plan: yes.";
  return `docgraph ran as a plan: no${without.length < own.length ? `, for ${without.join(", ")}` : ""}.`;
}

function row(result: Result, all: readonly Result[]): string[] {
  const { system, subject } = result.contender;
  const figures = medianRound(result.rounds);
  const own = all.find(({ contender }) => contender.system === "docgraph" && contender.subject === subject);
  const ratio = own && own !== result ? `${median(ratios(own, result)).toFixed(2)} x` : "";
  const milliseconds = (value: number | null) => (value === null ? "?" : value.toFixed(value < 10 ? 2 : 1));
  return [
    [system, subject].filter(Boolean).join(", "),
    figures.perSecond.toFixed(figures.perSecond < 100 ? 1 : 0),
    milliseconds(figures.p50),
    milliseconds(figures.p95),
    milliseconds(figures.p99),
    result.statements.toFixed(1).replace(".0", ""),
    milliseconds(figures.serverCpu),
    milliseconds(figures.databaseCpu),
    (result.bytes / 1000).toFixed(1),
    ratio,
  ];
}

/** The description of a target. */
export function wordsOf(target: Target): string {
  return "reach" in target
    ? `at least ${target.reach} x ${target.of}${target.subject ? `, ${target.subject}` : ""}`
    : `time for ${target.on} at most ${target.most} x that for ${target.of}`;
}

function judge(target: Target, results: readonly Result[]): { cells: string[]; isMissed: boolean } {
  const of = (system: System, subject?: string) =>
    results.find(
      ({ contender }) => contender.system === system && (subject === undefined || contender.subject === subject),
    );
  const isReach = "reach" in target;
  const text = wordsOf(target);
  const one = isReach ? of("docgraph", target.subject) : of("docgraph", target.of);
  const other = isReach ? of(target.of, target.subject) : of("docgraph", target.on);
  if (!one || !other) return { cells: [text, "not measured", "", ""], isMissed: false };
  const rounds = ratios(one, other);
  const reached = median(rounds);
  const isMissed = isReach ? reached < target.reach : reached > target.most;
  const cells = [
    text,
    `${reached.toFixed(2)} x`,
    rounds.map((value) => value.toFixed(2)).join(", "),
    isMissed ? "**missed**" : "met",
  ];
  return { cells, isMissed };
}

/** The throughput of `one` relative to `other`, round by round: temporary load of the machine slows both. */
function ratios(one: Result, other: Result): number[] {
  return one.rounds.flatMap((figures, index) => {
    const against = other.rounds[index];
    return against ? [figures.perSecond / against.perSecond] : [];
  });
}

function medianRound(rounds: readonly Figures[]): Figures {
  const sorted = rounds.toSorted((one, other) => one.perSecond - other.perSecond);
  const figures = sorted[sorted.length >> 1];
  if (!figures) throw new Error("No round was measured");
  return figures;
}
