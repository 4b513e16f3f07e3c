// Memory at rest, of the process that `npm start` runs: after a first start, which seeds the demo, and some use.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoQuery } from "#src/server/demo-query.ts";
import { ask, makeDataFolder, type Ready, startDocgraph, stopStarted } from "#test/support/docgraph-process.ts";

const limitMb = 250;

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

/** Megabytes in memory (VmRSS) of the one process that npm runs; PostgreSQL, whose parent that one is, not counted. */
async function residentMb(): Promise<number> {
  const child = (await readFile(`/proc/${npm}/task/${npm}/children`, "utf8")).trim();
  const status = await readFile(`/proc/${child}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
}

test.skipIf(!existsSync(`/proc/self/task/${process.pid}/children`))(
  `npm start comes to rest below ${limitMb} MB, GraphiQL and a hundred queries included`,
  async () => {
    const page = await fetch(`${ready.url}/graphql`, { headers: { accept: "text/html" } });
    expect((await page.text()).length).toBeGreaterThan(5_000_000); // it is the big one
    for (let round = 0; round < 100; round++) await ask(ready.url, ready.token, demoQuery);
    await expect
      .poll(residentMb, { message: "MB in memory (VmRSS)", timeout: 150_000, interval: 500 })
      .toBeLessThan(limitMb);
  },
  180_000,
);
