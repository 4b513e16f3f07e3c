// How the tests run: all on one embedded PostgreSQL, each file on a database of its own.
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst, slowestFiles } from "#test/support/slowest-files.ts";

/** What takes seconds each: processes, properties over many runs, whole books. `npm run test:quick` leaves it out. */
const slow = [
  "test/clients/clients.test.ts",
  "test/contract/answers.test.ts",
  "test/contract/bad-requests.test.ts",
  "test/features/change-requests/book.test.ts",
  "test/features/change-requests/concurrency.test.ts",
  "test/features/change-requests/conflicts.test.ts",
  "test/features/change-requests/resolve.test.ts",
  "test/features/change-requests/statements.test.ts",
  "test/features/collections/concurrency.test.ts",
  "test/features/comments/bodies.test.ts",
  "test/features/content/book.test.ts",
  "test/features/content/changes/reading.test.ts",
  "test/features/content/collect.test.ts",
  "test/features/content/documents.test.ts",
  "test/features/content/model.test.ts",
  "test/features/content/model/merge/text.test.ts",
  "test/features/content/plans.test.ts",
  "test/features/content/rest.test.ts",
  "test/features/content/uploads.test.ts",
  "test/features/grants/tree.test.ts",
  "test/features/history/load-history-command.test.ts",
  "test/features/imports/any-size.test.ts",
  "test/features/imports/book.test.ts",
  "test/features/imports/command.test.ts",
  "test/features/imports/import.test.ts",
  "test/features/imports/limits.test.ts",
  "test/features/openapi/hostile.test.ts",
  "test/features/openapi/killed.test.ts",
  "test/features/openapi/real-specs.test.ts",
  "test/features/teams/members-model.test.ts",
  "test/features/translations/apertium.test.ts",
  "test/features/translations/killed.test.ts",
  "test/features/translations/segments.test.ts",
  "test/live/crash.test.ts",
  "test/live/gateways.test.ts",
  "test/live/graphiql.test.ts",
  "test/live/kinds.test.ts",
  "test/live/order.test.ts",
  "test/live/reconnect.test.ts",
  "test/live/rights.test.ts",
  "test/live/stop.test.ts",
  "test/live/unread-answers.test.ts",
  "test/live/wire.test.ts",
  "test/permissions.test.ts",
  "test/platform/budget.test.ts",
  "test/platform/downloads.test.ts",
  "test/platform/execute.test.ts",
  "test/platform/hostile-documents.test.ts",
  "test/platform/jobs.test.ts",
  "test/platform/json-suite.test.ts",
  "test/platform/lifecycle.test.ts",
  "test/platform/merge-killed.test.ts",
  "test/platform/migrate.test.ts",
  "test/platform/new-entity.test.ts",
  "test/platform/random-documents.test.ts",
  "test/platform/rich-document/conversion.test.ts",
  "test/platform/rich-document/convert.test.ts",
  "test/platform/rich-document/given.test.ts",
  "test/platform/rich-document/keys.test.ts",
  "test/platform/threads.test.ts",
  "test/readme.test.ts",
  "test/tenants.test.ts",
];

export default defineConfig(({ mode }) => ({
  // Node itself loads the CommonJS build of graphql; two builds in one process do not recognise each other's schemas.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    include: ["test/**/*.test.ts"],
    exclude: ["test/bench/**", "node_modules/**", ...(mode === "quick" ? slow : [])],
    reporters: [slowestFiles, "default"],
    sequence: { sequencer: LongestFirst },
    setupFiles: ["test/support/properties.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    // One more than processors: much of the time is spent waiting, for PostgreSQL or for a process that was killed.
    maxWorkers: 1 + Math.max(2, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } }, // a second is too short for a machine that does something else, too
    isolate: false, // modules are loaded once a worker, not once a file
    execArgv: ["--disable-warning=ExperimentalWarning"], // the schema engine is a WebAssembly module
    env: { NODE_ENV: "test" },
    coverage: { include: ["src/**"], exclude: ["src/generated/**"] },
  },
}));
