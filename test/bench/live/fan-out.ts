// The live benchmark: many subscribers on one process with its own database, compared with stock PubSub.
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { newId } from "#src/base/ids.ts";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { table } from "#test/bench/figures.ts";
import { Subscribers } from "#test/bench/live/crowd.ts";
import { markOf, now } from "#test/bench/live/subscribers.ts";
import { statementsOn, withOwnDatabase } from "#test/bench/own-database.ts";
import { type RunningSystem, startSystem } from "#test/bench/processes.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { createWorld } from "#test/support/world.ts";

const subscriberCount = 10_000;
const spread = { spaces: 1000, each: 10, perSecond: 200, seconds: 10 } as const;
/** Comments posted at once, to measure the delivery rate. */
const rushOf = 30;
/** Comments of each space before anything is measured, so that PostgreSQL plans as for a database in use. */
const discussed = 10;
/** So long that the 99th percentile is more than the slowest event. */
const steady = { perSecond: 2, seconds: 60 } as const;

type Live = "docgraph" | "stock-live";

/** The statement that reads the subscribed fields of comments; the payload of posting reads fewer. */
const loading = '%"t"."postedAt"%from "Comment" t%';

interface World {
  readonly token: string;
  readonly userId: string;
  readonly spaces: readonly string[];
}

interface Burst {
  readonly deliveries: number;
  readonly expected: number;
  /** Milliseconds at the 50th, 95th, 99th and 100th percentile. */
  readonly latencies: readonly number[];
  readonly perSecond: number;
  /**
   * Milliseconds from the time of the last post to the last arrival: a process that falls behind is later the
   * longer it lasts.
   */
  readonly lag: number;
}

const documents: Record<Live, { subscription: string; mutation: string }> = {
  docgraph: {
    subscription: `subscription ($space: ID!) { commentEvents(of: { spaceId: $space }) { ... on CommentPosted { cursor comment { id postedAt body { markdown } } } } }`,
    mutation: `mutation ($space: ID!, $text: String!) { createComment(input: { contentOf: { spaceId: $space }, text: { markdown: $text } }) { comment { id } } }`,
  },
  "stock-live": {
    subscription: `subscription ($space: ID!) { commentPosted(spaceId: $space) { id postedAt markdown } }`,
    mutation: `mutation ($id: ID!, $space: ID!, $user: ID!, $text: String!) { createComment(id: $id, spaceId: $space, userId: $user, markdown: $text) { id } }`,
  },
};

/** Runs everything, and returns the section for the results with the missed targets. */
export async function measureFanOut(
  serverUrl: string,
  say: (line: string) => void,
): Promise<{ text: string; missed: string[] }> {
  return withOwnDatabase(serverUrl, "live", async (url) => {
    const database = openDatabase({ url });
    const world = await fill(database);
    await database.close();
    const stock = await measureStock(url, world, say);
    const ours = await measureOurs(url, world, say);
    return report(ours, stock);
  });
}

async function fill(database: Database): Promise<World> {
  const world = createWorld(database);
  const { organization, editor } = await world.organization();
  const spaces = await world.insert((rows) =>
    Array.from({ length: spread.spaces }, () => {
      const space = addSpace(rows, { organizationId: organization.id });
      for (let index = 0; index < discussed; index++) addComment(rows, { spaceId: space.id, postedById: editor.id });
      return space;
    }),
  );
  await database.prisma.$executeRaw`analyze`;
  return { token: editor.token, userId: editor.id, spaces: spaces.map(({ id }) => id) };
}

async function post(system: Live, { origin }: RunningSystem, world: World, space: string): Promise<void> {
  const variables = {
    id: newId("Comment"),
    space,
    user: world.userId,
    text: `${markOf(now())} a comment of some ten words, as people write them`,
  };
  const { id: _id, user: _user, ...own } = variables;
  const response = await fetch(`${origin}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${world.token}` },
    body: JSON.stringify({ query: documents[system].mutation, variables: system === "docgraph" ? own : variables }),
  });
  const { errors } = (await response.json()) as { errors?: unknown };
  if (errors) throw new Error(JSON.stringify(errors));
}

/**
 * Posts at a fixed rate independent of arrivals (open loop), and waits until everything has arrived or nothing arrives
 * for a while.
 */
