// The application that the permission and tenant tables of a worker share, called below HTTP, and an executor in which
// each mutation of a document fails on its own.
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { drawsTenants, exampleDrawing } from "#test/features/integrations/tenant.ts";
import { keepDocument, smallDocument } from "#test/features/openapi/factory.ts";
import { leaveSpecsAlone } from "#test/features/openapi/processing.ts";
import { testApp } from "#test/support/app.ts";
import { exampleFetch } from "#test/support/example-fetch.ts";
import { lenientExecutor } from "#test/support/executors.ts";
import { uncheckedPool } from "#test/support/unchecked-pool.ts";

const fetch: SafeFetch = (url, options) =>
  String(url) === drawsTenants ? exampleDrawing(url) : exampleFetch(url, options);

async function makeSharedApp() {
  const app = await testApp({ fetch }); // on its own database, where no OpenAPI specification is processed
  await leaveSpecsAlone(app);
  await keepDocument(app.files, smallDocument);
  const lenient = lenientExecutor();
  return {
    app,
    /** Connections that write rows of fixtures. */
    rows: { ...(await uncheckedPool(app.databaseUrl)), prisma: app.database.prisma },
    /** Clients of single operations, by token. */
    single: (token: string) => app.direct(token),
    /** Clients of documents in which one root field may fail without the others, by token. */
    lenient: (token: string) => app.direct(token, lenient),
  };
}

export type SharedApp = Awaited<ReturnType<typeof makeSharedApp>>;

let made: Promise<SharedApp> | undefined;

/** The application of this worker; it is closed when the run ends. */
export const sharedApp = (): Promise<SharedApp> => (made ??= makeSharedApp());
