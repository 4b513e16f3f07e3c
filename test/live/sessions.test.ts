// Sessions: the rights of a token apply to all its streams, in whatever order they begin and end.
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commentsOfSpace } from "#test/live/stream.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { createWorld } from "#test/support/world.ts";
import { Viewers } from "#src/access/viewers.ts";
import { systemClock } from "#src/base/time.ts";
import { makeContext } from "#src/domain/context.ts";
import { Feed } from "#src/events/event-log.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { createExecutor, isOperation } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { Hub } from "#src/server/live/hub.ts";
import type { Batch, Stream, Transport } from "#src/server/live/stream.ts";
import { testServices } from "#test/support/test-services.ts";

let app: TestApp;
let feed: Feed;
let hub: Hub;
let open: (token: string, space: string, transport: Transport) => Promise<Stream>;

beforeAll(async () => {
  app = await testApp();
  const { database, files } = app;
  const [log, clock] = [pino({ level: "silent" }), systemClock];
  const viewers = new Viewers(database, clock, { maxAge: 0 });
  feed = new Feed({ database, wakeups: silentWakeups, log, pollMs: 20 });
  const environment = { database, files, ...testServices(database), viewers, feed, clock, log, publicUrl: app.url };
  const options = { schema, feed, wakeups: silentWakeups, viewers, clock, log };
  hub = new Hub({ ...options, contextOf: (viewer) => makeContext(environment, viewer, "test"), charge: () => {} });
  await feed.start();
  hub.start();
  const operation = createExecutor(schema).prepare(commentsOfSpace);
  open = async (token, space, transport) => {
    if (!isOperation(operation)) throw new Error(JSON.stringify(operation));
    const context = makeContext(environment, await viewers.byAuthorization(`Bearer ${token}`), "test");
    const opened = await hub.open({ operation, variables: { space }, context }, transport);
    if ("refusal" in opened) throw new Error(JSON.stringify(opened.refusal));
    return opened;
  };
});
afterAll(async () => {
  hub.stop();
  await feed.stop();
  await app.close();
});

/** A transport that records its messages. */
class Recorder implements Transport {
  readonly kind = "sse";
  readonly bufferedBytes = 0;
  readonly sent: string[] = [];
  end: unknown;

  send({ messages }: Batch): void {
    this.sent.push(...messages.map(({ json }) => json.toString()));
  }

  complete(): void {
    this.end = "complete";
  }

  fail([error]: Parameters<Transport["fail"]>[0]): void {
    this.end = error?.extensions["code"];
  }
}

test("a stream whose connection closes late does not stop the rights checks of newer streams", async () => {
  const { editor, space } = await createWorld(app.database).space();
  const [first, second] = [new Recorder(), new Recorder()];
  const ended = await open(editor.token, space.id, first);
  ended.end();
  await open(editor.token, space.id, second);
  ended.close(); // as when the last bytes to a slow client are written
  const as = app.as(editor.token);
  const { apiTokens } = await as.query<{ apiTokens: { nodes: { id: string }[] } }>("{ apiTokens { nodes { id } } }");
  await as.query("mutation ($id: ID!) { revokeApiToken(input: { apiTokenId: $id }) { __typename } }", {
    id: apiTokens.nodes[0]?.id,
  });
  await expect.poll(() => second.end, { timeout: 30_000 }).toBe("UNAUTHENTICATED");
  expect(first.end).toBe("complete");
  expect(hub.size).toBe(0);
});
