// How long test files take, as the last recorded run measured it (`npm run test:durations`): the longest are begun
// first, so that no worker is left alone with one at the end, and the quick run takes the shortest.
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from "vitest/node";

const record = new URL("../durations.json", import.meta.url);

/** Seconds by file. One that is not there is new. */
const durations = JSON.parse(readFileSync(record, "utf8")) as Readonly<Record<string, number>>;

/** The longest first, and before them what is new. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId }: TestSpecification) =>
      durations[relative(this.ctx.config.root, moduleId)] ?? Infinity;
    return files.toSorted((one, other) => seconds(other) - seconds(one) || 0);
  }
}

/** The files beside the shortest ones that take this many seconds together. */
export function longerThan(together: number): string[] {
  let sum = 0;
  const ascending = Object.entries(durations).toSorted(([, one], [, other]) => one - other);
  return ascending.filter(([, seconds]) => (sum += seconds) > together).map(([file]) => file);
}

/** Milliseconds of a file: its imports, its hooks and its tests. */
function timeOf(module: TestModule): number {
  const { collectDuration, duration, prepareDuration, environmentSetupDuration, setupDuration } = module.diagnostic();
  return collectDuration + duration + prepareDuration + environmentSetupDuration + setupDuration;
}

const inSeconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10;

/** Prints the ten files that took longest, above the summary, and writes the record where that is asked for. */
export const durationsReporter: Reporter = {
  onTestRunEnd(modules) {
    const ordered = modules.toSorted((one, other) => timeOf(other) - timeOf(one));
    const slowest = ordered.slice(0, 10);
    if (modules.length <= slowest.length) return;
    const lines = slowest.map(
      (module) => `${inSeconds(timeOf(module)).toFixed(1).padStart(8)} s  ${relative("", module.moduleId)}`,
    );
    process.stdout.write(`\n The ten slowest files\n${lines.join("\n")}\n`);
    if (process.env["RECORD_DURATIONS"] === undefined) return;
    const entries = ordered.map((module) => [relative("", module.moduleId), inSeconds(timeOf(module))] as const);
    const sorted = Object.fromEntries(entries.toSorted(([one], [other]) => one.localeCompare(other)));
    writeFileSync(record, `${JSON.stringify(sorted, null, 2)}\n`);
  },
};
