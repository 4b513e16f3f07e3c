// Loads gateways in turn, burst by burst, so that other load of the machine affects all of them equally.
import type { Ask } from "#test/bench/documents.ts";
import { median, percentile, table } from "#test/bench/figures.ts";
import { type Figures, load } from "#test/bench/load.ts";
import type { RunningSystem } from "#test/bench/processes.ts";

/** One of the gateways; the first one is the baseline. */
export interface Runner {
  readonly name: string;
  readonly running: RunningSystem;
  readonly figures: Figures[];
}

export interface LoadOptions {
  /** The request of each gateway. */
  readonly askOf: (runner: Runner) => Ask;
  readonly postmaster: number;
  readonly rounds: number;
  readonly connections: number;
  /** The duration of one burst. */
  readonly seconds: number;
  readonly say: (line: string) => void;
}

/** The percentile of rounds with the least CPU time that counts: other load of the machine only adds to it. */
const quietest = 20;

/** Loads each runner once a round after a warm-up, and records its figures. */
export async function loadAlternating(runners: readonly Runner[], options: LoadOptions): Promise<void> {
  const { askOf, postmaster, connections, seconds, rounds, say } = options;
  const target = (runner: Runner) => ({ running: runner.running, ask: askOf(runner), postmaster });
  for (const runner of runners) await load(target(runner), { connections, seconds: 4 });
  for (let round = 0; round < rounds; round++) {
    for (let place = 0; place < runners.length; place++) {
      const runner = runners[(place + round) % runners.length]; // the order rotates
      if (!runner) continue;
      runner.figures.push(await load(target(runner), { connections, seconds }));
    }
    say(`  ${runners.map(({ name, figures }) => `${name} ${figures.at(-1)?.perSecond.toFixed(0)}/s`).join(", ")}`);
  }
}

/** Compares each runner with the first one: a Markdown table, and the CPU time of a request by name, in µs. */
export function compareRunners(title: string, runners: readonly Runner[]) {
  const [first] = runners;
  if (!first) throw new Error("Nothing was measured");
  const cpu = new Map(runners.map(({ name, figures }) => [name, quietCpu(figures)]));
  const rows = runners.map(({ name, figures }) => {
    const ratios = figures.map(({ perSecond }, round) => perSecond / (first.figures[round]?.perSecond ?? Number.NaN));
    const cpuRatio = quietCpu(figures) / quietCpu(first.figures);
    const perSecond = median(figures.map((each) => each.perSecond));
    return [name, perSecond.toFixed(0), median(ratios).toFixed(3), quietCpu(figures).toFixed(1), cpuRatio.toFixed(3)];
  });
  return { lines: table([title, "requests/s", "ratio", "CPU µs a request", "ratio"], rows), cpu };
}

/** The caption of the table of {@link compareRunners}. */
export const describeRounds = ({
  rounds,
  seconds,
  connections,
}: Pick<LoadOptions, "rounds" | "seconds" | "connections">): string =>
  `${rounds} rounds of ${seconds} s, ${connections} connections; requests are medians of the rounds, and their ratio to the first line of the ratios round by round; CPU is that of the quietest ${quietest} % of the rounds.`;

/** CPU microseconds of the process per request. */
function quietCpu(figures: readonly Figures[]): number {
  const each = figures.map(({ serverCpu }) => 1000 * (serverCpu ?? Number.NaN));
  return percentile(each, quietest);
}
