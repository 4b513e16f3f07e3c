// Events of installations: each once, in the order of the changes, and only those that they may receive.
import { expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { beginSegment } from "#src/events/segments.ts";
import { features } from "#src/features/index.ts";
import { readUndelivered } from "#src/features/integrations/commands/enqueue-events.ts";
import { addInstallation, addIntegration, addIntegrationEvent } from "#test/features/integrations/factory.ts";
import { installed, settled } from "#test/features/integrations/runs.ts";
import { post } from "#test/live/requests.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ deliveryMs: 50, pollMs: 20 });
const at = { app, world };
const reads = { scopes: ["space:content:read"] };
const script = "export function handle() {}";

type Facts = Record<string, string>;

/** The events of an installation, once there are `count`. */
async function receivedBy(installationId: string, count: number) {
  const events = await settled(app, installationId, Infinity, count);
  return events.map(({ type, payload }) => [type, payload as Facts] as const);
}

/** Sends a request as a user, and returns the body. */
const sender =
  (token: string) =>
  async (method: string, path: string, body?: object): Promise<Facts> => {
    const answer = await app.as(token).rest(method, path, body && { body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body as Facts;
  };

test("events are enqueued as changes happen, with ids and never with text that users wrote", async () => {
  const { installation, organization, space, admin } = await installed(at, { script, integration: reads });
  const send = sender(admin.token);
  const path = `/v1/spaces/${space.id}`;
  const { id: changeRequestId = "" } = await send("POST", `${path}/change-requests`, { subject: "Hidden subject" });
  const ofChange = `${path}/change-requests/${changeRequestId}`;
  await send("PATCH", ofChange, { status: "open" });
  const edit = `mutation ($input: EditContentInput!) { editContent(input: $input) { revision { id } } }`;
  const input = { contentOf: { changeRequestId }, edits: [{ createPage: { title: "Hidden title" } }] };
  const { errors } = await app.as(admin.token).graphql(edit, { input });
  expect(errors).toBeUndefined();
  const { id: commentId = "" } = await send("POST", `${ofChange}/comments`, { body: { markdown: "Hidden text" } });
  await send("PUT", `${ofChange}/comments/${commentId}`, { resolved: true });
  const { id: commentReplyId = "" } = await send("POST", `${ofChange}/comments/${commentId}/replies`, {
    body: { markdown: "Hidden reply" },
  });
  const { revision: revisionId = "" } = await send("POST", `${ofChange}/merge`);
  const received = await receivedBy(installation.id, 8);
  const where = { organizationId: organization.id, spaceId: space.id };
  const of = { ...where, changeRequestId };
  expect(received).toEqual([
    ["change_request_updated", of],
    ["change_request_opened", of],
    ["change_request_updated", { ...of, revisionId: expect.any(String), revisionBeforeId: expect.any(String) }],
    ["comment_created", { ...of, commentId }],
    ["comment_updated", { ...of, commentId }],
    ["comment_updated", { ...of, commentId, commentReplyId }],
    ["change_request_merged", { ...of, revisionId, mergedRevisionId: expect.any(String) }],
    ["space_content_updated", { ...where, revisionId, revisionBeforeId: expect.any(String) }],
  ]);
  expect(JSON.stringify(received)).not.toMatch(/hidden/i);
});

test("an installation receives events of spaces that it is active on and may read, and not of its own changes", async () => {
  const answering = `export async function handle(event, { api }) {
    await api.rest("POST", "/v1/spaces/" + event.spaceId + "/comments", { body: { markdown: "Heard" } });
  }`;
  const scene = await installed(at, { script: answering, integration: { scopes: ["space:content:write"] } });
  const { organization, space, admin } = scene;
  const deaf = await world.insert((rows) => {
    const organizationId = organization.id;
    const install = (scopes: string[], installation: object, status: "active" | "paused", spaceId = space.id) => {
      const { id: integrationId } = addIntegration(rows, { organizationId, scopes });
      const of = { integrationId, organizationId, scopes };
      const { id: installationId } = addInstallation(rows, { ...of, ...installation });
      rows.add("IntegrationSpace", { id: newId("IntegrationSpace"), installationId, spaceId, status });
      return installationId;
    };
    return [
      install(["openapi:read"], {}, "active"),
      install(reads.scopes, { status: "paused" }, "active"),
      install(reads.scopes, {}, "paused"),
    ];
  });
  const elsewhere = await installed(at, { script, integration: reads });
  const comment = `/v1/spaces/${space.id}/comments`;
  const send = sender(admin.token);
  await send("POST", comment, { body: { markdown: "First" } });
  await receivedBy(scene.installation.id, 1);
  const { id: second } = await send("POST", comment, { body: { markdown: "Second" } });
  const received = await receivedBy(scene.installation.id, 2);
  expect(received.map(([type, { commentId }]) => [type, commentId])[1]).toEqual(["comment_created", second]);
  const where = { installationId: { in: [...deaf, elsewhere.installation.id] } };
  expect(await app.database.prisma.integrationEvent.count({ where })).toBe(0);
});

test("two gateways enqueue each event once, in order", async () => {
  await using other = await testApp({ beside: app, deliveryMs: 50, pollMs: 20 });
  const { installation, space, admin } = await installed(at, { script, integration: reads });
  const path = `/v1/spaces/${space.id}/comments`;
  const writers = times(6, async (writer) => {
    for (const place of times(8, (index) => index)) {
      const body = { body: { markdown: `${writer} ${place}` } };
      const { status } = await (place % 2 ? app : other).as(admin.token).rest("POST", path, { body });
      expect(status).toBe(200);
    }
  });
  await Promise.all(writers);
  const received = (await receivedBy(installation.id, 48)).map(([, { commentId }]) => commentId);
  const committed = await app.database.prisma.outboxEvent.findMany({
    where: { spaceId: space.id, type: "comment.created" },
    orderBy: [{ transactionId: "asc" }, { id: "asc" }],
  });
  expect(received).toEqual(committed.map(({ subjectId }) => subjectId));
});

test("readers that lag by segments of the outbox enqueue every event, in order", async () => {
  const { installation, space, admin } = await installed(at, { script, integration: reads });
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold(`select from "IntegrationFeed" for update`); // so that nothing is enqueued
  const posted: string[] = [];
  for (const _ of times(3, () => 0)) {
    posted.push(await post(app, admin.token, space.id), await post(app, admin.token, space.id));
    expect(await beginSegment(app.database, new Date(Date.now() + 60_000))).toBe(true);
  }
  expect((await readUndelivered(app.database)).unsentSeconds).toBeGreaterThan(0);
  await locks.release();
  expect((await receivedBy(installation.id, 6)).map(([, { commentId }]) => commentId)).toEqual(posted);
});

test("installation events older than 30 days are removed", async () => {
  const { installation, events } = await installed(at, { webhookUrl: "https://hooks.example.com/", events: [{}, {}] });
  const old = new Date(Date.now() - 31 * 24 * 3_600_000);
  const { id } = await world.insert((rows) =>
    addIntegrationEvent(rows, {
      installationId: installation.id,
      status: "success",
      finishedAt: old,
      createdAt: old,
    }),
  );
  const { database } = app;
  const given = { database, clock: { now: () => new Date() }, log: { info: () => undefined } };
  const jobs = features
    .flatMap((feature) => feature.jobs ?? [])
    .filter(({ name }) => name === "integrationEvents.trim");
  for (const job of jobs) await job.run(given as never); // the fields that the job uses
  const kept = await database.prisma.integrationEvent.findMany({ where: { installationId: installation.id } });
  expect(kept.map((event) => event.id).toSorted()).toEqual(events.map((event) => event.id).toSorted());
  expect(kept.map((event) => event.id)).not.toContain(id);
});
