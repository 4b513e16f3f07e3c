// Terms: a publisher's changes of an integration apply in an organization that installed it only after an admin
// there accepts them, and each organization is notified of each version. At the small size fewer
// organizations install it.
import { describe, expect, test } from "vitest";
import { listen, done } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";
import { nextNumber } from "#test/support/rows.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ deliveryMs: null });
const publisher = await world.organization();

/** A script whose endpoint tries to read the space, and to comment on it. */
const trying = (name: string, spaceId: string) => `export async function handle(event, { api }) {
  if (event.type === "ui_render") return { type: "element", element: { type: "block" } };
  const { status } = await api.rest("GET", "/v1/spaces/${spaceId}");
  const made = await api.rest("POST", "/v1/spaces/${spaceId}/comments", { body: { markdown: "From a script" } });
  return { body: "${name} " + status + " " + made.status };
}`;

const answerFields = `installation { id version agreedVersion pinnedVersion scopes contentSecurityPolicy pendingScopes
  pendingContentSecurityPolicy pendingBlocks pendingTarget allowsDevMode spaceCount }`;

interface Terms {
  readonly id: string;
  readonly [name: string]: unknown;
}

/** An integration of the publisher, installed in an organization that has a private space. */
async function scene(first: object = {}) {
  const { space, admin, organization } = await world.space();
  const name = `integration-${nextNumber()}`;
  const publication = { name, organizationId: publisher.organization.id, title: "Assist", visibility: "PUBLIC" };
  const code = { script: trying("script", space.id) };
  const published = (given: object) => ({ ...publication, code, ...given });
  const publish = (given: object) => done(app, publisher.admin.token, "publishIntegration", published(given));
  await publish(first);
  const installed = { integrationName: name, organizationId: organization.id };
  const { installation } = await done<{ installation: Terms }>(app, admin.token, "installIntegration", {
    ...installed,
    answer: answerFields,
  });
  const installationId = installation.id;
  const input = { installationId, answer: answerFields };
  return {
    space,
    admin,
    organization,
    name,
    installation,
    installationId,
    publish,
    published,
    update: async (given: object) =>
      (await done<{ installation: Terms }>(app, admin.token, "updateInstallation", { ...input, ...given }))
        .installation,
    refusal: (given: object) =>
      app
        .as(admin.token)
        .refusal("mutation ($input: UpdateInstallationInput!) { updateInstallation(input: $input) { __typename } }", {
          input: { installationId, ...given },
        }),
    shown: async () =>
      (
        await app
          .as(admin.token)
          .query<{ installation: Terms }>(
            `{ installation: node(id: "${installationId}") { ... on ${answerFields.replace("installation", "IntegrationInstallation")} } }`,
          )
      ).installation,
    asks: async () => {
      const answer = await fetch(`${app.url}/integrations/${name}/${installationId}/`);
      return [await answer.text(), answer.headers.get("content-security-policy")];
    },
    comments: async () => app.database.prisma.comment.count({ where: { spaceId: space.id } }),
    unfurls: async (url: string) =>
      (
        await app.as(admin.token).query<{
          space: { unfurledLink: object | null };
        }>(`{ space(id: "${space.id}") { unfurledLink(url: "${url}") { componentId } } }`)
      ).space.unfurledLink !== null,
  };
}

const [reads, writes] = ["SPACE_CONTENT_READ", "SPACE_CONTENT_WRITE"];

describe("scopes of an installation", () => {
  test("are extended by a version with more scopes only when an admin accepts it", async () => {
    const { publish, asks, comments, shown, update, refusal } = await scene();
    await publish({ scopes: [reads, writes] });
    expect([(await asks())[0], await comments()]).toEqual(["script 404 403", 0]);
    expect(await shown()).toMatchObject({ version: 2, agreedVersion: 1, scopes: [], pendingScopes: [reads, writes] });
    expect([await refusal({ agreedVersion: 1 }), await refusal({ agreedVersion: 3 })]).toEqual([
      "CONFLICT",
      "CONFLICT",
    ]);
    expect(await refusal({ agreedVersion: null })).toBe("INVALID_INPUT");
    expect(await update({ agreedVersion: 2 })).toMatchObject({ scopes: [reads, writes], pendingScopes: [] });
    expect([(await asks())[0], await comments()]).toEqual(["script 200 200", 1]);
  });

  test("end at once when a version no longer requests them, and need acceptance to return", async () => {
    const { publish, asks, shown } = await scene({ scopes: [reads, writes] });
    expect((await asks())[0]).toBe("script 200 200");
    await publish({ scopes: [reads] });
    expect((await asks())[0]).toBe("script 200 403");
    await publish({ scopes: [reads, writes] });
    expect((await asks())[0]).toBe("script 200 403");
    expect(await shown()).toMatchObject({ version: 3, scopes: [reads], pendingScopes: [writes] });
  });

  test("are kept for an installation of another runtime or with a pinned version", async () => {
    const { publish, shown, update } = await scene({ scopes: [reads] });
    await publish({ scopes: [], runtime: "V2" });
    expect(await shown()).toMatchObject({ version: 1, scopes: [reads], pendingScopes: [] });
    await update({ pinnedVersion: 1 });
    await publish({ scopes: [], runtime: "V1" });
    expect(await shown()).toMatchObject({ version: 1, scopes: [reads], pendingScopes: [] });
    expect(await update({ pinnedVersion: null })).toMatchObject({ version: 3, scopes: [] });
  });

  test("are accepted by installing the named version, or CONFLICT is returned", async () => {
    const { publish, name } = await scene();
    await publish({ scopes: [writes] });
    const other = await world.organization();
    const install = (agreedVersion: number) =>
      app
        .as(other.admin.token)
        .graphql(
          "mutation ($input: InstallIntegrationInput!) { installIntegration(input: $input) { installation { scopes } } }",
          { input: { integrationName: name, organizationId: other.organization.id, agreedVersion } },
        );
    expect((await install(1)).errors?.[0]?.extensions.code).toBe("CONFLICT");
    expect((await install(2)).data).toEqual({ installIntegration: { installation: { scopes: [writes] } } });
  });
});

