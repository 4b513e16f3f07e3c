// A gateway that is killed (-9) while it translates, processes a specification and delivers events of an integration:
// each of them continues after the restart. One gateway does all three, and so does the next one.
import { afterAll, beforeAll, expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addIntegrationEvent } from "#test/features/integrations/factory.ts";
import { installed, settled } from "#test/features/integrations/runs.ts";
import { openDesk as openSpecs, processSpecs } from "#test/features/openapi/processing.ts";
import { smallDocument } from "#test/features/openapi/factory.ts";
import { serveEngine } from "#test/features/translations/engine-server.ts";
import { openDesk as openTranslation } from "#test/features/translations/running.ts";
import { listen } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";
import { httpClient } from "#test/support/client.ts";
import { startGateway, stopStarted } from "#test/support/docgraph-process.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

// Has its own database: gateways run everything that is due in the whole database.
const { app, world } = await useApp({ own: true, pollMs: 20 });
const { prisma } = app.database;
afterAll(stopStarted);

const longAgo = new Date(0);

/** A translation whose second page is not translated until `release`. */
async function translation() {
  const sent: string[] = [];
  const asked = Promise.withResolvers<void>();
  let isHeld = true;
  const never = new Promise<never>(() => {});
  /** It has the API of LibreTranslate. */
  const url = await serveEngine(({ path, body }) => {
    if (path.startsWith("/languages")) return { json: [{ code: "en", name: "English", targets: ["es"] }] };
    const { q } = JSON.parse(body) as { q: string[] };
    if (isHeld && q.includes("Second")) {
      asked.resolve();
      return never;
    }
    sent.push(...q);
    return { json: { translatedText: q.map((text) => text.toUpperCase()) } };
  });
  return {
    engine: `libretranslate+${url}`,
    sent,
    release: () => (isHeld = false),
    async begin() {
      const { organization, space, admin } = await world.space();
      await editAs(app.as(admin.token), { spaceId: space.id }, newPage("First").edit, newPage("Second").edit);
      const desk = await openTranslation(app, { organizationId: organization.id, spaceId: space.id, person: admin });
      await asked.promise;
      return { desk, admin };
    },
  };
}

/** A specification whose source responds to the second request only. */
async function specification() {
  const asked = Promise.withResolvers<void>();
  let requests = 0;
  const port = await serveOnLoopback((_request, response) => {
    requests += 1;
    if (requests === 1) asked.resolve();
    else response.end(JSON.stringify(smallDocument));
  });
  return {
    requests: () => requests,
    async begin(gateway: string) {
      const { organization, creator } = await world.organization();
      const [organizationId, slug] = [organization.id, "harbour"];
      const desk = await openSpecs(app, { organizationId, person: creator });
      const input = { organizationId, slug, source: { url: `http://127.0.0.1:${port}/openapi.json` } };
      const create = `mutation ($input: CreateOpenApiSpecInput!) { createOpenApiSpec(input: $input) { __typename } }`;
      await httpClient(gateway, creator.token).query(create, { input });
      await asked.promise;
      return { desk, slug, find: () => prisma.openApiSpec.findFirstOrThrow({ where: { organizationId } }) };
    },
  };
}

/** The events that have been delivered when a gateway is killed, of twice as many. */
const between = 15;
const kills = sized(1, 3);

/** An integration whose script reports the index of each event. */
async function deliveries() {
  /** In the order in which scripts reported them. */
  const reported: number[] = [];
  let [enough, halfway, written] = [Promise.withResolvers<void>(), 0, 0];
  const port = await serveOnLoopback((request, response) => {
    reported.push(Number(request.url?.slice(1)));
    if (reported.length === halfway) enough.resolve();
    response.end("{}");
  });
  const script = `export async function handle(event) { await fetch("http://127.0.0.1:${port}/" + event.place); }`;
  const { installation, space } = await installed({ app, world }, { script });
  const of = { installationId: installation.id };
  return {
    reported,
    async begin() {
      [enough, halfway] = [Promise.withResolvers(), reported.length + between];
      const payloads = times(2 * between, (index) => ({ spaceId: space.id, place: written + index }));
      written += payloads.length;
      await world.insert((rows) =>
        payloads.forEach((payload) => addIntegrationEvent(rows, { ...of, createdAt: new Date(), payload })),
      );
      await enough.promise;
    },
    expire: () => prisma.integrationInstallation.updateMany({ data: { leaseUntil: longAgo } }),
    settled: () => settled(app, installation.id, Infinity, written),
  };
}