async function burst(
  subscribers: Subscribers,
  posting: { count: number; perSecond: number; each: number; post: (index: number) => Promise<void> },
): Promise<Burst> {
  await subscribers.ask({ type: "reset" });
  const { count, perSecond, each } = posting;
  const start = now();
  const posts = Array.from({ length: count }, async (_, index) => {
    await wait((1000 * index) / perSecond);
    await posting.post(index);
  });
  await Promise.all(posts);
  const expected = count * each;
  let answer = await subscribers.ask<"report">({ type: "report" });
  for (let before = -1; answer.deliveries < expected && answer.deliveries > before;) {
    before = answer.deliveries;
    await wait(3000);
    answer = await subscribers.ask<"report">({ type: "report" });
  }
  const { deliveries, latencies, lastAt } = answer;
  const lag = lastAt - (start + (1000 * (count - 1)) / perSecond);
  return { deliveries, expected, latencies, perSecond: (deliveries * 1000) / (lastAt - start), lag };
}

interface SubscriberCosts {
  readonly bytesEach: number;
  /** Many events at once: the delivery rate. */
  readonly rush: Burst;
  readonly statements: number;
}

/** After so long without work docgraph has collected its garbage (src/server/process/lifecycle.ts). */
const idleMs = 110_000;

async function measureCrowd(
  system: Live,
  url: string,
  world: World,
  running: RunningSystem,
  subscribers: Subscribers,
): Promise<SubscriberCosts> {
  const [space = ""] = world.spaces;
  const restMs = system === "docgraph" ? idleMs : 0; // stock never gives memory back by itself
  await wait(restMs);
  const before = memoryOf(running.pid);
  const variables = Array.from({ length: subscriberCount }, () => ({ space }));
  await subscribers.ask({
    type: "open",
    url: `${running.origin.replace("http", "ws")}/graphql`,
    token: world.token,
    query: documents[system].subscription,
    variables,
  });
  await wait(2000 + restMs); // idle: garbage of opening them is collected
  const bytesEach = (memoryOf(running.pid) - before) / subscriberCount;
  const each = subscriberCount;
  // To warm up.
  await burst(subscribers, { count: 1, perSecond: 1, each, post: () => post(system, running, world, space) });
  const statementsBefore = await statementsOn(url);
  const rush = await burst(subscribers, {
    count: rushOf,
    perSecond: 1000,
    each,
    post: () => post(system, running, world, space),
  });
  return { bytesEach, rush, statements: ((await statementsOn(url)) - statementsBefore) / rushOf };
}

async function measureStock(url: string, world: World, say: (line: string) => void): Promise<SubscriberCosts> {
  const running = await startSystem("stock-live", url);
  const subscribers = new Subscribers();
  try {
    const result = await measureCrowd("stock-live", url, world, running, subscribers);
    say(`  stock, ${subscriberCount} subscribers: ${result.rush.perSecond.toFixed(0)} deliveries/s`);
    return result;
  } finally {
    subscribers.stop();
    await running.stop();
  }
}

async function measureOurs(url: string, world: World, say: (line: string) => void) {
  const running = await startSystem("docgraph", url, { SOCKETS_PER_TOKEN: "100000" });
  const subscribers = new Subscribers();
  try {
    const [space = ""] = world.spaces;
    const together = await measureCrowd("docgraph", url, world, running, subscribers);
    say(`  docgraph, ${subscriberCount} subscribers: ${together.rush.perSecond.toFixed(0)} deliveries/s`);
    const count = steady.perSecond * steady.seconds;
    const before = await statementsOn(url, loading);
    const calm = await burst(subscribers, {
      ...steady,
      count,
      each: subscriberCount,
      post: () => post("docgraph", running, world, space),
    });
    say(`  docgraph, ${steady.perSecond} comments a second: p99 ${calm.latencies[2]?.toFixed(0)} ms`);
    const loads = ((await statementsOn(url, loading)) - before) / count;
    subscribers.stop(); // two groups of subscribers at once need more open files than a process usually may have
    return {
      together,
      calm,
      loads,
      scattered: await measureSpread(running, world, say),
    };
  } finally {
    subscribers.stop();
    await running.stop();
  }
}