test("another policy, or none, applies after an admin accepts it", async () => {
  const { publish, asks, shown, update } = await scene({ contentSecurityPolicy: "default-src 'none'" });
  const policy = async () => (await asks())[1];
  for (const [version, given] of [
    [2, "default-src *"],
    [3, null],
    [4, "default-src 'self'"],
  ] as const) {
    const before = await policy();
    await publish({ contentSecurityPolicy: given });
    expect(await policy()).toBe(before);
    expect(await shown()).toMatchObject({ pendingContentSecurityPolicy: given ?? "" });
    await update({ agreedVersion: version });
    expect(await policy()).toMatch(given === null ? /^sandbox/ : `${given}; sandbox`);
    expect(await shown()).toMatchObject({ contentSecurityPolicy: given, pendingContentSecurityPolicy: null });
  }
});

test("blocks replace further code and links after an admin accepts them", async () => {
  const block = (codeblock: string, address: string) => ({
    id: codeblock,
    markdown: { codeblock },
    urlUnfurl: [`https://${address}/`],
  });
  const tide = block("tide", "tides.example.com");
  const { publish, shown, update, unfurls, space, admin } = await scene({ blocks: [tide] });
  await done(app, admin.token, "editContent", {
    contentOf: { spaceId: space.id },
    edits: [{ createPage: { title: "Page", markdown: "```tide\n1\n```\n\n```js\n2\n```" } }],
  });
  const drawn = async () => {
    const document = `{ space(id: "${space.id}") { content { allPages { document(renderBlocks: true) } } } }`;
    const text = JSON.stringify(await app.as(admin.token).query(document));
    return [...text.matchAll(/"rendered":\{[^}]*"componentId":"(\w+)"/g)].map(([, id]) => id);
  };
  const links = ["https://tides.example.com/1", "https://wiki.example.com/1"];
  const unfurled = async () => [await unfurls(links[0] ?? ""), await unfurls(links[1] ?? "")];
  await publish({ blocks: [tide, block("js", "wiki.example.com")] });
  expect([await drawn(), await unfurled()]).toEqual([["tide"], [true, false]]);
  expect(await shown()).toMatchObject({ pendingBlocks: ["js", "https://wiki.example.com/"] });
  await update({ agreedVersion: 2 });
  expect([await drawn(), await unfurled()]).toEqual([
    ["tide", "js"],
    [true, true],
  ]);
  expect(await shown()).toMatchObject({ pendingBlocks: [] });
  await update({ pinnedVersion: 1 });
  expect([await drawn(), await unfurled()]).toEqual([["tide"], [true, false]]);
  await update({ pinnedVersion: null });
  expect([await drawn(), await unfurled()]).toEqual([["tide"], [true, false]]);
});

test("a wider target applies to spaces after an admin accepts it", async () => {
  const { publish, shown, update, refusal, installationId, organization, admin } = await scene({ target: "SITE" });
  const { space } = await done<{ space: { id: string } }>(app, admin.token, "createSpace", {
    organizationId: organization.id,
    answer: "space { id }",
  });
  await publish({ target: "ALL" });
  await done(app, admin.token, "createSpace", { organizationId: organization.id });
  await update({ externalIds: ["fills"] });
  expect(await shown()).toMatchObject({ spaceCount: 0, pendingTarget: "ALL" });
  const install = { installationId, spaceId: space.id };
  const onSpace = app
    .as(admin.token)
    .refusal(
      "mutation ($input: InstallIntegrationOnSpaceInput!) { installIntegrationOnSpace(input: $input) { __typename } }",
      {
        input: install,
      },
    );
  expect(await onSpace).toBe("CONFLICT");
  expect(await update({ agreedVersion: 2 })).toMatchObject({ pendingTarget: null });
  expect(await shown()).toMatchObject({ spaceCount: 3 });
  expect(await refusal({ pinnedVersion: 9 })).toBe("INVALID_INPUT");
  await update({ pinnedVersion: 1 }); // which is for sites
  expect(await shown()).toMatchObject({ spaceCount: 0 });
});

