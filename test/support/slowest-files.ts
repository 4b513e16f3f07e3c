// Prints the ten slowest test files at the end of a run, above the summary.
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Time of a file: its imports, its hooks and its tests. */
function timeOf(module: TestModule): number {
  const { collectDuration, duration, prepareDuration, environmentSetupDuration, setupDuration } = module.diagnostic();
  return collectDuration + duration + prepareDuration + environmentSetupDuration + setupDuration;
}

export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    const slowest = modules.toSorted((one, other) => timeOf(other) - timeOf(one)).slice(0, 10);
    if (modules.length <= slowest.length) return;
    const lines = slowest.map((module) => `${seconds(timeOf(module)).padStart(10)}  ${relative("", module.moduleId)}`);
    process.stdout.write(`\n The ten slowest files\n${lines.join("\n")}\n`);
  },
};
