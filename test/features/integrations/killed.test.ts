// Gateways that are killed while they deliver: each event is delivered at least once, in order, and none is lost.
import { afterAll, expect, test } from "vitest";
import { installed, settled } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";
import { makeDataFolder, startGateway, stopStarted } from "#test/support/docgraph-process.ts";
import { sized } from "#test/support/runs.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";

const kills = sized(1, 3);
const between = 15;
const count = (kills + 1) * between;

/** Indexes of the events in the order in which scripts reported them. */
const reported: number[] = [];
let enough = Promise.withResolvers<void>();
const port = await serveOnLoopback((request, response) => {
  reported.push(Number(request.url?.slice(1)));
  if (reported.length % between === 0) enough.resolve();
  response.end("{}");
});

// Has its own database: gateways run everything that is due in the whole database.
const { app, world } = await useApp({ own: true });
const data = await makeDataFolder();
afterAll(async () => {
  await stopStarted();
  await data.remove();
});

const gateway = () => startGateway(app, data);

test(
  "integration events are delivered in order, at least once, when gateways are killed",
  { timeout: 120_000 },
  async () => {
    const script = `export async function handle(event) { await fetch("http://127.0.0.1:${port}/" + event.place); }`;
    const events = Array.from({ length: count }, (_, place) => ({ place }));
    const { installation } = await installed({ app, world }, { script, events });
    for (let kill = 0; kill < kills; kill += 1) {
      enough = Promise.withResolvers();
      const doomed = gateway();
      await enough.promise;
      doomed.signal("SIGKILL");
      await doomed.ended;
      // As if its lease had expired.
      await app.database.prisma.integrationInstallation.updateMany({ data: { leaseUntil: new Date(0) } });
    }
    gateway();
    const done = await settled(app, installation.id);
    expect(done.map(({ status }) => status)).toEqual(events.map(() => "success"));
    const first = reported.filter((place, index) => reported.indexOf(place) === index);
    expect(first).toEqual(events.map(({ place }) => place));
    expect(reported.length - count).toBeLessThanOrEqual(kills * 2);
    // Only events under way are delivered again: no event comes after one that follows it.
    for (const [index, place] of reported.entries()) expect(place).toBeGreaterThanOrEqual(reported[index - 1] ?? 0);
    console.log(`${count} events, ${kills} kills: ${reported.length - count} delivered twice`);
  },
);