test("a pinned version runs with its script and policy, and never with scopes that were not accepted", async () => {
  const { publish, asks, update, shown, space } = await scene({ contentSecurityPolicy: "img-src 'none'" });
  await publish({ code: { script: trying("second", space.id) }, scopes: [reads], contentSecurityPolicy: null });
  expect((await asks())[0]).toBe("second 404 403");
  await update({ agreedVersion: 2 });
  expect((await asks())[0]).toBe("second 200 403");
  await update({ pinnedVersion: 1 });
  expect(await asks()).toEqual(["script 404 403", expect.stringMatching(/^img-src 'none'; sandbox/)]);
  await publish({ code: { script: trying("third", space.id) }, scopes: [writes] });
  expect((await asks())[0]).toBe("script 404 403");
  expect(await update({ pinnedVersion: 2 })).toMatchObject({ scopes: [], pendingScopes: [reads] });
  expect((await asks())[0]).toBe("second 404 403");
  expect(await update({ pinnedVersion: 3, agreedVersion: 3 })).toMatchObject({ scopes: [writes], pendingScopes: [] });
  await update({ pinnedVersion: null });
  expect([(await asks())[0], (await shown())["pinnedVersion"]]).toEqual(["third 200 200", null]);
});

test("PATCH in /v1 accepts terms, pins a version and allows development mode", async () => {
  const { publish, name, installationId, admin } = await scene();
  await publish({ scopes: [reads] });
  const patch = (body: object, of = name, token = admin.token) =>
    app.as(token).rest("PATCH", `/v1/integrations/${of}/installations/${installationId}`, { body });
  const { status, body } = await patch({ agreedVersion: 2, allowsDevMode: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({ agreedVersion: 2, scopes: ["space:content:read"], allowsDevMode: true });
  expect((await patch({ pinnedVersion: 1 })).body).toMatchObject({ version: 1, pinnedVersion: 1, scopes: [] });
  const { body: unpinned } = await patch({ pinnedVersion: null });
  expect(unpinned).toMatchObject({ version: 2 });
  expect(unpinned).not.toHaveProperty("pinnedVersion");
  const refused = [patch({ agreedVersion: 1 }), patch({ pinnedVersion: 9 }), patch({ agreedVersion: 2 }, "another")];
  const byPublisher = patch({ agreedVersion: 2 }, name, publisher.admin.token);
  const statuses = (await Promise.all([...refused, byPublisher])).map((answer) => answer.status);
  expect(statuses).toEqual([409, 400, 404, 404]);
});

describe("announcements of versions", () => {
  test("are emitted in each organization, without the publishing user and IP address", async () => {
    const { publish, admin, organization, installationId } = await scene({ scopes: [reads] });
    const stream = await listen(app, admin, `organizationEvents(of: { organizationId: "${organization.id}" })`);
    const scriptHash = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;
    const facts = { version: 2, runs: true, scopes: [writes], pendingScopes: [writes], scriptHash, webhookHost: null };
    await stream.delivers(publish({ scopes: [writes] }), {
      __typename: "InstallationVersionPublished",
      actor: null,
      facts: { installationId, ...facts },
    });
    await stream.delivers(publish({ code: { webhookUrl: "https://hooks.example.com/secret" }, runtime: "V2" }), {
      __typename: "InstallationVersionPublished",
      actor: null,
      facts: { version: 3, runs: false, scopes: [], scriptHash: null, webhookHost: "hooks.example.com" },
    });
    await stream.end(2);
    const document = `{ organization(id: "${organization.id}") { auditLog(first: 2) { nodes { type subjectId address facts actor { id } } } } }`;
    const { nodes } = (await app.as(admin.token).query<{ organization: { auditLog: { nodes: object[] } } }>(document))
      .organization.auditLog;
    const type = "integrationInstallation.versionPublished";
    const entry = { type, subjectId: installationId, address: null, actor: null };
    expect(nodes).toMatchObject([
      { ...entry, facts: { version: 3, webhookHost: "hooks.example.com" } },
      { ...entry, facts: { version: 2, scopes: ["space:content:write"], scriptHash } },
    ]);
  });

  test("take as many statements with many installations as with one", async () => {
    const { published, name } = await scene({ scopes: [reads, writes] });
    const document = "mutation ($input: PublishIntegrationInput!) { publishIntegration(input: $input) { __typename } }";
    const counted = (scopes: readonly string[]) =>
      app.as(publisher.admin.token).statements(document, { input: published({ scopes }) });
    const one = await counted([reads]);
    const count = sized(9, 39);
    const others = await Promise.all(times(count, () => world.organization()));
    for (const { admin, organization } of others)
      await done(app, admin.token, "installIntegration", { integrationName: name, organizationId: organization.id });
    expect(await counted([])).toBe(one);
    const rows = await app.database.prisma.auditEntry.groupBy({
      by: ["organizationId"],
      where: {
        organizationId: { in: others.map(({ organization }) => organization.id) },
        type: { endsWith: "Published" },
      },
    });
    expect(rows.length).toBe(count);
  });
});
