// Spaces and sites on which integrations are installed: all of an organization, as they are added and removed, or
// selected ones.
import { describe, expect, test } from "vitest";
import { purgeDeletedSpaces } from "#src/features/spaces/jobs.ts";
import { addMember } from "#test/features/members/factory.ts";
import { configurations, useInstallations } from "#test/features/integrations/installing.ts";

const { app, world, scene } = await useInstallations();

type Row<Name extends string> = Record<Name, { readonly id: string }>;

test("an installation on all is on present and later spaces and sites, and not on deleted ones", async () => {
  const { install, newSpace, newSite, shown, does } = await scene({ configurations });
  const [space, site] = [await newSpace(), await newSite()];
  const { id, spaces, sites } = await install();
  expect(spaces.nodes).toMatchObject([{ spaceId: space, status: "PENDING", configuration: {} }]);
  expect(sites.nodes).toMatchObject([{ siteId: site, status: "ACTIVE" }]);
  const [second, otherSite] = [await newSpace(), await newSite()];
  const copy = (await does<Row<"space">>("duplicateSpace", { spaceId: space }, "space { id }")).space.id;
  const on = async () => {
    const now = await shown(id);
    expect(now.spaceCount).toBe(now.spaces.nodes.length);
    return [now.spaces.nodes.map(({ spaceId }) => spaceId), now.sites.nodes.map(({ siteId }) => siteId)].map((ids) =>
      ids.toSorted(),
    );
  };
  expect(await on()).toEqual([[space, second, copy].toSorted(), [site, otherSite].toSorted()]);
  await does("deleteSpace", { spaceId: second });
  await does("deleteSite", { siteId: site });
  expect(await on()).toEqual([[space, copy].toSorted(), [otherSite]]);
  await does("restoreSpace", { spaceId: second });
  expect((await on())[0]).toEqual([space, second, copy].toSorted());
});

test("a transferred space leaves the installations of its organization and joins those on all in the new one", async () => {
  const here = await scene();
  const there = await scene();
  await world.insert((rows) =>
    addMember(rows, { organizationId: there.organizationId, userId: here.admin.id, role: "admin" }),
  );
  const [moved, inside] = [await here.newSpace(), await here.newSpace()];
  const { collection } = await here.does<Row<"collection">>(
    "createCollection",
    { organizationId: here.organizationId, title: "A" },
    "collection { id }",
  );
  await here.does("moveSpace", { spaceId: inside, parentId: collection.id });
  const [source, target] = [await here.install(), await there.install()];
  await here.does("transferSpace", { spaceId: moved, organizationId: there.organizationId });
  await here.does("transferCollection", { collectionId: collection.id, organizationId: there.organizationId });
  expect((await here.shown(source.id)).spaces.nodes).toEqual([]);
  const spaceIds = (await there.shown(target.id)).spaces.nodes.map(({ spaceId }) => spaceId);
  expect(spaceIds.toSorted()).toEqual([moved, inside].toSorted());
  const [left] = source.spaces.nodes;
  expect((await app.eventsOf(left?.id ?? "")).map(({ type }) => type)).toEqual([
    "integrationSpace.created",
    "integrationSpace.setUp",
    "integrationSpace.deleted",
  ]);
});

describe("an installation on selected spaces and sites", async () => {
  const { install, newSpace, newSite, shown, does, refusal } = await scene({ configurations });
  const [space, other] = [await newSpace(), await newSpace()];
  const site = await newSite();
  const { id: installationId, ...first } = await install({ spaceSelection: "SELECTED", siteSelection: "SELECTED" });

  test("is on none at first, and not on later ones", async () => {
    await newSpace();
    expect([first.spaces.nodes, first.sites.nodes, (await shown(installationId)).spaces.nodes]).toEqual([[], [], []]);
  });

  test("is added to spaces one by one, with a configuration of its own, and CONFLICT for the second time", async () => {
    const input = { installationId, spaceId: space };
    const fields = "integrationSpace { id spaceId status configuration externalIds }";
    const { integrationSpace } = await does<Row<"integrationSpace">>(
      "installIntegrationOnSpace",
      { ...input, externalIds: ["x"] },
      fields,
    );
    const placed = {
      id: integrationSpace.id,
      spaceId: space,
      status: "PENDING",
      configuration: {},
      externalIds: ["x"],
    };
    expect(integrationSpace).toEqual(placed);
    expect(await refusal("installIntegrationOnSpace", input)).toBe("CONFLICT");
    const change = { integrationSpaceId: integrationSpace.id, configuration: { board: "b" } };
    expect(await does("updateIntegrationSpace", change, fields)).toEqual({
      integrationSpace: { ...placed, status: "ACTIVE", configuration: { board: "b" } },
    });
    expect(await refusal("updateIntegrationSpace", { ...change, configuration: { card: "b" } })).toBe("INVALID_INPUT");
    expect(
      await refusal("installIntegrationOnSpace", { installationId, spaceId: other, configuration: { board: 1 } }),
    ).toBe("INVALID_INPUT");
    const removal = { integrationSpaceId: integrationSpace.id };
    const removed = await does("uninstallIntegrationFromSpace", removal, "deletedId installation { spaceCount }");
    expect(removed).toEqual({ deletedId: integrationSpace.id, installation: { spaceCount: 0 } });
    expect(await does("uninstallIntegrationFromSpace", removal, "deletedId installation { id }")).toEqual({
      deletedId: null,
      installation: null,
    });
  });

  test("is added to sites one by one", async () => {
    const input = { installationId, siteId: site };
    const { integrationSite } = await does<Row<"integrationSite">>(
      "installIntegrationOnSite",
      input,
      "integrationSite { id }",
    );
    expect(await refusal("installIntegrationOnSite", input)).toBe("CONFLICT");
    await does("updateIntegrationSite", { integrationSiteId: integrationSite.id, externalIds: ["y"] });
    expect((await shown(installationId)).sites.nodes).toMatchObject([{ siteId: site, externalIds: ["y"] }]);
    await does("uninstallIntegrationFromSite", { integrationSiteId: integrationSite.id });
    expect((await shown(installationId)).sites.nodes).toEqual([]);
  });

  test("changed to all is on all; changed back it stays there, and can then be removed", async () => {
    await does("updateInstallation", { installationId, spaceSelection: "ALL" });
    const { spaces } = await shown(installationId);
    expect(spaces.nodes).toHaveLength(3);
    const integrationSpaceId = spaces.nodes[0]?.id;
    expect(await refusal("uninstallIntegrationFromSpace", { integrationSpaceId })).toBe("CONFLICT");
    await does("updateInstallation", { installationId, spaceSelection: "SELECTED" });
    expect((await shown(installationId)).spaces.nodes).toHaveLength(3);
    await does("uninstallIntegrationFromSpace", { integrationSpaceId });
    expect((await shown(installationId)).spaces.nodes).toHaveLength(2);
  });

  test("is NOT_FOUND for a space or site of another organization that everyone may see", async () => {
    const elsewhere = await world.site({
      space: { visibility: "public" },
      site: { visibility: "public", published: true },
    });
    expect(await refusal("installIntegrationOnSpace", { installationId, spaceId: elsewhere.space.id })).toBe(
      "NOT_FOUND",
    );
    expect(await refusal("installIntegrationOnSite", { installationId, siteId: elsewhere.site.id })).toBe("NOT_FOUND");
  });
});

