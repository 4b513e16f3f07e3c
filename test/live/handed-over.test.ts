// A gateway that is stopped during an import: another one continues it while the first still drains, exactly once.
import { expect, test } from "vitest";
import { listen } from "#test/live/kinds.ts";
import { startGateways } from "#test/live/gateways.ts";
import { useApp } from "#test/support/app.ts";
import { httpClient } from "#test/support/client.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";

// Has its own database: gateways run everything that is due in the whole database.
const { app, world } = await useApp({ own: true, pollMs: 20 });

/** Serves a page, after the first request, which it never answers. */
async function servePage() {
  const asked = Promise.withResolvers<void>();
  let requests = 0;
  const port = await serveOnLoopback((_request, response) => {
    requests += 1;
    if (requests === 1) asked.resolve();
    else response.end("# Alone\n");
  });
  return { url: `http://127.0.0.1:${port}/a.md`, asked: asked.promise, requests: () => requests };
}

const start = `mutation ($input: StartImportInput!) { startImport(input: $input) { import { id } } }`;

const settings = {
  FILES_DIR: app.filesFolder,
  ALLOWED_FETCH_HOSTS: "127.0.0.1",
  LOG_LEVEL: "info",
  DRAIN_SECONDS: "120",
  METRICS_PORT: "0",
};

test("an import whose gateway is stopped is continued by another at once, while the first still drains", async () => {
  await using gateways = await startGateways(2, app.databaseUrl, settings);
  using _killed = { [Symbol.dispose]: () => [0, 1].forEach((index) => process.kill(gateways.pidOf(index), "SIGKILL")) };
  const { editor, space } = await world.space();
  const page = await servePage();
  const input = { contentOf: { spaceId: space.id }, url: page.url, source: "MARKDOWN" };
  const { startImport } = await httpClient(gateways.urlOf(0), editor.token).query<{
    startImport: { import: { id: string } };
  }>(start, { input });
  await page.asked;
  const stream = await listen(app, editor, `importEvents(of: { spaceId: "${space.id}" }, kinds: [IMPORT_ENDED])`);
  process.kill(gateways.pidOf(0), "SIGTERM");
  const { id } = startImport.import;
  expect(await stream.until("ImportEnded")).toMatchObject([{ facts: { importId: id, state: "DONE" } }]);
  stream.raw.socket.terminate();
  const ready = await fetch(`${gateways.urlOf(0)}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { status: "leaving" }]);
  await expect
    .poll(() => [ends(gateways.outputOf(0), id), ends(gateways.outputOf(1), id)])
    .toEqual([["handed over"], ["done"]]);
  expect([await counted(gateways.outputOf(0)), await counted(gateways.outputOf(1))]).toEqual([
    ['{work="import",outcome="handed over"} 1'],
    ['{work="import",outcome="done"} 1'],
  ]);
  expect(page.requests()).toBe(2);
  const types = (await app.eventsIn(space.id)).map(({ type }) => type);
  expect(types.filter((type) => type === "space.contentUpdated")).toHaveLength(1);
});

/** The outcomes in the lines of a gateway's log about the ends of long work. */
function ends(output: string, id: string): string[] {
  const lines = output.split("\n").filter((line) => line.includes('"long work ended"'));
  // The lines are those that pino writes.
  const parsed = lines.map((line) => JSON.parse(line) as { work: string; id: string; outcome: string });
  return parsed.filter((line) => line.work === "import" && line.id === id).map(({ outcome }) => outcome);
}

/** The series of /metrics about the ends of long work. */
async function counted(output: string): Promise<string[]> {
  const name = "docgraph_long_work_ended_total";
  const [, address = ""] = /"address":"([^"]+)","msg":"metrics endpoint listening"/.exec(output) ?? [];
  const text = await (await fetch(new URL("/metrics", address))).text();
  return text.split("\n").flatMap((line) => (line.startsWith(`${name}{`) ? line.slice(name.length) : []));
}
