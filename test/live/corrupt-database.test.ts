// A PostgreSQL server or a network that sends bytes that are no messages: each kind of connection of a gateway is
// replaced, its statement fails with the error of an outage, and the process goes on. At the small size each kind of
// bytes arrives at one place, places in turn.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDatabaseProxy } from "#test/live/network-proxy.ts";
import { useApp } from "#test/support/app.ts";
import { type DocgraphProcess, makeDataFolder, startDocgraph } from "#test/support/docgraph-process.ts";
import { int16, int32, message, ready, row } from "#test/support/fake-postgres.ts";
import { inTurn, sized } from "#test/support/runs.ts";

const { app, world } = await useApp({ own: true });
const { space, editor } = await world.space();
const proxy = await startDatabaseProxy(app.databaseUrl);
const data = await makeDataFolder();
let gateway: DocgraphProcess;
let url: string;

beforeAll(async () => {
  gateway = startDocgraph({
    env: { ...data.env, DATABASE_URL: proxy.url, LOG_LEVEL: "warn", STOP_GRACE_SECONDS: "2" },
  });
  ({ url } = await gateway.ready());
});

afterAll(async () => {
  gateway.signal("SIGTERM");
  await gateway.ended;
  await proxy.close();
  await data.remove();
});

/** Invalid messages, and valid ones at a time at which none is expected. */
const kinds: Readonly<Record<string, Buffer>> = {
  "an unknown code": message("!", "none"),
  "a message of 3 bytes": message("D", "", 3),
  "a message of -1 bytes": message("C", "", -1),
  "a message of 1 GB": message("D", int16(1), 2 ** 30),
  "an error without its end": message("E", "SERROR\0Mno"),
  "an error without anything": message("E"),
  "a notice without its end": message("N", "no"),
  "columns without a count": message("T", "a"),
  "columns that are cut off": message("T", Buffer.concat([int16(2), Buffer.from("abc")])),
  "a row of 30,000 values": message("D", int16(30_000)),
  "a row of -1 values": message("D", int16(-1)),
  "a value beyond its row": message("D", Buffer.concat([int16(1), int32(2 ** 30)])),
  "another authentication": message("R", int32(99)),
  "an authentication without a number": message("R"),
  "a notification that is cut off": message("A", "ab"),
  "an unexpected row": row("one"),
  "an unexpected end of a statement": message("C", "SELECT 1\0"),
  "an unexpected preparation": message("1"),
  "two answers": Buffer.concat([message("2"), row("one"), message("C", "SELECT 1\0"), ready]),
  text: Buffer.from("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n"),
  zeros: Buffer.alloc(64),
};

const headers = { authorization: `Bearer ${editor.token}`, "content-type": "application/json" };
const graphql = (query: string) => ({ method: "POST", headers, body: JSON.stringify({ query }) });
/** A read of rows, a transaction, and a read as objects. */
const requests: readonly (readonly [path: string, init: RequestInit])[] = [
  ["/graphql", graphql(`{ space(id: "${space.id}") { title comments { nodes { id } } } }`)],
  [
    "/graphql",
    graphql(
      `mutation { createComment(input: { contentOf: { spaceId: "${space.id}" }, text: { markdown: "Hi" } }) { comment { id } } }`,
    ),
  ],
  [`/v1/spaces/${space.id}/search?query=Hi`, { headers }],
  [`/v1/spaces/${space.id}`, { headers }],
];

/** Sends each request once; returns what else than a result or an outage they got. Bytes may claim that more follow. */
async function sendAll(): Promise<{ good: number; others: string[] }> {
  const bodies = await Promise.all(
    requests.map(async ([path, init]) => {
      const response = await fetch(`${url}${path}`, init);
      const body = await response.text();
      const isGood = response.ok && !body.includes(`"errors"`);
      return {
        isGood,
        isOut: response.status === 503 || /"code":"(UNAVAILABLE|TIMEOUT)"/.test(body),
        body: `${response.status} ${body}`,
      };
    }),
  );
  const others = bodies.filter(({ isGood, isOut }) => !isGood && !isOut).map(({ body }) => body);
  return { good: bodies.filter(({ isGood }) => isGood).length, others };
}

/** Where the bytes arrive: on idle connections (LISTEN, jobs, vital, too), or within each chunk of the answers. */
const places = ["idle", 0, 0.5, 1] as const;

/** Sends the bytes at a place, within answers to all requests; returns what these got as in {@link sendAll}. */
async function corruptAt(place: (typeof places)[number], bytes: Buffer): Promise<readonly string[]> {
  if (place === "idle") {
    proxy.inject(bytes);
    return [];
  }
  proxy.corrupt((chunk) => {
    const at = Math.floor(chunk.length * place);
    return Buffer.concat([chunk.subarray(0, at), bytes, chunk.subarray(at)]);
  });
  const others: string[] = [];
  for (let times = 0; times < sized(1, 2); times++) others.push(...(await sendAll()).others);
  proxy.corrupt((chunk) => chunk);
  return others;
}

const cases = Object.entries(kinds).map(
  ([kind, bytes], index) => [kind, bytes, inTurn(places, index % places.length, places.length)] as const,
);

test.each(cases)(
  "a gateway replaces connections that receive %s",
  async (_, bytes, chosen) => {
    const before = gateway.output().length;
    const others: string[] = [];
    const untilGood = async () => {
      await expect
        .poll(
          async () => {
            const sent = await sendAll();
            others.push(...sent.others);
            return sent.good;
          },
          { timeout: 60_000 },
        )
        .toBe(requests.length);
    };
    await untilGood(); // all have connections
    for (const place of chosen) {
      others.push(...(await corruptAt(place, bytes)));
      await untilGood();
    }
    expect(others).toEqual([]);
    const lines = gateway.output().slice(before).split("\n");
    expect(lines.filter((line) => line !== "" && !line.startsWith(`{"level":"warn"`))).toEqual([]);
  },
  180_000,
);
