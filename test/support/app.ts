// The application on a throw-away database, and clients of its front doors that say what they sent when they fail.
import { pino } from "pino";
import { createTestDatabase } from "#test/support/test-database.ts";
import type { Clock } from "#src/base/time.ts";
import { systemClock } from "#src/base/time.ts";
import { type Database, meterStatements, openDatabase } from "#src/db/database.ts";
import { createViewers } from "#src/access/viewers.ts";
import { makeContext } from "#src/domain/context.ts";
import { createExecutor, type Executor, isOperation, type Variables } from "#src/graph/execute.ts";
import { schema } from "#src/schema.ts";
import { createApp } from "#src/server/app.ts";

export interface GraphqlAnswer<Data> {
  status: number;
  headers: Headers;
  data: Data | null | undefined;
  errors:
    | {
        message: string;
        path?: (string | number)[];
        extensions: { code: string; details?: { path: string; message: string }[] };
      }[]
    | undefined;
}

export interface RestAnswer<Body> {
  status: number;
  headers: Headers;
  /** The parsed JSON; undefined for an empty body. */
  body: Body;
}

/** One caller of the application. `null` as token sends none. */
export interface Client {
  /** The data of an operation that must succeed. */
  query<Data = Record<string, never>>(document: string, variables?: Variables): Promise<Data>;
  /** The code of the only error of an operation that must fail. */
  refusal(document: string, variables?: Variables): Promise<string>;
  /** The whole answer. */
  graphql<Data = Record<string, never>>(document: string, variables?: Variables): Promise<GraphqlAnswer<Data>>;
  rest<Body = unknown>(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ): Promise<RestAnswer<Body>>;
  /** Runs a query that must succeed, and counts its SQL statements beside the one that reads the token. */
  statements(document: string, variables?: Variables): Promise<number>;
}

export interface TestApp extends AsyncDisposable {
  readonly url: string;
  readonly database: Database;
  as(token: string | null): Client;
  close(): Promise<void>;
}

/** Starts the application on a fresh database. Close it in `afterAll`. */
export async function testApp(
  options: { clock?: Clock; executor?: Executor; viewerAge?: number } = {},
): Promise<TestApp> {
  const throwAway = await createTestDatabase();
  const database = openDatabase({ url: throwAway.url });
  const clock = options.clock ?? systemClock;
  const log = pino({ level: process.env["TEST_LOG"] ?? "silent" });
  const executor = options.executor ?? createExecutor(schema);
  const app = createApp({ database, log, clock, executor, graphiql: true, viewerAge: options.viewerAge ?? 0 });
  const viewers = createViewers(database, clock, 0);
  const { url } = await app.listen({ host: "127.0.0.1", port: 0 });
  const close = async () => {
    await app.close({ graceMs: 1000 });
    await database.close();
    await throwAway.drop();
  };

  function as(token: string | null): Client {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };

    async function graphql<Data>(document: string, variables: Variables = {}): Promise<GraphqlAnswer<Data>> {
      const answer = await fetch(`${url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", ...authorization },
        body: JSON.stringify({ query: document, variables }),
      });
      const { data, errors } = (await answer.json()) as Pick<GraphqlAnswer<Data>, "data" | "errors">;
      return { status: answer.status, headers: answer.headers, data, errors };
    }

    return {
      graphql,
      async query<Data>(document: string, variables?: Variables): Promise<Data> {
        const { data, errors } = await graphql<Data>(document, variables);
        if (errors || !data)
          throw new Error(`${JSON.stringify(errors)}\nin ${document}\nwith ${JSON.stringify(variables)}`);
        return data;
      },
      async refusal(document, variables) {
        const { data, errors } = await graphql(document, variables);
        if (errors?.length !== 1 || !errors[0])
          throw new Error(`Not refused: ${JSON.stringify({ data, errors })}\nin ${document}`);
        return errors[0].extensions.code;
      },
      async rest<Body>(
        method: string,
        path: string,
        { body, headers }: { body?: unknown; headers?: Record<string, string> } = {},
      ) {
        const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
        const type = body === undefined ? {} : { "content-type": "application/json" };
        const answer = await fetch(`${url}${path}`, {
          method,
          headers: { ...type, ...authorization, ...headers },
          ...sent,
        });
        const text = await answer.text();
        return {
          status: answer.status,
          headers: answer.headers,
          body: (text === "" ? undefined : JSON.parse(text)) as Body,
        };
      },
      async statements(document, variables = {}) {
        const viewer = await viewers.byAuthorization(authorization.authorization);
        const operation = executor.prepare(document);
        if (!isOperation(operation)) throw new Error(`${JSON.stringify(operation)}\nin ${document}`);
        const meter = { statements: 0 };
        const context = makeContext({ database, viewers, clock, log, publicUrl: url }, viewer, "statements");
        const { errors } = await meterStatements(meter, () => operation.run(context, variables));
        if (errors) throw new Error(`${JSON.stringify(errors)}\nin ${document}`);
        return meter.statements;
      },
    };
  }

  return { url, database, as, close, [Symbol.asyncDispose]: close };
}
