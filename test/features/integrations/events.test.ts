// Reading installation events as an admin: lists, single events with their trace, and retries.
import { expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { type TestApp, useApp } from "#test/support/app.ts";
import { installed, settled } from "#test/features/integrations/runs.ts";

const { app, world } = await useApp({ deliveryMs: 50, pollMs: 20 });
const at = { app, world };
const script = `let tries = 0;
export function handle(event) {
  console.warn("Seen", event.place);
  if (event.place === "bad") throw new Error("not today");
}`;
const retry = `mutation ($eventId: ID!) {
  retryIntegrationEvent(input: { eventId: $eventId }) { event { status tries nextTryAt finishedAt } }
}`;

type Client = ReturnType<TestApp["as"]>;
const getting = (client: Client) => async (path: string) => {
  const { status, body } = await client.rest("GET", path);
  return { status, body: body as { items: { id: string }[]; event: object; trace: { logs: object[] } } };
};

test("admins read the events of an installation in /v1, each with its trace", async () => {
  const integration = { visibility: "public" as const };
  const scene = await installed(at, { script, integration, events: [{ place: "good" }, { place: "bad" }] });
  const { id: installationId } = scene.installation;
  await settled(app, installationId);
  const path = `/v1/integrations/${scene.integration.name}/events`;
  const get = getting(app.as(scene.admin.token));
  const list = await get(path);
  const [good, bad] = scene.events;
  expect(list.body.items.map(({ id }) => id)).toEqual([bad?.id, good?.id]);
  expect(list.body.items[1]).toEqual({
    id: good?.id,
    integrationId: scene.integration.id,
    installationId,
    createdAt: expect.any(String),
    payload: { eventId: good?.id, type: "comment_created", installationId, spaceId: scene.space.id, place: "good" },
    status: "success",
  });
  const one = await get(`${path}/${bad?.id}`);
  const line = (level: string, message: string) => ({ level, message, timestamp: expect.any(String) });
  const waits = line("info", expect.stringContaining("It waits for its next try"));
  const said = [line("warn", "Seen bad"), line("error", expect.stringContaining("not today")), waits];
  expect(one.body).toEqual({ event: list.body.items[0], trace: { logs: said } });
  expect((await get(`${path}/${newId("IntegrationEvent")}`)).status).toBe(404);

  // Members who are not admins see none, and neither do admins of other organizations.
  for (const { token } of [scene.reader, scene.creator, scene.outsider]) {
    const others = getting(app.as(token));
    expect((await others(path)).body.items).toEqual([]);
    expect((await others(`${path}/${good?.id}`)).status).toBe(404);
  }
});

test("the publisher of an integration cannot read events of the organizations that install it", async () => {
  const publisher = await world.organization();
  const scene = await installed(at, {
    script,
    integration: { organizationId: publisher.organization.id, visibility: "public" },
    events: [{}],
  });
  await settled(app, scene.installation.id);
  const path = `/v1/integrations/${scene.integration.name}/events`;
  expect((await getting(app.as(publisher.admin.token))(path)).body.items).toEqual([]);
  expect((await getting(app.as(scene.admin.token))(path)).body.items).toHaveLength(1);
});

test("lists of installation events can be filtered by type and status", async () => {
  const scene = await installed(at, { script, events: [{ place: "good" }, { place: "bad" }] });
  await settled(app, scene.installation.id);
  const [good, bad] = scene.events;
  const query = `query ($id: ID!) { node(id: $id) { ... on IntegrationInstallation {
    pending: events(first: 10, status: PENDING) { nodes { id nextTryAt } }
    success: events(first: 10, status: SUCCESS, type: COMMENT_CREATED) { nodes { id installation { id } integration { id } } }
    merged: events(first: 10, type: CHANGE_REQUEST_MERGED) { totalCount }
  } } }`;
  const { data } = await app.as(scene.admin.token).graphql(query, { id: scene.installation.id });
  expect(data?.["node"]).toEqual({
    pending: { nodes: [{ id: bad?.id, nextTryAt: expect.any(String) }] },
    success: {
      nodes: [{ id: good?.id, installation: { id: scene.installation.id }, integration: { id: scene.integration.id } }],
    },
    merged: { totalCount: 0 },
  });
});

test("a failed installation event can be retried at once, and a successful one cannot", async () => {
  const scene = await installed(at, { script, events: [{ place: "bad" }, { place: "good" }] });
  const { database } = app;
  const [bad, good] = scene.events;
  const where = { id: bad?.id ?? "" };
  await settled(app, scene.installation.id, 1);
  const old = { createdAt: new Date(Date.now() - 25 * 3_600_000), nextTryAt: new Date() };
  await database.prisma.integrationEvent.update({ where, data: old });
  await settled(app, scene.installation.id);
  expect((await database.prisma.integrationEvent.findUniqueOrThrow({ where })).status).toBe("failure");
  const as = ({ token }: { token: string }) => app.as(token).graphql(retry, { eventId: bad?.id });
  const { data } = await as(scene.admin);
  expect(data).toEqual({
    retryIntegrationEvent: {
      event: { status: "PENDING", tries: expect.any(Number), nextTryAt: expect.any(String), finishedAt: null },
    },
  });
  await expect
    .poll(async () => (await database.prisma.integrationEvent.findUniqueOrThrow({ where })).status)
    .toBe("failure");
  expect((await database.prisma.integrationEvent.findUniqueOrThrow({ where })).tries).toBe(3);
  const codeOf = ({ errors }: Awaited<ReturnType<typeof as>>) => errors?.[0]?.extensions?.["code"];
  expect(codeOf(await app.as(scene.admin.token).graphql(retry, { eventId: good?.id }))).toBe("CONFLICT");
  await database.prisma.integrationInstallation.update({
    where: { id: scene.installation.id },
    data: { status: "paused" },
  });
  expect(codeOf(await as(scene.admin))).toBe("CONFLICT");
});
