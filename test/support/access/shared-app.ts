// The ground of the tables of permissions and tenants: an application that all files of a worker share, asked below
// HTTP, and an executor by which many calls of one document are refused one by one.
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { createExecutor } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { drawsTenants, exampleDrawing } from "#test/features/integrations/tenant.ts";
import { keepDocument, smallDocument } from "#test/features/openapi/factory.ts";
import { leaveSpecsAlone } from "#test/features/openapi/processing.ts";
import { testApp } from "#test/support/app.ts";
import { exampleFetch } from "#test/support/example-fetch.ts";
import { withNullableTop } from "#test/support/nullable-top.ts";
import { unchecked } from "#test/support/unchecked-pool.ts";

const fetch: SafeFetch = (url, options) =>
  String(url) === drawsTenants ? exampleDrawing(url) : exampleFetch(url, options);

async function makeGround() {
  const app = await testApp({ fetch }); // on its own database, in which no specification is processed
  await leaveSpecsAlone(app);
  await keepDocument(app.files, smallDocument);
  const lenient = createExecutor(withNullableTop(schema));
  return {
    app,
    /** Where its rows are written. */
    rows: { ...(await unchecked(app.databaseUrl)), prisma: app.database.prisma },
    /** Clients of single operations, by token. */
    single: (token: string) => app.direct(token),
    /** Clients of documents of which a field at the top may be refused without the others, by token. */
    lenient: (token: string) => app.direct(token, lenient),
  };
}

export type Ground = Awaited<ReturnType<typeof makeGround>>;

let made: Promise<Ground> | undefined;

/** That of this worker; it ends with the run. */
export const groundOfWorker = (): Promise<Ground> => (made ??= makeGround());
