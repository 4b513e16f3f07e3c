// The application on a throw-away database, and clients of its APIs that count statements, too. The files of a worker
// run one after another, on one database and one application; `own` gives a file its own.
import { pino } from "pino";
import { afterAll } from "vitest";
import { type GraphqlClient, type HttpClient, httpClient } from "#test/support/client.ts";
import { testEngine } from "#test/features/translations/engine.ts";
import { testServices, testSecrets } from "#test/support/test-services.ts";
import { checkPlans } from "#test/support/comparing-executor.ts";
import { testFolder } from "#test/support/test-files.ts";
import { createTestDatabase } from "#test/support/test-database.ts";
import { directClient } from "#test/support/direct-client.ts";
import { sharedExecutor } from "#test/support/executors.ts";
import { uncheckedPool } from "#test/support/unchecked-pool.ts";
import { createWorld } from "#test/support/world.ts";
import type { Charge } from "#src/runtime/tenant.ts";
import { features } from "#src/features/index.ts";
import { Emails } from "#src/jobs/emails.ts";
import { startJobs } from "#src/jobs/start-jobs.ts";
import type { Mail } from "#src/net/mail.ts";
import { systemClock } from "#src/base/time.ts";
import { type Database, meterStatements, openDatabase, StatementCounter } from "#src/db/connection/database.ts";
import type { PoolLimits } from "#src/db/connection/pool.ts";
import { Feed } from "#src/events/event-log.ts";
import { silentWakeups, type Wakeups } from "#src/events/wakeups.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { Viewers } from "#src/access/viewers.ts";
import { makeContext } from "#src/domain/context.ts";
import type { OutboxEvent, Prisma } from "#src/generated/prisma/client.ts";
import { createExecutor, type Executor, isOperation, type Variables } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { createApp } from "#src/server/process/app.ts";
import type { AppOptions } from "#src/server/process/app-options.ts";
import { exampleFetch } from "#test/support/example-fetch.ts";

/** One caller of the application. `null` as token sends none. */
export interface Client extends HttpClient {
  /** Runs a query that must succeed, and counts its SQL statements beside the one that reads the token. */
  statements(document: string, variables?: Variables): Promise<number>;
}

export interface TestApp extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly files: FileStore;
  readonly fetch: SafeFetch;
  /** Where `files` keeps them. */
  readonly filesFolder: string;
  /** The events about a thing, in their order. */
  eventsOf(subjectId: string): Promise<OutboxEvent[]>;
  /** The events in an organization or a space, in their order. */
  eventsIn(placeId: string): Promise<OutboxEvent[]>;
  as(token: string | null): Client;
  /** A caller of GraphQL below HTTP; by another executor, if one is given. */
  direct(token: string, executor?: Executor): GraphqlClient;
  /** As of {@link createApp}. */
  readonly charge: Charge;
  readonly places: readonly string[];
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** What a test may choose. */
type GivenOption =
  | "clock"
  | "readReplicas"
  | "mostBehindMs"
  | "files"
  | "fetch"
  | "tunnels"
  | "readTxtRecords"
  | "translator"
  | "log"
  | "metrics"
  | "tracing"
  | "patienceMs"
  | "requestTimeoutMs"
  | "operationLimits"
  | "trafficLimits"
  | "quotas"
  | "costStore"
  | "publicUrl"
  | "integrationsUrl"
  | "trustedProxies"
  | "secrets"
  | "executor"
  | "documents"
  | "takesBatches"
  | "viewerAge"
  | "siteAgeMs"
  | "rightsAge"
  | "maxFileSize"
  | "socketLimits"
  | "allowedOrigins"
  | "allowedHosts"
  | "hidesSuggestions"
  | "allowsLoopbackOrigins"
  | "keepAliveMs"
  | "writeTimeoutMs"
  | "demoToken"
  | "graphiql"
  | "appUrl"
  | "pollMs"
  | "heldMs"
  | "checkpointMs"
  | "filesCheckMs"
  | "deliveryMs"
  | "translationMs"
  | "openIdProvider";

interface TestAppOptions extends Partial<Pick<AppOptions, GivenOption>> {
  /** Of its connections to the database. */
  readonly limits?: Partial<PoolLimits>;
  /** Another application, closed later, whose database this one shares; or any migrated database. */
  readonly beside?: Pick<TestApp, "databaseUrl">;
  /** Sends e-mails, which are tried again after a second. */
  readonly mail?: Mail;
  /** Makes the wake-ups between applications on the database at `url`. */
  readonly wakeups?: (url: string) => Wakeups;
}

interface UsedAppOptions extends TestAppOptions {
  /**
   * On its own database: for a file that reads whole tables, sets the clock, stops the application, or counts what it
   * does. A comment says which.
   */
  readonly own?: true;
}

/** Connections by which fixtures are written. */
type WorldDatabase = Pick<Database, "pool" | "prisma">;

/** What the files of this worker share; it ends with the run. */
let ofWorker: ReturnType<typeof makeShared> | undefined;