async function measureSpread(running: RunningSystem, world: World, say: (line: string) => void): Promise<Burst> {
  const subscribers = new Subscribers();
  try {
    const variables = world.spaces.flatMap((space) => Array.from({ length: spread.each }, () => ({ space })));
    await subscribers.ask({
      type: "open",
      url: `${running.origin.replace("http", "ws")}/graphql`,
      token: world.token,
      query: documents.docgraph.subscription,
      variables,
    });
    const { perSecond, seconds, each } = spread;
    const posting = (index: number) =>
      post("docgraph", running, world, world.spaces[1 + (index % (spread.spaces - 1))] ?? "");
    await burst(subscribers, { count: 3 * perSecond, perSecond: perSecond / 2, each, post: posting }); // warm-up
    const result = await burst(subscribers, { count: perSecond * seconds, perSecond, each, post: posting });
    say(
      `  docgraph, ${spread.spaces} spaces: ${result.deliveries} of ${result.expected} delivered, p99 ${result.latencies[2]?.toFixed(0)} ms`,
    );
    return result;
  } finally {
    subscribers.stop();
  }
}

/** Resident bytes of a process. */
function memoryOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

type Ours = Awaited<ReturnType<typeof measureOurs>>;

function report(
  { together, calm, loads, scattered }: Ours,
  stock: SubscriberCosts,
): { text: string; missed: string[] } {
  const ratio = together.rush.perSecond / stock.rush.perSecond;
  const targets: [name: string, asked: string, reached: string, isMet: boolean][] = [
    ["deliveries per second against stock", "at least 30 x", `${ratio.toFixed(1)} x`, ratio >= 30],
    [`reads of the rows of an event, ${subscriberCount} subscribers`, "1", loads.toFixed(2), loads <= 1],
    [
      "p99 with 2 events a second",
      "at most 150 ms",
      `${calm.latencies[2]?.toFixed(0)} ms`,
      (calm.latencies[2] ?? Infinity) <= 150,
    ],
    [
      "memory of an idle subscriber",
      "at most 12 KB",
      `${(together.bytesEach / 1024).toFixed(1)} KB`,
      together.bytesEach <= 12 * 1024,
    ],
    [
      `${spread.spaces} spaces of ${spread.each}, ${spread.perSecond} events a second`,
      "all delivered, the last within 1 s",
      `${scattered.deliveries} of ${scattered.expected}, the last after ${scattered.lag.toFixed(0)} ms`,
      scattered.deliveries === scattered.expected && scattered.lag <= 1000,
    ],
  ];
  const figures = (name: string, { deliveries, perSecond, latencies }: Burst) => [
    name,
    String(deliveries),
    perSecond.toFixed(0),
    ...latencies.slice(0, 3).map((latency) => latency.toFixed(0)),
  ];
  const text = [
    `## (live) ${subscriberCount} subscribers on one process`,
    "",
    "Latencies are from before a comment is sent by HTTP to its arrival at a subscriber, in milliseconds. Subscribers are one process beside the gateway.",
    "",
    ...table(
      ["", "deliveries", "deliveries/s", "p50 ms", "p95 ms", "p99 ms"],
      [
        figures(`stock, ${rushOf} comments at once`, stock.rush),
        figures(`docgraph, ${rushOf} comments at once`, together.rush),
        figures(`docgraph, ${steady.perSecond} comments a second`, calm),
        figures(
          `docgraph, ${spread.spaces} spaces of ${spread.each}, ${spread.perSecond} comments a second`,
          scattered,
        ),
      ],
    ),
    "",
    `Statements for an event, those of posting included: docgraph ${together.statements.toFixed(1)}, stock ${stock.statements.toFixed(1)}. Memory of an idle subscriber of stock: ${(stock.bytesEach / 1024).toFixed(1)} KB.`,
    "",
    ...table(
      ["target", "asked", "reached", ""],
      targets.map(([name, asked, reached, isMet]) => [name, asked, reached, isMet ? "met" : "**missed**"]),
    ),
  ].join("\n");
  return {
    text,
    missed: targets.filter(([, , , isMet]) => !isMet).map(([name, , reached]) => `(live) ${name}: ${reached}`),
  };
}