test.each([
  ["space", 1, 0],
  ["site", 0, 1],
  ["organization", 0, 0],
] as const)("an integration for the target %s is on %i spaces and %i sites", async (target, onSpaces, onSites) => {
  const { install, newSpace, newSite, shown, refusal } = await scene({ target });
  const [spaceId, siteId] = [await newSpace(), await newSite()];
  const { id: installationId } = await install();
  const { spaces, sites } = await shown(installationId);
  expect([spaces.nodes.length, sites.nodes.length]).toEqual([onSpaces, onSites]);
  expect(await refusal("installIntegrationOnSpace", { installationId, spaceId })).toBe("CONFLICT");
  expect(await refusal("installIntegrationOnSite", { installationId, siteId })).toBe("CONFLICT");
});

test("/v1 lists spaces and sites of an installation by id, or whole with expand, as far as members may see them", async () => {
  const { install, newSpace, newSite, does, integration, admin, reader, outsider, installed } = await scene();
  const [space, site] = [await newSpace(), await newSite()];
  const { id: installation, spaces } = await install();
  await does("updateSpace", { spaceId: space, visibility: "PRIVATE", openToMembers: false });
  await does("updateIntegrationSpace", { integrationSpaceId: spaces.nodes[0]?.id, externalIds: ["here"] });
  const list = async (token: string, query: string) =>
    (
      await app
        .as(token)
        .rest<{ items: object[]; count: number }>("GET", `/v1/integrations/${integration.name}/${query}`)
    ).body;
  const item = (rest: "spaces" | "sites", id: string) => ({
    integration: integration.name,
    installation,
    status: "active",
    configuration: {},
    externalIds: rest === "spaces" ? ["here"] : [],
    urls: {
      location: `${app.url}/v1/integrations/${integration.name}/${rest}`,
      publicEndpoint: `${app.url}/integrations/${integration.name}/${installation}/${rest}/${id}`,
      publicContentEndpoint: `${app.url}/integrations/${integration.name}/${installation}/${rest}/${id}`,
    },
  });
  expect(await list(admin.token, "spaces")).toEqual({ items: [{ ...item("spaces", space), space }], count: 1 });
  expect(await list(admin.token, "sites?expand=false")).toEqual({
    items: [{ ...item("sites", site), site }],
    count: 1,
  });
  const whole = async (path: string) => (await app.as(admin.token).rest("GET", path)).body;
  expect(await list(admin.token, "spaces?expand=true&externalId=here")).toEqual({
    items: [{ ...item("spaces", space), space: await whole(`/v1/spaces/${space}`) }],
    count: 1,
  });
  expect(await list(admin.token, "sites?expand=true")).toEqual({
    items: [{ ...item("sites", site), site: await whole(`/v1/orgs/${installed.organizationId}/sites/${site}`) }],
    count: 1,
  });
  expect(await list(admin.token, "spaces?externalId=there")).toEqual({ items: [], count: 0 });
  expect((await list(reader.token, "spaces")).count).toBe(0);
  expect((await list(reader.token, "sites")).count).toBe(1);
  expect((await list(outsider.token, "sites")).count).toBe(0);
  const { status } = await app.as(admin.token).rest("GET", `/v1/integrations/${integration.name}/sites?expand=maybe`);
  expect(status).toBe(400);
});

test("a purged space is removed from all installations", async () => {
  const { install, newSpace, shown, does } = await scene();
  const spaceId = await newSpace();
  const { id } = await install();
  await does("deleteSpace", { spaceId });
  await app.database.pool.query(`update "Space" set "deletedAt" = now() - interval '8 days' where id = $1`, [spaceId]);
  await purgeDeletedSpaces(app.database, { now: () => new Date() });
  const { rows } = await app.database.pool.query(`select from "IntegrationSpace" where "spaceId" = $1`, [spaceId]);
  expect([rows.length, (await shown(id)).spaces.nodes]).toEqual([0, []]);
});
