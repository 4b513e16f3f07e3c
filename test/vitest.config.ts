// How the tests run: all on one embedded PostgreSQL, the files of a worker on one database, or on their own.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { durationsReporter, LongestFirst, longerThan } from "#test/support/durations.ts";

/** Seconds of all workers together that `npm run test:quick` takes. */
const quickSeconds = 60;

/**
 * Takes the builds of packages that a gateway runs: those for development check themselves, at three times the cost.
 */
const buildsOfGateways = {
  name: "builds-of-gateways",
  configResolved({ ssr }: { ssr: { resolve?: { conditions?: string[] } } }) {
    if (ssr.resolve) ssr.resolve.conditions = ["node"];
  },
};

export default defineConfig(({ mode }) => ({
  // Node itself loads the CommonJS build of graphql; two builds in one process do not recognise each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  plugins: [buildsOfGateways],
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**", "node_modules/**", ...(mode === "quick" ? longerThan(quickSeconds) : [])],
    reporters: [durationsReporter, "default"],
    sequence: { sequencer: LongestFirst },
    setupFiles: ["test/support/properties.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // One more than processors: much of the time is spent waiting, for PostgreSQL or for a process that was killed.
    maxWorkers: 1 + Math.max(2, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } }, // a second is too short for a machine that does something else, too
    isolate: false, // modules are loaded once a worker, not once a file
    execArgv: [
      "--disable-warning=ExperimentalWarning", // the schema engine is a WebAssembly module
      "--max-semi-space-size=8", // V8 would use up to 64: filling those costs more than collecting earlier
    ],
    env: { NODE_ENV: "test" },
    coverage: { include: ["src/**"], exclude: ["src/generated/**"] },
  },
}));
