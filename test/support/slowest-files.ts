// The slowest test files: they are begun first, so that no worker is left alone with one at the end; and the ten that
// took longest are printed at the end of a run, above the summary.
import { relative } from "node:path";
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from "vitest/node";

/** Those that take more than about five seconds, the longest first. */
const longest = [
  "test/tenants.test.ts",
  "test/platform/lifecycle.test.ts",
  "test/platform/random-documents.test.ts",
  "test/platform/production-install.test.ts",
  "test/platform/new-entity.test.ts",
  "test/platform/setup.test.ts",
  "test/platform/merge-killed.test.ts",
  "test/live/gateways.test.ts",
  "test/features/grants/tree.test.ts",
  "test/sandbox/escapes.test.ts",
  "test/permissions.test.ts",
  "test/live/crash.test.ts",
  "test/features/imports/book.test.ts",
  "test/platform/rich-document/conversion.test.ts",
  "test/platform/jobs.test.ts",
  "test/live/rights.test.ts",
  "test/features/content/collect.test.ts",
  "test/features/change-requests/book.test.ts",
  "test/contract/bad-requests.test.ts",
  "test/features/imports/any-size.test.ts",
  "test/features/content/plans.test.ts",
  "test/features/imports/command.test.ts",
  "test/platform/hostile-documents.test.ts",
  "test/features/content/changes/reading.test.ts",
  "test/platform/list-orders.test.ts",
  "test/readme.test.ts",
];

/** The longest first, and the others by what the last run or their sizes say. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = longest.indexOf(relative(this.ctx.config.root, moduleId));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

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
