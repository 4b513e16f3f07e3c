// Webhook URLs instead of scripts, development mode, the keys that sign their requests, and secrets at rest.
import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { Secrets } from "#src/base/secrets.ts";
import { systemClock } from "#src/base/time.ts";
import { collectBlobs } from "#src/features/content/commands/collect-garbage.ts";
import { features } from "#src/features/index.ts";
import { resealSecrets } from "#src/jobs/reseal-secrets.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { addInstallation, addIntegrationEvent } from "#test/features/integrations/factory.ts";
import { settled } from "#test/features/integrations/runs.ts";
import { done } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";
import { testSecrets } from "#test/support/test-services.ts";
import { nextNumber } from "#test/support/rows.ts";

const asked: { readonly url: string; readonly body: string; readonly headers: Record<string, string> }[] = [];
const outside: SafeFetch = (url, { body, headers } = {}) => {
  asked.push({ url: String(url), body: String(body), headers: { ...headers } });
  return Promise.resolve({ url: String(url), status: 200, headers: new Headers(), body: Buffer.from("{}") });
};
const { app, world } = await useApp({ fetch: outside, deliveryMs: 50 });
const { organization, admin, reader } = await world.organization();
const client = app.as(admin.token);
const webhookUrl = "https://hooks.example.com/in";
const tunnelUrl = "https://tunnel.example.com/";

const does = <Answer>(mutation: string, input: object, answer: string) =>
  done<Answer>(app, admin.token, mutation, { ...input, answer });

async function publishIntegration(code: object, input: object = {}) {
  const name = `integration-${nextNumber()}`;
  const publication = { name, organizationId: organization.id, title: "Tides", code, ...input };
  const answer = "integration { id } signingKey";
  const publish = () =>
    does<{ integration: { id: string }; signingKey: string | null }>("publishIntegration", publication, answer);
  const { integration, signingKey } = await publish();
  return { id: integration.id, name, signingKey, publish };
}

/** Delivers an event to an installation, and returns the requests with it: other files left events that wait. */
async function deliver(integrationId: string, organizationId = organization.id, allowsDevMode = false) {
  const before = asked.length;
  const { id } = await world.insert((rows) => {
    const installation = addInstallation(rows, { integrationId, organizationId, allowsDevMode });
    addIntegrationEvent(rows, { installationId: installation.id, createdAt: new Date() });
    return installation;
  });
  const [event] = await settled(app, id);
  await app.database.prisma.integrationInstallation.delete({ where: { id } });
  return { status: event?.status, requests: asked.slice(before).filter(({ body }) => body.includes(id)) };
}

test("the signing key of a webhook URL is returned on creation, and a new one replaces it", async () => {
  const { id, name, signingKey, publish } = await publishIntegration({ webhookUrl });
  expect(signingKey).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect((await publish()).signingKey).toBeNull();
  const [first] = (await deliver(id)).requests;
  expect(first?.url).toBe(webhookUrl);
  expect(new Webhook(signingKey ?? "").verify(first?.body ?? "", first?.headers ?? {})).toBeTruthy();
  const rotated = await does<{ signingKey: string }>(
    "rotateIntegrationSigningKey",
    { integrationName: name },
    "signingKey",
  );
  const [second] = (await deliver(id)).requests;
  expect(new Webhook(rotated.signingKey).verify(second?.body ?? "", second?.headers ?? {})).toBeTruthy();
  expect(() => new Webhook(signingKey ?? "").verify(second?.body ?? "", second?.headers ?? {})).toThrow(/signature/i);
});

