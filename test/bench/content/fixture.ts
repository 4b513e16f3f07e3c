// The fixture of each part of the content benchmark: a database of its own with a space, and a gateway in its own
// process.
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { statementsOn, withOwnDatabase } from "#test/bench/own-database.ts";
import { startSystem } from "#test/bench/processes.ts";
import { type HttpClient, httpClient } from "#test/support/client.ts";
import { createWorld } from "#test/support/world.ts";

export interface ContentFixture {
  /** The URL of the database. */
  readonly url: string;
  /** The URL of the gateway. */
  readonly origin: string;
  /** The process of the gateway. */
  readonly pid: number;
  readonly database: Database;
  readonly world: ReturnType<typeof createWorld>;
  /** An empty space with its people. */
  readonly made: Awaited<ReturnType<ReturnType<typeof createWorld>["space"]>>;
  /** A client of the admin. */
  readonly as: HttpClient;
  /** The number of statements that the gateway sends during `work`. */
  statementsOf(work: () => Promise<unknown>): Promise<number>;
}

/** Runs `work` on a fixture of its own, which is deleted afterwards; the gateway has these settings. */
export async function withContentFixture<Result>(
  serverUrl: string,
  work: (fixture: ContentFixture) => Promise<Result>,
  settings: Readonly<Record<string, string>> = {},
): Promise<Result> {
  return withOwnDatabase(serverUrl, "content", async (url) => {
    const database = openDatabase({ url });
    const gateway = await startSystem("docgraph", url, settings);
    try {
      const world = createWorld(database);
      const made = await world.space();
      const as = httpClient(gateway.origin, made.admin.token);
      const statementsOf = async (doing: () => Promise<unknown>) => {
        const before = await statementsOn(url);
        await doing();
        return (await statementsOn(url)) - before;
      };
      return await work({ url, origin: gateway.origin, pid: gateway.pid, database, world, made, as, statementsOf });
    } finally {
      await gateway.stop();
      await database.close();
    }
  });
}

/** The unique text of a page, some 2 KB in 30 lines. */
export function proseOf(page: number): string {
  const lines = Array.from(
    { length: 28 },
    (_, line) => `Line ${line} of page ${page} is unique among all pages of the space.`,
  );
  return `# Page ${page}\n\n${lines.join("\n")}\n`;
}

/** The same text with one line replaced. */
export const reworded = (text: string, line: number, by: string): string =>
  text
    .split("\n")
    .map((old, index) => (index === line ? by : old))
    .join("\n");

/** The duration of `work` in milliseconds. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
