// Sites in /v1: responses and query parameters of each operation follow the contract. Their effects are
// tested in GraphQL.
import { expect, it } from "vitest";
import { addSite } from "#test/features/sites/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const get = (token: string, path: string) => app.as(token).rest("GET", path);

it("GET of a site in /v1 returns both forms of its icon, and omits unset and unsupported fields", async () => {
  const { organization, reader, site } = await world.site({
    site: {
      type: "legacy_basic",
      visibility: "share_link",
      shareKey: "key",
      icon: { icon: { light: "https://example.com/l.png" } },
      createdAt: new Date("2026-01-05T09:00:00Z"),
      basename: null,
    },
  });
  const path = `/v1/orgs/${organization.id}/sites/${site.id}`;
  const wanted = {
    object: "site",
    id: site.id,
    type: "legacy-basic",
    appliedType: "legacy-basic",
    defaultLevel: "inherit",
    features: [],
    permissions: {
      view: true,
      access: true,
      admin: false,
      edit: false,
      create: false,
      installIntegration: false,
      viewAdaptiveSchema: true,
      editAdaptiveSchema: false,
    },
    title: site.title,
    icon: { icon: { light: "https://example.com/l.png" } },
    visibility: "share-link",
    published: true,
    siteSpaces: 1,
    structureVersion: 0,
    createdAt: "2026-01-05T09:00:00.000Z",
    adaptiveContent: { enabled: false },
    agentsContext: "excluded",
    urls: {
      location: app.url + path,
      app: `${app.url}/app/orgs/${organization.id}/sites/${site.id}`,
      preview: `${app.url}/published/${site.id}`,
    },
  };
  expect(await get(reader.token, path)).toMatchObject({ status: 200, body: wanted });
  expect((await get(reader.token, path)).body).toEqual(wanted);
  expect((await get(reader.token, `${path}?shareKey=key`)).body).toEqual({
    ...wanted,
    urls: {
      ...wanted.urls,
      location: `${app.url}${path}?shareKey=key`,
      published: `${app.url}/published/${site.id}/key`,
    },
  });
  const emoji = await world.insert((rows) => addSite(rows, { organizationId: organization.id, icon: { emoji: "🦊" } }));
  expect((await get(reader.token, `/v1/orgs/${organization.id}/sites/${emoji.id}`)).body).toMatchObject({
    icon: { emoji: "🦊" },
  });
});

it("GET of a share-link site in /v1 is open to outsiders with its key, in its own organization only", async () => {
  const of = await world.site({ site: { visibility: "share_link", shareKey: "key of outsiders" } });
  const { organization, elsewhere, outsider, site } = of;
  for (const rest of ["", "/sections", "/site-spaces"]) {
    const path = `/sites/${site.id}${rest}?shareKey=key%20of%20outsiders`;
    expect((await get(outsider.token, `/v1/orgs/${organization.id}${path}`)).status).toBe(200);
    expect((await get(outsider.token, `/v1/orgs/${elsewhere.id}${path}`)).status).toBe(404);
    expect((await get(outsider.token, `/v1/orgs/${organization.id}/sites/${site.id}${rest}`)).status).toBe(404);
  }
});

it("GET of sections and groups in /v1 returns their contents as plain arrays", async () => {
  const { organization, reader, site, section, sectionGroup, siteSpace, space } = await world.site();
  const path = `/v1/orgs/${organization.id}/sites/${site.id}`;
  const published = `${app.url}/published/${site.id}/${section.path}`;
  const wantedSiteSpace = {
    object: "site-space",
    id: siteSpace.id,
    path: siteSpace.path,
    section: section.id,
    space: expect.objectContaining({ object: "space", id: space.id, visibility: "in-collection" }),
    title: siteSpace.title,
    default: true,
    draft: false,
    urls: { published: `${published}/${siteSpace.path}` },
  };
  const wantedSection = {
    object: "site-section",
    id: section.id,
    title: section.title,
    default: true,
    draft: false,
    path: section.path,
    sectionGroup: sectionGroup.id,
    siteSpaces: [wantedSiteSpace],
    urls: { published },
  };
  const wantedGroup = {
    object: "site-section-group",
    id: sectionGroup.id,
    title: sectionGroup.title,
    draft: false,
    sections: [wantedSection],
    children: [wantedSection],
  };
  const list = async (rest: string) => (await get(reader.token, `${path}${rest}`)).body;
  expect(await list("/sections")).toEqual({ items: [wantedSection], count: 1 });
  expect(await list("/section-groups")).toEqual({ items: [wantedGroup], count: 1 });
  expect(await list("/site-spaces")).toEqual({ items: [wantedSiteSpace], count: 1 });
  expect(await list("/site-spaces?default=false")).toEqual({ items: [], count: 0 });
});

it("GET of sites in /v1 has the filters of the contract", async () => {
  const { organization, reader, site, space } = await world.site();
  const list = async (query: string) => (await get(reader.token, `/v1/orgs/${organization.id}/sites?${query}`)).body;
  const one = { items: [expect.objectContaining({ id: site.id })], count: 1 };
  expect(await list(`space=${space.id}&published=true&title=${site.title.toUpperCase().replace(" ", "+")}`)).toEqual(
    one,
  );
  expect(await list("published=false")).toEqual({ items: [], count: 0 });
  expect(await get(reader.token, `/v1/orgs/${organization.id}/sites?published=yes`)).toMatchObject({ status: 400 });
});
