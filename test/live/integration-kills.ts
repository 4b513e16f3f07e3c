// Kills (-9) of a gateway under writes with subscribed installations: each change is delivered, and each installation
// receives them in commit order.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { newId } from "#src/base/ids.ts";
import { openDatabase, sql } from "#src/db/connection/database.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { addInstallation, addIntegration } from "#test/features/integrations/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import type { Comparison } from "#test/live/subscriber-group.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { makeDataFolder, startDocgraph, stopStarted } from "#test/support/docgraph-process.ts";
import { testFolder } from "#test/support/test-files.ts";
import { createWorld, times } from "#test/support/world.ts";

const installations = 20;
const changes = 1_000;
const killEveryMs = 2_000;
const kills = 30;
/** The number of concurrent writers. */
const writers = 4;

/** A server that records the requests of scripts: `/installation/change`. */
async function listen() {
  const received = new Map<string, string[]>();
  const server = createServer((request, response) => {
    const [, of = "", change = ""] = request.url?.split("/") ?? [];
    received.set(of, [...(received.get(of) ?? []), change]);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return { received, port: (server.address() as AddressInfo).port, close: () => server.close() };
}

type Scene = Awaited<ReturnType<typeof fill>>;

/** Writes and kills for a minute, waits for all deliveries, and compares. */
export async function proveIntegrations(say: (line: string) => void): Promise<Comparison> {
  await using postgres = await startOwnPostgres();
  const [folder, data, server] = [testFolder(), await makeDataFolder(), await listen()];
  const database = openDatabase({ url: postgres.url });
  const env = { DATABASE_URL: postgres.url, FILES_DIR: folder.path, ALLOWED_FETCH_HOSTS: "127.0.0.1" };
  const gateway = () =>
    startDocgraph({ env: { ...data.env, ...env, LOG_LEVEL: "warn", INSTALLATION_FETCHES: "1000000" } });
  try {
    const scene = await fill(database, new FolderStore(folder.path), server.port);
    for (const kill of times(kills, (index) => index)) {
      const doomed = gateway();
      const { url } = await doomed.ready();
      const until = Math.ceil((changes * (kill + 1)) / kills);
      const alive = AbortSignal.timeout(killEveryMs);
      await Promise.all([wait(killEveryMs), ...times(writers, () => write(scene, { url, until, alive }))]);

      doomed.signal("SIGKILL");
      await doomed.ended;
    }

    const last = gateway();
    const { url } = await last.ready();
    const alive = AbortSignal.timeout(300_000);
    await Promise.all(times(writers, () => write(scene, { url, until: changes, alive })));

    const committed = await committedIn(database, scene);
    say(`${kills} kills; ${committed.length} changes are committed, and ${scene.written} were answered`);
    const expected = scene.places.map(({ id, spaceIds }) => ({
      id,
      changes: committed.filter(({ spaceId }) => spaceIds.includes(spaceId)).map(({ subjectId }) => subjectId),
    }));
    const isThrough = () => expected.every(({ id, changes }) => missingOf(server.received.get(id), changes) === 0);
    for (const end = Date.now() + 120_000; !isThrough() && Date.now() < end;) await wait(500);
    return compare(server.received, expected, say);
  } finally {
    await stopStarted();
    server.close();
    await database.close();
    await Promise.all([folder.remove(), data.remove()]);
  }
}

/** An organization with as many spaces as installations, each installed on two of them. */
async function fill(database: ReturnType<typeof openDatabase>, files: FileStore, port: number) {
  const script = `export async function handle(event) {
    await fetch("http://127.0.0.1:${port}/" + event.installationId + "/" + event.commentId);
  }`;
  const blob = await files.receive([Buffer.from(script)], 10_000);
  await blob.keep();
  const world = createWorld(database);
  const { organization, admin } = await world.organization();
  const of = { organizationId: organization.id };
  const places = await world.insert((rows) => {
    const spaces = times(installations, () => addSpace(rows, of));
    return spaces.map((space, index) => {
      const integration = addIntegration(rows, { ...of, scopes: ["space:content:read"] });
      const version = { id: newId("IntegrationVersion"), integrationId: integration.id, runtime: "v1" as const };
      rows.add("IntegrationVersion", { ...version, number: 2, manifest: {}, script: blob.hash });
      const { id } = addInstallation(rows, { ...of, integration, integrationId: integration.id });
      const spaceIds = [space.id, spaces[(index + 1) % installations]?.id ?? space.id];
      for (const spaceId of spaceIds)
        rows.add("IntegrationSpace", { id: newId("IntegrationSpace"), installationId: id, spaceId, status: "active" });
      return { id, spaceId: space.id, spaceIds };
    });
  });
  return { token: admin.token, places, sent: 0, written: 0 };
}

/** Comments on one space after the other, until `count` are acknowledged. */
async function write(scene: Scene, at: { url: string; until: number; alive: AbortSignal }): Promise<void> {
  while (scene.written < at.until && !at.alive.aborted) {
    scene.sent += 1;
    const { spaceId } = scene.places[scene.sent % installations] ?? {};
    const answer = await fetch(`${at.url}/v1/spaces/${spaceId}/comments`, {
      method: "POST",
      headers: { authorization: `Bearer ${scene.token}`, "content-type": "application/json" },
      body: JSON.stringify({ body: { markdown: `Comment ${scene.sent}` } }),
      signal: at.alive,
    }).catch(() => null);
    if (answer && !answer.ok) throw new Error(`A comment was answered with ${answer.status}: ${await answer.text()}`);
    if (answer) scene.written += 1;
  }
}

/** The comments in the order in which they were committed. */
function committedIn(database: ReturnType<typeof openDatabase>, { places }: Scene) {
  return database.query<{ subjectId: string; spaceId: string }>(sql`
    select "subjectId", "spaceId" from "OutboxEvent" where type = 'comment.created'
      and "spaceId" = any(${places.map(({ spaceId }) => spaceId)}::text[])
    order by "transactionId", id`);
}

const missingOf = (received: readonly string[] | undefined, wanted: readonly string[]): number =>
  wanted.length - new Set(received).size;

/** Repeated deliveries repeat the latest changes: first deliveries are in the order of changes. */
function compare(
  received: ReadonlyMap<string, readonly string[]>,
  wanted: readonly { readonly id: string; readonly changes: readonly string[] }[],
  say: (line: string) => void,
): Comparison {
  const lists = wanted.map(({ id, changes }) => ({ changes, list: received.get(id) ?? [] }));
  const sum = (count: (of: (typeof lists)[number]) => number) => lists.reduce((total, of) => total + count(of), 0);
  const expected = sum(({ changes }) => changes.length);
  const missing = sum(({ changes, list }) => missingOf(list, changes));
  const twice = sum(({ list }) => list.length - new Set(list).size);
  say(`${expected - missing} of ${expected} delivered, ${twice} of them twice`);
  const isInOrder = ({ changes, list }: (typeof lists)[number]) => {
    const at = list.map((change) => changes.indexOf(change));
    return at.every((place, index) => place >= 0 && (index === 0 || place >= (at[index - 1] ?? 0)));
  };
  return { expected, missing, doubled: 0, hollow: 0, different: lists.filter((of) => !isInOrder(of)).length };
}
