// The section on integrations: events a second through scripts, and the overhead of an event besides its script.
import { pino } from "pino";
import { withOwnDatabase } from "#test/bench/own-database.ts";
import { percentile, table } from "#test/bench/figures.ts";
import { systemClock } from "#src/base/time.ts";
import { newId } from "#src/base/ids.ts";
import { CostQuotas } from "#src/domain/quota.ts";
import { Rate } from "#src/domain/rate.ts";
import { openDatabase } from "#src/db/connection/database.ts";
import {
  deliverDueEvents,
  DeliveryCounts,
  type DeliveryHost,
} from "#src/features/integrations/commands/runs/deliver.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { Turns } from "#src/features/integrations/commands/runs/turns.ts";
import { Sandbox } from "#src/sandbox/sandbox.ts";
import { addInstallation, addIntegration, addIntegrationEvent } from "#test/features/integrations/factory.ts";
import { testSecrets } from "#test/support/test-services.ts";
import { testFolder } from "#test/support/test-files.ts";
import { createWorld, times } from "#test/support/world.ts";

const installations = 8;
const eventsEach = 100;
const script = "export async function handle(event) { return { heard: event.type }; }";
const unlimited = new Rate(new CostQuotas(), { name: "fetches", most: Infinity, what: "" });
/** The target, in milliseconds. */
const overheadTarget = 20;

/** Measures the section on the server of this database. */
export async function measureIntegrations(serverUrl: string, say: (line: string) => void) {
  return withOwnDatabase(serverUrl, "integrations", async (url) => {
    const database = openDatabase({ url });
    const folder = testFolder();
    const host: DeliveryHost = {
      database,
      files: new FolderStore(folder.path),
      fetch: createSafeFetch(),
      secrets: testSecrets,
      visitorTokens: new VisitorTokens({
        database,
        clock: systemClock,
        secrets: testSecrets,
        fetch: createSafeFetch(),
      }),
      clock: systemClock,
      log: pino({ level: "silent" }),
      sandbox: new Sandbox(),
      deliveries: new DeliveryCounts(),
      turns: new Turns({ scriptsAtOnce: 4 }),
      tunnels: { fetch: createSafeFetch(), mayReach: () => Promise.resolve(true) },
      fetches: { ofInstallation: unlimited, ofOrganization: unlimited },
      answerApi: () => Promise.resolve({ ok: false, message: "There is none here." }),
      addresses: () => ({ publicUrl: "https://docs.example.com", endpoint: () => "" }),
    };
    try {
      say("integrations: alone, then through the database");
      const alone = await overheads(host.sandbox);
      return report(alone, await perSecond(host));
    } finally {
      await host.sandbox.close();
      await database.close();
      await folder.remove();
    }
  });
}

/** Milliseconds of sequential runs, with all overhead. */
async function overheads(sandbox: Sandbox): Promise<number[]> {
  await sandbox.warm();
  const all: number[] = [];
  for (let index = 0; index < 320; index += 1) {
    const begun = performance.now();
    const event = JSON.stringify({ type: "comment_created" });
    await sandbox.run(["bench"], { script, event, context: "{}", environment: "{}" }, () =>
      Promise.resolve({ ok: false, message: "" }),
    );
    if (index >= 20) all.push(performance.now() - begun);
  }
  return all;
}

async function perSecond(host: DeliveryHost): Promise<number> {
  const blob = await host.files.receive([Buffer.from(script)], 1_000);
  await blob.keep();
  const world = createWorld(host.database);
  const { organization } = await world.organization();
  await world.insert((rows) => {
    for (const _ of times(installations, () => 0)) {
      const of = { organizationId: organization.id };
      const { id: integrationId } = addIntegration(rows, of);
      const version = { id: newId("IntegrationVersion"), integrationId, number: 2, runtime: "v1" as const };
      rows.add("IntegrationVersion", { ...version, manifest: {}, script: blob.hash });
      const { id: installationId } = addInstallation(rows, { ...of, integrationId });
      for (const __ of times(eventsEach, () => 0)) addIntegrationEvent(rows, { installationId });
    }
  });
  const begun = performance.now();
  const stopping = new AbortController().signal;
  const serve = async () => {
    while ((await deliverDueEvents(host, stopping)) > 0);
  };
  await Promise.all(times(4, serve));
  const seconds = (performance.now() - begun) / 1000;
  const delivered = await host.database.prisma.integrationEvent.count({ where: { status: "success" } });
  return delivered / seconds;
}

function report(alone: readonly number[], rate: number): { text: string; missed: string[] } {
  const [p50, p99] = [percentile(alone, 50), percentile(alone, 99)];
  const lines = table(
    ["integrations", "measured"],
    [
      ["events a second through a script", rate.toFixed(0)],
      ["an event besides its script, p50", `${p50.toFixed(1)} ms`],
      ["an event besides its script, p99", `${p99.toFixed(1)} ms`],
    ],
  );
  const missed = p50 > overheadTarget ? [`integrations: an event costs ${p50.toFixed(1)} ms besides its script`] : [];
  return { text: lines.join("\n"), missed };
}
