// Memory at rest, of the process that `npm start` runs: after a first start, which seeds the demo, and some use. What
// it takes alone counts: of the program's file, which all processes share, Linux maps as much as it has at hand.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoQuery } from "#src/server/pages/graphiql.ts";
import { ask, makeDataFolder, type Ready, startDocgraph, stopStarted } from "#test/support/docgraph-process.ts";

const limitMb = 200;

let data: Awaited<ReturnType<typeof makeDataFolder>>;
let npm: number;
let ready: Ready;

beforeAll(async () => {
  data = await makeDataFolder();
  const started = startDocgraph({ command: ["npm", "start"], env: data.env });
  npm = started.pid;
  ready = await started.ready();
}, 120_000);

afterAll(async () => {
  await stopStarted();
  await data.remove(ready.data);
});

/** Megabytes (RssAnon) of the one process that npm runs; PostgreSQL, whose parent that one is, not counted. */
async function ownMb(): Promise<number> {
  const child = (await readFile(`/proc/${npm}/task/${npm}/children`, "utf8")).trim();
  const status = await readFile(`/proc/${child}/status`, "utf8");
  return Math.round(Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
}

test.skipIf(!existsSync(`/proc/self/task/${process.pid}/children`))(
  `npm start comes to rest below ${limitMb} MB of its own, GraphiQL and a hundred queries included`,
  async () => {
    const page = await fetch(`${ready.url}/graphql`, { headers: { accept: "text/html" } });
    const scripts = [...(await page.text()).matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path = ""]) => path);
    const sizes = await Promise.all(scripts.map(async (path) => (await (await fetch(ready.url + path)).text()).length));
    expect(Math.max(...sizes)).toBeGreaterThan(1_000_000); // GraphiQL is the big one
    for (let round = 0; round < 100; round++) await ask(ready.url, ready.token, demoQuery);
    await expect
      .poll(ownMb, { message: "MB in memory (RssAnon)", timeout: 150_000, interval: 500 })
      .toBeLessThan(limitMb);
  },
  180_000,
);
