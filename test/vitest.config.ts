// How the tests run: all on one embedded PostgreSQL, each file on a database of its own.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Node itself loads the CommonJS build of graphql; two builds in one process do not recognise each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**", "node_modules/**"],
    globalSetup: ["test/support/global-setup.ts"],
    // Much of the time is spent waiting for PostgreSQL, or for a process that was killed.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    isolate: false, // modules are loaded once a worker, not once a file
    execArgv: ["--disable-warning=ExperimentalWarning"], // the schema engine is a WebAssembly module
    env: { NODE_ENV: "test" },
    coverage: { include: ["src/**"], exclude: ["src/generated/**"] },
  },
});
