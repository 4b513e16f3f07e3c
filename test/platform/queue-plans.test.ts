// The statements of jobs and queues, with many rows that are not due, generic plans and the statistics of empty tables:
// they read few rows in vain, so that a queue that grows does not slow down what empties it.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { forgetIdempotencyKeys } from "#src/domain/idempotency.ts";
import { trimOutbox } from "#src/events/segments.ts";
import { features } from "#src/features/index.ts";
import { enqueueEvents, readUndelivered } from "#src/features/integrations/commands/enqueue-events.ts";
import { nextDueEvents } from "#src/features/integrations/commands/runs/deliver.ts";
import { countDeadLetters, type JobContext } from "#src/jobs/job.ts";
import { readQueues } from "#src/jobs/queues.ts";
import { testEngine } from "#test/features/translations/engine.ts";
import { useApp } from "#test/support/app.ts";
import { fillTables } from "#test/support/filled-tables.ts";
import { type Work, workOfStatement } from "#test/support/plans.ts";

// Has its own database: fills all of its tables. The application itself does not poll, since statements are observed.
const never = 1_000_000_000;
const { app } = await useApp({ own: true, pollMs: never, filesCheckMs: never });
const count = 3_000;
/** The most rows that a statement may read in vain, and read at all. */
const limits = { removed: 100, rows: 1_000 };

// Before the first connection, which wraps it.
const sent = vi.spyOn(pg.Client.prototype, "query");
let database: Database;
beforeAll(async () => {
  const except = ["IntegrationFeed", "OutboxSegment", "OutboxTrim"]; // have one row
  // The events wait for few installations, whose first ones are read one by one.
  const values = { "IntegrationEvent.installationId": "'x' || n % 10" };
  await fillTables(app.database.pool, { count, except, values });
  database = openDatabase({ url: app.databaseUrl, wires: false });
});
afterAll(async () => {
  await database.close();
  sent.mockRestore();
});

/** Jobs that read whole tables in portions, and why. */
const whole: Readonly<Record<string, string>> = {
  "content.collect": "compares all content with what refers to it, once a night",
  "content.derive": "compares all texts with their indexes, a window at a time",
  "content.compute": "compares all drafts that contain computed pages",
  "content.verifyBlobs": "checks a sample, of which each table has as many rows",
  "links.checkOutside": "reads the links of the organizations that turned the check on",
  "member.count": "sums up the counts of organizations: rows by role, not by member",
  "outbox.trim": "moves its mark by a batch, which is its own limit",
};

type Run = (context: JobContext) => Promise<unknown>;
const now = () => new Date();
const jobs = [trimOutbox, forgetIdempotencyKeys, ...features.flatMap((feature) => feature.jobs ?? [])];
const queues: readonly { readonly name: string; readonly run: Run }[] = [
  { name: "events of integrations", run: (context) => enqueueEvents(context.database, { now }) },
  {
    name: "deliveries",
    run: (context) =>
      nextDueEvents(context.database, { now: now(), lease: { lease: "one", leaseUntil: now() }, most: 1 }),
  },
  {
    name: "ages of queues",
    run: (context) =>
      readQueues(
        context.database,
        features.flatMap((feature) => feature.queues ?? []),
      ),
  },
  { name: "lag of deliveries", run: (context) => readUndelivered(context.database, limits.rows / 2) },
  { name: "dead letters", run: (context) => countDeadLetters(context.database) },
  ...jobs.filter(({ name }) => !whole[name]),
];

/** The statements that a run sends, each once, and their work. */
async function worksOf(run: Run): Promise<(Work & { readonly statement: string })[]> {
  sent.mockClear();
  const around = { ...app, database, clock: { now }, log: pino({ level: "silent" }), readTxtRecords: async () => [] };
  await run({ ...around, translator: testEngine().translator });
  const calls = [...sent.mock.calls] as readonly unknown[][];
  const statements = new Map<string, readonly unknown[]>();
  for (const [config, values] of calls) {
    const query = typeof config === "string" ? { text: config, values } : config;
    const { text, values: given } = query as { text: string; values?: unknown };
    if (/^\s*(with|select|update|delete|insert)\b/i.test(text)) statements.set(text, Array.isArray(given) ? given : []);
  }
  const works = Array.from(statements, async ([text, values]) => ({
    statement: text.replaceAll(/\s+/g, " "),
    ...(await workOfStatement(app.database, text, values)),
  }));
  return Promise.all(works);
}

test.each(queues)("$name reads few rows in vain while thousands wait", async ({ run }) => {
  const works = await worksOf(run);
  expect(works.length).toBeGreaterThan(0);
  expect(works.filter(({ removed, rows }) => removed > limits.removed || rows > limits.rows)).toEqual([]);
});

/** What a statement of a queue, a lease or a removal by age contains. */
const ofQueue =
  /skip locked|"(dueAt|nextTryAt|deletedAt)" <|"leaseUntil" is null|[dD]ueAt: \{ lte|leaseUntil: \{ lt:|removeOlder\(database/;

/** The files with such statements, and what runs them above; in brackets why another test or none is needed. */
const files: Readonly<Record<string, string>> = {
  "access/viewers.ts": "(rows by their ids)",
  "domain/idempotency.ts": "idempotency.forget",
  "features/audit/jobs.ts": "audit.trim",
  "features/content/commands/collect-garbage.ts": "content.collect",
  "features/imports/commands/run-import.ts": "import.resume",
  "features/integrations/commands/enqueue-events.ts": "integrationEvents.trim",
  "features/integrations/commands/runs/deliver.ts": "deliveries",
  "features/invitations/commands.ts": "invitation.remove",
  "features/links/commands/outside/check.ts": "links.checkOutside",
  "features/links/commands/outside/due.ts": "links.checkOutside",
  "features/members/commands.ts": "member.count",
  "features/openapi/commands/process-source.ts": "openApiSpec.process",
  "features/openapi/index.ts": "ages of queues",
  "features/organizations/commands/email-domains.ts": "organization.checkEmailDomains",
  "features/organizations/index.ts": "ages of queues",
  "features/saml/commands/sign-in.ts": "samlAnswer.forget",
  "features/sessions/commands/sessions.ts": "session.remove",
  "features/sites/commands/hostname.ts": "site.checkHostnames",
  "features/spaces/commands/delete.ts": "space.purge",
  "features/spaces/index.ts": "ages of queues",
  "features/translations/commands/memory.ts": "translation.trim",
  "features/translations/commands/run.ts": "translation.run",
  "features/translations/commands/translation-run.ts": "(a row by its id)",
  "jobs/long-work.ts": "(a condition that others use)",
  "jobs/queues.ts": "ages of queues",
};

test("each file with a statement of a queue names what tests it", () => {
  const folder = fileURLToPath(new URL("../../src", import.meta.url));
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const found = sources.filter(
    (path) => !path.startsWith("generated") && ofQueue.test(readFileSync(`${folder}/${path}`, "utf8")),
  );
  expect(found.toSorted()).toEqual(Object.keys(files));
  const names = [...queues.map(({ name }) => name), ...Object.keys(whole)];
  expect(Object.values(files).filter((name) => !name.startsWith("(") && !names.includes(name))).toEqual([]);
});
