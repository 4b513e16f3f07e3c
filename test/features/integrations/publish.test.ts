// Publishing integrations: the payload, versions, and the latest version of its runtime that an installation runs.
import { expect, test } from "vitest";
import { addInstallation } from "#test/features/integrations/factory.ts";
import { addMember } from "#test/features/members/factory.ts";
import { done } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";
import { nextNumber } from "#test/support/rows.ts";

const { app, world } = await useApp();
const made = await world.organization({ organization: { hostname: "tides.docs.example.com" } });
const { organization, admin, reader } = made;
const client = app.as(admin.token);

const script = "export const handle = () => 1;";
const newName = () => `integration-${nextNumber()}`;
const publish = (name: string, body: object) =>
  client.rest<Record<string, unknown>>("POST", `/v1/integrations/${name}`, {
    body: { organization: organization.id, title: "Tides", script, ...body },
  });

const everything = {
  runtime: "v2",
  title: "Tides",
  description: "When the water is high.",
  summary: "# Tides",
  visibility: "unlisted",
  target: "space",
  scopes: ["space:content:read", "site:visitor:auth"],
  categories: ["visitor-auth", "other"],
  blocks: [
    {
      id: "tide",
      title: "Tide",
      description: "High water",
      icon: "water",
      urlUnfurl: ["https://Tides.example.com/ports/", "https://*.maps.example.com:8443/**"],
      markdown: { codeblock: "tide", body: "port" },
    },
    { id: "plain" },
  ],
  contentSources: [{ id: "months", title: "Months", configuration: { componentId: "pick" } }, { id: "days" }],
  externalLinks: [{ url: "https://tides.example.com/", label: "More" }],
  configurations: {
    account: {
      properties: {
        port: { type: "string", title: "Port", default: "Brest", enum: ["Brest", "Calais"] },
        metres: { type: "number", enum: [1, 2.5] },
        "is/it~": { type: "boolean", default: false, completion_url: "/complete" },
      },
      required: ["port"],
    },
    space: {},
    site: { properties: {} },
  },
  contentSecurityPolicy: "default-src 'none'; img-src https:",
};

test("publishing returns all values, with defaults for the rest, and publishing again replaces them", async () => {
  const name = newName();
  const first = await publish(name, everything);
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({
    object: "integration",
    name,
    version: 1,
    verified: false,
    ...without(everything, "runtime"),
  });
  const second = await publish(name, {});
  expect(second.body).toMatchObject({
    version: 2,
    visibility: "private",
    target: "all",
    scopes: [],
    categories: [],
    blocks: [],
    contentSources: [],
    externalLinks: [],
    configurations: {},
    owner: { id: organization.id },
    permissions: { admin: true, install: true },
  });
  for (const left of ["description", "summary", "contentSecurityPolicy"]) expect(second.body).not.toHaveProperty(left);
  const read = await client.rest("GET", `/v1/integrations/${name}`);
  expect(read.body).toEqual(second.body);
});

const without = (of: object, left: string) => Object.fromEntries(Object.entries(of).filter(([name]) => name !== left));

test("an integration with a block can be found by the block's hosts", async () => {
  const name = newName();
  await publish(name, { ...everything, visibility: "public" });
  const found = async (domain: string) => {
    const { body } = await client.rest<{ items: { name: string }[] }>("GET", `/v1/integrations?blockDomain=${domain}`);
    return body.items.some((item) => item.name === name);
  };
  expect([await found("tides.example.com"), await found("maps.example.com"), await found("example.com")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("the publishing organization is named by its id or its subdomain, and must exist", async () => {
  const name = newName();
  expect((await publish(name, { organization: "Tides" })).body).toMatchObject({ version: 1 });
  expect((await publish(name, { organization: "tide" })).status).toBe(404);
});

test("publishing with a subdomain of several organizations is refused", async () => {
  const [one, other] = [`twin-${nextNumber()}`, await world.organization()];
  await app.database.prisma.organization.update({
    where: { id: other.organization.id },
    data: { hostname: `${one}.docs.example.com` },
  });
  const twin = await world.organization({ organization: { hostname: `${one}.pages.example.com` } });
  await world.insert((rows) =>
    addMember(rows, { organizationId: twin.organization.id, userId: other.admin.id, role: "admin" }),
  );
  const body = { organization: one, title: "Tides", script };
  const answer = await app.as(other.admin.token).rest("POST", `/v1/integrations/${newName()}`, { body });
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining("several organizations")]);
  const byHostname = { ...body, organization: `${one}.Pages.example.com` };
  const published = await app.as(other.admin.token).rest("POST", `/v1/integrations/${newName()}`, { body: byHostname });
  expect(published).toMatchObject({ status: 200, body: { owner: { id: twin.organization.id } } });
});

test("publishing returns 409 for the name of another organization's integration, visible or not", async () => {
  const name = newName();
  const elsewhere = await world.organization();
  await publish(name, {});
  const body = { organization: elsewhere.organization.id, title: "Mine", script };
  const answer = await app.as(elsewhere.admin.token).rest("POST", `/v1/integrations/${name}`, { body });
  expect(answer.status).toBe(409);
  expect((await client.rest("GET", `/v1/integrations/${name}`)).body).toMatchObject({ title: "Tides", version: 1 });
});

test("concurrent publications of a new name each create a version, or conflict with another organization", async () => {
  const name = newName();
  const elsewhere = await world.organization();
  const theirs = { organization: elsewhere.organization.id, title: "Mine", script };
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => publish(name, {})),
    app.as(elsewhere.admin.token).rest("POST", `/v1/integrations/${name}`, { body: theirs }),
  ]);
  const versions = answers.flatMap(({ status, body }) =>
    status === 200 ? [(body as { version: number }).version] : [],
  );
  expect(versions.toSorted((one, other) => one - other)).toEqual(versions.map((_, index) => index + 1));
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
});

