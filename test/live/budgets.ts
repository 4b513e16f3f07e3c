// The proof of the limits: the cost of the most expensive allowed operations, and the latency of other requests while
// twenty of them run at once.
import { openDatabase } from "#src/db/connection/database.ts";
import { addComment } from "#test/features/comments/factory.ts";
import type { Person } from "#test/features/members/factory.ts";
import { startGateways } from "#test/live/gateways.ts";
import { latenciesDuring } from "#test/live/latency-probe.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { freePort } from "#test/support/free-port.ts";
import { createWorld, times } from "#test/support/world.ts";

/** The ways in which an operation is executed. */
const ways = ["by a plan", "field by field", "in parts"] as const;
type Way = (typeof ways)[number];

/** What one of the most expensive operations costs. */
interface HeavyCost {
  readonly way: Way;
  readonly status: number;
  readonly megabytes: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** In milliseconds. */
  readonly longestBlock: number;
  readonly residentMegabytes: number;
}

/** Latencies of other requests while many of them run, in milliseconds. */
interface Latencies {
  readonly heavy: number;
  readonly answered: number;
  /** Retries after 429. */
  readonly again: number;
  readonly healthP99: number;
  readonly oneRowP95: number;
  readonly longestBlock: number;
  readonly residentMegabytes: number;
  /** Small requests that failed. */
  readonly failed: number;
}

export interface BudgetsReport {
  readonly alone: readonly HeavyCost[];
  readonly together: Latencies;
}

const aliases = (count: number) => times(count, (index) => `a${index}: id`).join(" ");

/** Operations with the largest allowed number of values: up to 1,000 fields compiled, more interpreted. */
const heavy = (spaceId: string, size: number): Readonly<Record<Way, string>> => {
  const few = `a: comments(first: ${Math.ceil(size / 5)}) { nodes { ${aliases(2700)} } }`;
  return {
    "by a plan": `{ space(id: "${spaceId}") { a: comments(first: ${size}) { nodes { ${aliases(950)} } } } }`,
    "field by field": `{ space(id: "${spaceId}") { ${few} } }`,
    "in parts": `{ space(id: "${spaceId}") { ${few} ... @defer { id } } }`,
  };
};

/** Runs the proof with `comments` comments to read, and `count` concurrent operations by five users. */
export async function proveBudgets(
  { comments, count }: { comments: number; count: number },
  say: (line: string) => void = () => {},
): Promise<BudgetsReport> {
  await using postgres = await startOwnPostgres();
  const metricsPort = String(await freePort());
  await using gateways = await startGateways(1, postgres.url, { METRICS_PORT: metricsPort });
  const database = openDatabase({ url: postgres.url });
  try {
    const world = createWorld(database);
    const { space, reader, admin, creator, editor, reviewer, commenter } = await world.space();
    await world.insert((rows) => times(comments, () => addComment(rows, { spaceId: space.id, postedById: reader.id })));
    const users = [admin, creator, editor, reviewer, commenter];
    const gateway = new Watched(gateways.urlOf(0), `http://127.0.0.1:${metricsPort}/metrics`);
    const documents = heavy(space.id, comments);
    for (const document of Object.values(documents)) await gateway.ask(reader.token, document); // compiled, and warm
    const alone: HeavyCost[] = [];
    for (const way of ways) alone.push({ way, ...(await gateway.cost(reader.token, documents[way])) });
    say(`${count} at once`);
    return {
      alone,
      together: await gateway.together({ watcher: reader, users, documents: Object.values(documents), count, space }),
    };
  } finally {
    await database.close();
  }
}

/** A gateway with its metrics. */
class Watched {
  readonly #url: string;
  readonly #metrics: string;

  constructor(url: string, metrics: string) {
    this.#url = url;
    this.#metrics = metrics;
  }

  async ask(token: string, query: string): Promise<{ status: number; bytes: number }> {
    const response = await fetch(`${this.#url}/graphql`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${token}`,
        accept: "multipart/mixed; deferSpec=20220824, application/json",
        "accept-encoding": "identity",
      },
      body: JSON.stringify({ query }),
    });
    let bytes = 0;
    if (response.body) for await (const piece of response.body) bytes += piece.length;
    return { status: response.status, bytes };
  }

  /** The same, retried while it is refused with 429. */
  async askUntilAnswered(token: string, query: string): Promise<{ status: number; again: number }> {
    for (let again = 0; ; again++) {
      const { status } = await this.ask(token, query);
      if (status !== 429) return { status, again };
    }
  }

  async cost(token: string, query: string): Promise<Omit<HeavyCost, "way">> {
    const before = await this.#read();
    const begun = performance.now();
    const { status, bytes } = await this.ask(token, query);
    const seconds = (performance.now() - begun) / 1000;
    const { cpuSeconds, ...after } = await this.#read();
    return { status, megabytes: bytes / 1e6, seconds, ...after, cpuSeconds: cpuSeconds - before.cpuSeconds };
  }

  /** Measures the latencies of other requests until the last operation ends. */
  async together(of: {
    watcher: Person;
    users: readonly Person[];
    documents: readonly string[];
    count: number;
    space: { id: string };
  }): Promise<Latencies> {
    const { watcher, users } = of;
    await this.#read();
    const [answers, { healths, rows, failed }] = await latenciesDuring(
      { url: this.#url, token: watcher.token, spaceId: of.space.id },
      () =>
        Promise.all(
          times(of.count, (index) =>
            this.askUntilAnswered(
              users[index % users.length]?.token ?? "",
              of.documents[index % of.documents.length] ?? "",
            ),
          ),
        ),
    );
    const { longestBlock, residentMegabytes } = await this.#read();
    const answered = answers.filter(({ status }) => status === 200).length;
    const again = answers.reduce((sum, answer) => sum + answer.again, 0);
    const latencies = { healthP99: percentile(healths, 0.99), oneRowP95: percentile(rows, 0.95) };
    return { heavy: of.count, answered, again, ...latencies, longestBlock, residentMegabytes, failed };
  }

  /** The longest event-loop block since the previous read. */
  async #read() {
    const text = await (await fetch(this.#metrics)).text();
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    return {
      cpuSeconds: value("docgraph_process_cpu_seconds_total"),
      longestBlock: 1000 * value("docgraph_nodejs_eventloop_lag_max_seconds"),
      residentMegabytes: value("docgraph_process_resident_memory_bytes") / 1e6,
    };
  }
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1] ?? NaN;
}