async function makeShared() {
  const app = await testApp();
  const rows: WorldDatabase = { ...(await uncheckedPool(app.databaseUrl)), prisma: app.database.prisma };
  return { app, rows, world: createWorld(rows) };
}

/**
 * The application of a test file, the world in its database, and the connections for the rows of other fixtures: those
 * of the worker, where each test makes its own organizations; with options an application beside that one, closed after
 * the last test.
 */
export async function useApp({ own, ...options }: UsedAppOptions = {}) {
  const shared = own ? undefined : await (ofWorker ??= makeShared());
  afterAll(checkPlans);
  if (shared && Object.keys(options).length === 0) return shared;
  const app = await testApp(shared ? { beside: shared.app, ...options } : options);
  afterAll(() => app.close());
  const rows: WorldDatabase = shared?.rows ?? app.database;
  return { app, rows, world: shared?.world ?? createWorld(rows) };
}

/** Starts the application on a fresh database; the caller closes it. */
export async function testApp({
  beside,
  wakeups,
  mail,
  limits = {},
  ...options
}: TestAppOptions = {}): Promise<TestApp> {
  const throwAway = beside ? { url: beside.databaseUrl, drop: () => Promise.resolve() } : await createTestDatabase();
  const database = openDatabase({ url: throwAway.url, ...limits });
  const folder = testFolder();
  const files = options.files ?? new FolderStore(folder.path);
  const clock = options.clock ?? systemClock;
  const log = options.log ?? pino({ level: process.env["TEST_LOG"] ?? "silent" });
  const { hidesSuggestions = false } = options;
  const ownExecutor = hidesSuggestions ? createExecutor(schema, { hidesSuggestions }) : options.executor;
  const executor = ownExecutor ?? sharedExecutor;
  const fetch = options.fetch ?? exampleFetch;
  const secrets = options.secrets ?? testSecrets;
  const translator = "translator" in options ? options.translator : testEngine().translator;
  const readTxtRecords = options.readTxtRecords ?? (async () => []);
  const own = {
    database,
    readTxtRecords,
    files,
    fetch,
    translator,
    secrets,
    log,
    clock,
    executor,
  };
  const emails =
    mail &&
    new Emails(
      mail,
      features.flatMap((feature) => feature.emails ?? []),
    );
  const woken = wakeups && { wakeups: wakeups(throwAway.url) };
  const app = createApp({
    viewerAge: 0,
    siteAgeMs: 0,
    requestTimeoutMs: 60_000,
    deliveryMs: null,
    translationMs: null,
    graphiql: true,
    ...options,
    ...(emails && { emails }),
    ...woken,
    ...own,
  });
  const viewers = new Viewers(database, clock, { maxAge: 0 });
  const feed = new Feed({ database, wakeups: silentWakeups, log }); // of the measured contexts; nobody reads it
  const { url } = await app.listen({ host: "127.0.0.1", port: 0 });
  const queue = {
    url: throwAway.url,
    jobs: [],
    emails,
    database,
    files,
    fetch,
    clock,
    log,
    readTxtRecords,
    messageRetrySeconds: 1,
    pollingIntervalSeconds: 1,
  };
  const running = emails && (await startJobs(queue));
  const close = async () => {
    const closed = app.close({ graceMs: 1000 });
    await Promise.all([closed, running?.stop({ graceMs: 1000, senders: closed })]);
    await database.close();
    await throwAway.drop();
    await folder.remove();
    checkPlans();
  };

  function as(token: string | null): Client {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };

    return {
      ...httpClient(url, token),
      async statements(document, variables = {}) {
        const viewer = await viewers.byAuthorization(authorization.authorization);
        const operation = executor.prepare(document);
        if (!isOperation(operation)) throw new Error(`${JSON.stringify(operation)}\nin ${document}`);
        const meter = new StatementCounter();
        const rightsAge = Infinity; // what is read again after a second depends on the machine
        const around = {
          ...testServices(database, clock),
          fetch,
          viewers,
          feed,
          clock,
          log,
          publicUrl: url,
          rightsAge,
        };
        const context = makeContext({ database, files, ...around }, viewer, "statements");
        const { errors } = await meterStatements(meter, () => operation.run(context, variables));
        if (errors) throw new Error(`${JSON.stringify(errors)}\nin ${document}`);
        return meter.statements;
      },
    };
  }

  const eventsWhere = (where: Prisma.OutboxEventWhereInput) =>
    database.prisma.outboxEvent.findMany({ where, orderBy: { id: "asc" } });

  return {
    url,
    database,
    databaseUrl: throwAway.url,
    files,
    fetch,
    filesFolder: folder.path,
    eventsOf: (subjectId) => eventsWhere({ subjectId }),
    eventsIn: (placeId) => eventsWhere({ OR: [{ organizationId: placeId }, { spaceId: placeId }] }),
    as,
    direct: (token, given = executor) =>
      directClient({ url, viewers, executor: given, contextFor: app.contextFor }, token),
    charge: app.charge,
    places: app.places,
    leave: () => app.leave(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
