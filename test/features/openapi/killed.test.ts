// A gateway that is killed during the processing of a specification: it continues after the restart, once.
import { afterAll, expect, test } from "vitest";
import { openDesk, processSpecs } from "#test/features/openapi/processing.ts";
import { smallDocument } from "#test/features/openapi/factory.ts";
import { httpClient } from "#test/support/client.ts";
import { makeDataFolder, startGateway, stopStarted } from "#test/support/docgraph-process.ts";
import { useApp } from "#test/support/app.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";

const asked = Promise.withResolvers<void>();
let requests = 0;
/** The first request never gets a response. */
const port = await serveOnLoopback((_request, response) => {
  requests += 1;
  if (requests === 1) asked.resolve();
  else response.end(JSON.stringify(smallDocument));
});

// Has its own database: gateways run everything that is due in the whole database.
const { app, world } = await useApp({ own: true, pollMs: 20 });
const data = await makeDataFolder();
afterAll(async () => {
  await stopStarted();
  await data.remove();
});

const gateway = () => startGateway(app, data);

test("a specification whose gateway was killed is processed after the start, once", { timeout: 60_000 }, async () => {
  const first = gateway();
  const [{ url }, { organization, creator }] = await Promise.all([first.ready(), world.organization()]);
  const { prisma } = app.database;
  const [organizationId, slug] = [organization.id, "harbour"];
  const desk = await openDesk(app, { organizationId, person: creator });
  const input = { organizationId, slug, source: { url: `http://127.0.0.1:${port}/openapi.json` } };
  const create = `mutation ($input: CreateOpenApiSpecInput!) { createOpenApiSpec(input: $input) { __typename } }`;
  await httpClient(url, creator.token).query(create, { input });
  await asked.promise;
  first.signal("SIGKILL");
  await first.ended;
  const found = () => prisma.openApiSpec.findFirstOrThrow({ where: { organizationId } });
  expect(await found()).toMatchObject({ state: "progress", lastVersionId: null, leaseUntil: expect.any(Date) });
  expect(await processSpecs(app)).toBe(0); // its lease has not expired yet
  await prisma.openApiSpec.updateMany({ data: { leaseUntil: new Date(0) } }); // a minute later

  gateway();
  const spec = await desk.after(Promise.resolve(), slug); // the second gateway receives no request
  expect(spec).toMatchObject({ processingState: "COMPLETE", lastProcessErrorCode: null, lastVersion: { number: 1 } });
  expect([requests, await processSpecs(app)]).toEqual([2, 0]);
  const types = (await app.eventsOf(spec.id)).map(({ type }) => type.replace("openApiSpec.", ""));
  expect(types).toEqual(["created", "progressed", "progressed", "versionAdded", "processed"]);
});