test("PUT and DELETE turn development mode on and off, idempotently", async () => {
  const { id, name } = await publishIntegration(
    { script: "export const handle = () => null;" },
    { visibility: "PUBLIC" },
  );
  const path = `/v1/integrations/${name}/dev`;
  const put = async (body: object) => (await client.rest("PUT", path, { body })).status;
  const remove = async () => (await client.rest("DELETE", path)).status;
  const shown = async (token: string) =>
    (
      await app
        .as(token)
        .query<{ integration: object }>(`{ integration(name: "${name}") { devMode { tunnelUrl all } } }`)
    ).integration;
  const elsewhere = (await world.organization()).organization.id;
  expect([await remove(), await put({ tunnelUrl }), await put({ tunnelUrl })]).toEqual([204, 204, 204]);
  expect([await shown(admin.token), await shown(reader.token)]).toEqual([
    { devMode: { tunnelUrl, all: false } },
    { devMode: null },
  ]);
  expect((await deliver(id)).requests.map(({ url }) => url)).toEqual([tunnelUrl]);
  expect((await deliver(id, elsewhere)).requests).toEqual([]);
  expect(await put({ tunnelUrl, all: true })).toBe(204);
  expect((await deliver(id, elsewhere)).requests).toEqual([]);
  expect((await deliver(id, elsewhere, true)).requests.map(({ url }) => url)).toEqual([tunnelUrl]);
  expect([await remove(), await remove()]).toEqual([204, 204]);
  expect(await shown(admin.token)).toEqual({ devMode: null });
  expect((await deliver(id)).requests).toEqual([]);
});

test("the signing key of a tunnel is returned in GraphQL if none existed", async () => {
  const { name } = await publishIntegration({ script: "export const handle = () => null;" });
  const input = { integrationName: name, tunnelUrl };
  const set = () => does<{ signingKey: string | null }>("setIntegrationDevMode", input, "signingKey");
  expect((await set()).signingKey).toMatch(/^whsec_/);
  expect((await set()).signingKey).toBeNull();
});

test.each([
  [400, { tunnelUrl: "tunnel" }],
  [400, { tunnelUrl: "file:///etc/passwd" }],
  [400, { tunnelUrl: null }],
  [400, { tunnelUrl, all: null }],
  [400, {}],
  [400, { tunnelUrl, other: 1 }],
])("returns %i for a development mode of %j", async (status, body) => {
  const { name } = await publishIntegration({ webhookUrl });
  expect((await client.rest("PUT", `/v1/integrations/${name}/dev`, { body })).status).toBe(status);
});

test("secrets and keys are encrypted, and re-encrypted with a new key", async () => {
  const { id, signingKey } = await publishIntegration({ webhookUrl }, { secrets: { KEY: "a secret" } });
  const stored = async () => {
    const { secrets, signingKey: key } = await app.database.prisma.integration.findUniqueOrThrow({ where: { id } });
    return [Buffer.from(secrets ?? []), Buffer.from(key ?? [])] as const;
  };
  const before = await stored();
  for (const sealed of before) expect(sealed.includes("secret") || sealed.includes("whsec_")).toBe(false);
  const [fresh, old] = [randomBytes(32), Buffer.alloc(32, "test key")];
  const columns = features.flatMap(({ secrets = [] }) => secrets);
  const { database, files, fetch } = app;
  const context = { database, files, fetch, clock: systemClock, log: pino({ level: "silent" }) };
  await resealSecrets(new Secrets([fresh, old]), columns).run({ ...context, readTxtRecords: async () => [] });
  const [secrets, key] = await stored();
  const columnOf = (column: string) => ({ table: "Integration", column });
  const withFresh = new Secrets([fresh]);
  expect(withFresh.open(columnOf("secrets"), id, secrets)).toBe('{"KEY":"a secret"}');
  expect(withFresh.open(columnOf("signingKey"), id, key)).toBe(signingKey);
  expect(() => testSecrets.open(columnOf("secrets"), id, secrets)).toThrow(/SECRETS_KEY/);
});

test("scripts and images stay in the storage while they are used, and are then removed", async () => {
  const icon = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><title>Kept</title></svg>').toString("base64");
  const { id, name } = await publishIntegration({ script: "export const handle = () => 'kept';" }, { icon });
  const { blobs, versions } = await app.database.prisma.integration.findUniqueOrThrow({
    where: { id },
    include: { versions: true },
  });
  const hashes = [...blobs, ...versions.map(({ script }) => script ?? "")];
  const later = { now: () => new Date(Date.now() + 2 * 24 * 3_600_000) };
  const kept = async () => {
    await collectBlobs(app.database, app.files, later);
    return Promise.all(hashes.map(async (hash) => (await app.files.find(hash)) !== null));
  };
  expect(await kept()).toEqual([true, true]);
  await client.rest("DELETE", `/v1/integrations/${name}`);
  expect(await kept()).toEqual([false, false]);
});
