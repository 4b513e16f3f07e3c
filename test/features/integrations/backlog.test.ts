// Many events that wait: an address that was down for a day gets them in order, and integrations that misbehave do not
// delay others of their organization.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { sql } from "#src/db/connection/database.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { addIntegrationEvent } from "#test/features/integrations/factory.ts";
import { installed, settled } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { isFullSize, sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

interface Received {
  readonly data: { readonly place: number };
}

const received: Received["data"][] = [];
let isDown = true;
const port = await serveOnLoopback((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    response.statusCode = isDown ? 503 : 200;
    if (!isDown) received.push((JSON.parse(Buffer.concat(chunks).toString()) as Received).data);
    response.end();
  });
});
let offsetMs = 0;
const clock = { now: () => new Date(Date.now() + offsetMs) };
const fetch = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
// Has its own database: the clock decides which events of the whole database are due.
const { app, world } = await useApp({ own: true, fetch, deliveryMs: 50, clock });
const { database } = app;

/** Waits until no event of an installation is pending; says how many are, at full size every 10 seconds. */
async function delivered(installationId: string): Promise<void> {
  const begun = performance.now();
  let saidAt = isFullSize ? begun : Infinity;
  for (let waiting = Infinity; waiting > 0;) {
    waiting = await waitingOf(installationId);
    const now = performance.now();
    if (waiting > 0 && now - begun > 600_000) throw new Error(`${waiting} events still wait after 10 minutes.`);
    if (now >= saidAt || (waiting === 0 && isFullSize)) {
      console.info(`${waiting} events wait after ${Math.round((now - begun) / 1_000)} s`);
      saidAt = now + 10_000;
    }
    if (waiting > 0) await sleep(200);
  }
}

const waitingOf = (installationId: string) =>
  database.prisma.integrationEvent.count({ where: { installationId, status: "pending" } });

test("delivers a day of events in order when their address is back, while others are served", async () => {
  const count = sized(300, 20_000);
  const now = clock.now();
  const { installation } = await installed({ app, world }, { webhookUrl: `http://127.0.0.1:${port}/` });
  await database.query(sql`
    insert into "IntegrationEvent" (id, "installationId", type, payload, sequence, "createdAt", "nextTryAt")
    select 'ive_' || n, ${installation.id}, 'comment_created', json_build_object('place', n), n, ${now}, ${now}
    from generate_series(1, ${count}::int) n`);
  await settled(app, installation.id, 1);
  expect([await waitingOf(installation.id), received]).toEqual([count, []]);

  isDown = false;
  offsetMs = 3_600_000; // the longest wait for the next attempt
  const begun = performance.now();
  const other = await installed({ app, world }, { script: "export function handle() {}", events: [{}] });
  await settled(app, other.installation.id);
  expect(await waitingOf(installation.id)).toBeGreaterThan(0);
  await delivered(installation.id);
  expect(received.map(({ place }) => place)).toEqual(times(count, (index) => index + 1));
  if (isFullSize) expect(performance.now() - begun).toBeLessThan(120_000);
});

test.runIf(isFullSize)("13 scripts that misbehave do not delay a good one of their organization", async () => {
  const scripts = [
    "while (true);",
    "const all = []; while (true) all.push(new Array(1e5).fill(1));",
    "await new Promise(() => {});",
  ];
  const good = await installed({ app, world }, { script: "export function handle() {}" });
  const at = { organizationId: good.organization.id };
  const bad = await Promise.all(
    times(13, (index) =>
      installed(
        { app, world },
        {
          script: `export async function handle() { ${scripts[index % scripts.length]} }`,
          integration: at,
          installation: at,
        },
      ),
    ),
  );
  const begun = performance.now();
  await world.insert((rows) => {
    for (const { installation } of times(251, () => [...bad, good]).flat())
      addIntegrationEvent(rows, { installationId: installation.id, createdAt: clock.now() });
  });
  await delivered(good.installation.id);
  expect(performance.now() - begun).toBeLessThan(120_000);
});