/** A script that answers requests with a word and its secrets. */
const answering = (word: string) =>
  `export const handle = (_event, { secrets }) => ({ status: 200, body: "${word} " + JSON.stringify(secrets) });`;

test("an installation runs the latest version of its runtime, with the secrets published last", async () => {
  const name = newName();
  await publish(name, { script: answering("one"), secrets: { KEY: "secret" } });
  const { id } = await app.database.prisma.integration.findUniqueOrThrow({ where: { name } });
  const installation = await world.insert((rows) =>
    addInstallation(rows, { integrationId: id, organizationId: organization.id }),
  );
  const running = async () => (await fetch(`${app.url}/integrations/${name}/${installation.id}/`)).text();
  expect(await running()).toBe('one {"KEY":"secret"}');
  await publish(name, { script: answering("two") });
  expect(await running()).toBe('two {"KEY":"secret"}');
  await publish(name, { runtime: "v2", script: answering("three"), secrets: {} });
  expect(await running()).toBe("two {}");
});

test("versions are listed, latest first, with their URLs for admins only", async () => {
  const name = newName();
  await publish(name, { visibility: "public" });
  const input = { name, organizationId: organization.id, title: "Tides", visibility: "PUBLIC" };
  await done(app, admin.token, "publishIntegration", {
    ...input,
    code: { webhookUrl: "https://hooks.example.com/x?key=1" },
  });
  const document = `{ integration(name: "${name}") { versions { nodes { number runtime scriptSize webhookUrl createdBy { id } integration { name } } } } }`;
  const listed = async (token: string) =>
    (await app.as(token).query<{ integration: { versions: { nodes: object[] } } }>(document)).integration.versions
      .nodes;
  const of = { runtime: "V1", createdBy: { id: admin.id }, integration: { name } };
  const [latest, first] = [
    { number: 2, scriptSize: 0, ...of },
    { number: 1, scriptSize: script.length, webhookUrl: null, ...of },
  ];
  expect(await listed(admin.token)).toEqual([{ ...latest, webhookUrl: "https://hooks.example.com/x?key=1" }, first]);
  expect(await listed(reader.token)).toEqual([{ ...latest, webhookUrl: null }, first]);
  const stranger = await listed((await world.organization()).reader.token);
  expect(stranger).toEqual([latest, first].map((version) => ({ ...version, webhookUrl: null, createdBy: null })));
});

test("deleting an integration removes it everywhere; deleting it again reports that it did not exist", async () => {
  const name = newName();
  await publish(name, {});
  const { id } = await app.database.prisma.integration.findUniqueOrThrow({ where: { name } });
  await world.insert((rows) => addInstallation(rows, { integrationId: id, organizationId: organization.id }));
  const remove = async () => (await client.rest("DELETE", `/v1/integrations/${name}`)).status;
  expect([await remove(), await remove()]).toEqual([205, 204]);
  expect(await app.database.prisma.integrationInstallation.count({ where: { integrationId: id } })).toBe(0);
  expect((await publish(name, {})).body).toMatchObject({ version: 1 });
});

test("publishing and deleting an integration are audited", async () => {
  const name = newName();
  await publish(name, { secrets: { KEY: "hidden" } });
  await client.rest("DELETE", `/v1/integrations/${name}`);
  const { prisma } = app.database;
  const entries = await prisma.auditEntry.findMany({
    where: { organizationId: organization.id },
    orderBy: { id: "asc" },
  });
  const audited = entries
    .filter(({ payload }) => JSON.stringify(payload).includes(`"${name}"`))
    .map(({ type }) => type);
  expect(audited).toEqual(["integration.published", "integration.deleted"]);
  expect(JSON.stringify(entries)).not.toContain("hidden");
});