const [translated, specified, delivered] = await Promise.all([translation(), specification(), deliveries()]);

const gateway = () => startGateway(app, { env: { TRANSLATION_URL: translated.engine } });

async function kill(doomed: ReturnType<typeof gateway>): Promise<void> {
  doomed.signal("SIGKILL");
  await doomed.ended;
}

async function interrupted() {
  const first = gateway();
  const { url } = await first.ready();
  const [translating, specifying] = await Promise.all([translated.begin(), specified.begin(url)]);
  await delivered.begin(); // what it delivers does not wait for the end of the gateway
  await kill(first);
  const { desk, admin } = translating;
  const left = { sent: [...translated.sent], seen: await desk.see(), spec: await specifying.find() };
  const due = await processSpecs(app);
  const stream = await listen(app, admin, `translationEvents(of: { translationId: "${desk.id}" })`);
  translated.release();
  // As if their leases had expired.
  await prisma.translation.updateMany({ data: { leaseUntil: longAgo } });
  await prisma.openApiSpec.updateMany({ data: { leaseUntil: longAgo } });
  await delivered.expire();
  const processed = specifying.desk.after(Promise.resolve(), specifying.slug); // the next gateway receives no request
  return { desk, left, due, stream, processed, next: gateway() };
}

let scene: Awaited<ReturnType<typeof interrupted>>;
beforeAll(async () => {
  scene = await interrupted();
}, 90_000);

test("a translation run whose gateway was killed continues after the restart, and sends no segment twice", async () => {
  const { desk, left, stream } = scene;
  expect(left).toMatchObject({ sent: ["First"], seen: { status: "RUNNING", result: { revisionId: null } } });
  // The number of progress events before it is not specified.
  const events = await stream.until("TranslationCompleted");
  expect(events.slice(0, 2)).toMatchObject([
    { __typename: "TranslationProgressed", actor: null, facts: { status: "RUNNING" } },
    { __typename: "TranslationProgressed", actor: null, facts: { status: "RUNNING", donePages: 0, pages: 2 } },
  ]);
  expect(events.at(-1)).toMatchObject({ actor: null, facts: { words: 2, pages: 2, changeRequestId: null } });
  stream.raw.socket.terminate();
  expect(translated.sent).toEqual(["First", "Second"]);
  expect((await desk.pages()).map(({ title }) => title)).toEqual(["FIRST", "SECOND"]);
  expect(await desk.see()).toMatchObject({ status: "COMPLETED", stats: { runs: 1, totalWords: 2 } });
});

test("a specification whose gateway was killed is processed after the start, once", async () => {
  expect(scene.left.spec).toMatchObject({ state: "progress", lastVersionId: null, leaseUntil: expect.any(Date) });
  expect(scene.due).toBe(0); // its lease had not expired yet
  const spec = await scene.processed;
  expect(spec).toMatchObject({ processingState: "COMPLETE", lastProcessErrorCode: null, lastVersion: { number: 1 } });
  expect([specified.requests(), await processSpecs(app)]).toEqual([2, 0]);
  const types = (await app.eventsOf(spec.id)).map(({ type }) => type.replace("openApiSpec.", ""));
  expect(types).toEqual(["created", "progressed", "progressed", "versionAdded", "processed"]);
});

test("integration events are delivered in order, at least once, when gateways are killed", async () => {
  let { next } = scene;
  for (let more = 1; more < kills; more += 1) {
    await delivered.settled();
    await delivered.begin();
    await kill(next);
    await delivered.expire();
    next = gateway();
  }
  const done = await delivered.settled();
  const { reported } = delivered;
  expect(done.map(({ status }) => status)).toEqual(times(2 * between * kills, () => "success"));
  const first = reported.filter((place, index) => reported.indexOf(place) === index);
  expect(first).toEqual([...done.keys()]);
  expect(reported.length - done.length).toBeLessThanOrEqual(kills * 2);
  // Only events under way are delivered again: no event comes after one that follows it.
  for (const [index, place] of reported.entries()) expect(place).toBeGreaterThanOrEqual(reported[index - 1] ?? 0);
  console.log(`${done.length} events, ${kills} kills: ${reported.length - done.length} delivered twice`);
}, 120_000);
