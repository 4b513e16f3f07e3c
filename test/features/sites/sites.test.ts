// Sites in GraphQL: every field, the list of an organization with its filters and pages, and the site by its id.
import { describe, expect, it } from "vitest";
import { addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const siteDocument = `query ($id: ID!, $shareKey: String, $organization: ID) {
  site(id: $id, shareKey: $shareKey, organizationId: $organization) {
    object id type title hostname basename visibility published siteSpaceCount createdAt agentsContext organizationId
    icon { images { light dark } emoji } proxy { origin target } adaptiveContent { enabled }
    urls(shareKey: $shareKey) { location app published }
    organization { id }
  }
}`;

describe("Site", () => {
  it("has every field", async () => {
    const { organization, reader, site } = await world.site({
      site: {
        type: "legacy_premium",
        title: "Handbook",
        icon: { icon: { light: "https://example.com/l.png", dark: "https://example.com/d.png" } },
        hostname: "docs.acme.example",
        basename: "handbook",
        proxyOrigin: "acme.example",
        proxyTarget: "/docs",
        adaptiveContentEnabled: true,
        agentsContext: "included",
        createdAt: new Date("2026-01-05T09:00:00.500Z"),
      },
    });
    const answer = await app.as(reader.token).query(siteDocument, { id: site.id });
    expect(answer).toEqual({
      site: {
        object: "site",
        id: site.id,
        type: "LEGACY_PREMIUM",
        title: "Handbook",
        hostname: "docs.acme.example",
        basename: "handbook",
        visibility: "PUBLIC",
        published: true,
        siteSpaceCount: 1,
        createdAt: "2026-01-05T09:00:00.500Z",
        agentsContext: "INCLUDED",
        organizationId: organization.id,
        icon: { images: { light: "https://example.com/l.png", dark: "https://example.com/d.png" }, emoji: null },
        proxy: { origin: "acme.example", target: "/docs" },
        adaptiveContent: { enabled: true },
        urls: {
          location: `${app.url}/v1/orgs/${organization.id}/sites/${site.id}`,
          app: `${app.url}/app/orgs/${organization.id}/sites/${site.id}`,
          published: "https://acme.example/docs",
        },
        organization: { id: organization.id },
      },
    });
  });

  it("has the other form of icon, or none and null fields", async () => {
    const { organization, reader } = await world.organization();
    const [other, bare] = await world.insert((rows) => [
      addSite(rows, { organizationId: organization.id, icon: { emoji: "🦊" } }),
      addSite(rows, { organizationId: organization.id, basename: null, published: false }),
    ]);
    const client = app.as(reader.token);
    expect(await client.query(siteDocument, { id: other.id })).toMatchObject({
      site: {
        icon: { images: null, emoji: "🦊" },
        urls: { published: `${app.url}/published/${other.id}` },
      },
    });
    expect(await client.query(siteDocument, { id: bare.id })).toMatchObject({
      site: { icon: null, proxy: null, basename: null, urls: { published: null } },
    });
  });

  it("shows the published URL of a share-link site only with its key", async () => {
    const { reader, site } = await world.site({ site: { visibility: "share_link", shareKey: "s e/cret" } });
    const published = async (shareKey: string | null) => {
      const { site: found } = await app
        .as(reader.token)
        .query<{ site: { urls: { published: string } } }>(siteDocument, { id: site.id, shareKey });
      return found.urls.published;
    };
    expect(await published(null)).toBeNull();
    expect(await published("wrong")).toBeNull();
    expect(await published("s e/cret")).toBe(`${app.url}/published/${site.id}/s%20e%2Fcret`);
  });

  it("is found in its own organization only", async () => {
    const { organization, elsewhere, reader, site } = await world.site();
    const client = app.as(reader.token);
    expect(await client.query(siteDocument, { id: site.id, organization: organization.id })).toMatchObject({
      site: { id: site.id },
    });
    expect(await client.refusal(siteDocument, { id: site.id, organization: elsewhere.id })).toBe("NOT_FOUND");
    const inside = `query ($organization: ID!, $id: ID!) { organization(id: $organization) { site(id: $id) { id } } }`;
    expect(await client.query(inside, { id: site.id, organization: organization.id })).toEqual({
      organization: { site: { id: site.id } },
    });
    const { site: other } = await world.site();
    expect(await client.refusal(inside, { id: other.id, organization: organization.id })).toBe("NOT_FOUND");
  });
});

const listDocument = `query (
  $id: ID!, $space: ID, $title: String, $published: Boolean, $first: Int, $after: String, $last: Int, $before: String
) {
  organization(id: $id) {
    sites(spaceId: $space, title: $title, published: $published, first: $first, after: $after, last: $last, before: $before) {
      totalCount nodes { title } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

interface Page {
  organization: {
    sites: {
      totalCount: number;
      nodes: { title: string }[];
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
    };
  };
}

async function list(token: string, variables: Record<string, unknown>) {
  const { organization } = await app.as(token).query<Page>(listDocument, variables);
  const { nodes, ...page } = organization.sites;
  return { titles: nodes.map(({ title }) => title), ...page };
}

describe("Organization.sites", () => {
  it("lists sites oldest first, and is paginated in both directions", async () => {
    const { organization, reader } = await world.organization();
    const { id } = organization;
    await world.insert((rows) => times(5, (n) => addSite(rows, { organizationId: id, title: `Site ${n}` })));
    const first = await list(reader.token, { id, first: 2 });
    expect(first).toMatchObject({ titles: ["Site 0", "Site 1"], totalCount: 5 });
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = await list(reader.token, { id, first: 2, after: first.pageInfo.endCursor });
    expect(second).toMatchObject({ titles: ["Site 2", "Site 3"], totalCount: 5 });
    expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const last = await list(reader.token, { id, last: 2 });
    expect(last).toMatchObject({ titles: ["Site 3", "Site 4"] });
    const before = await list(reader.token, { id, last: 2, before: last.pageInfo.startCursor });
    expect(before).toMatchObject({ titles: ["Site 1", "Site 2"] });
    expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
  });

  it("filters by literal text in the title, case-insensitively", async () => {
    const { organization, reader } = await world.organization();
    const { id } = organization;
    const titles = ["Guide 100%", "guide_book", "GUIDEXBOOK", "Back\\slash", "Über uns"];
    await world.insert((rows) => titles.map((title) => addSite(rows, { organizationId: id, title })));
    const by = async (title: string) => (await list(reader.token, { id, title })).titles;
    expect(await by("GUIDE")).toEqual(["Guide 100%", "guide_book", "GUIDEXBOOK"]);
    expect(await by("%")).toEqual(["Guide 100%"]);
    expect(await by("e_b")).toEqual(["guide_book"]);
    expect(await by("k\\s")).toEqual(["Back\\slash"]);
    expect(await by("über")).toEqual(["Über uns"]);
    expect(await by("none")).toEqual([]);
  });

  it("filters by published, and by a space of the site", async () => {
    const { organization, reader, guest, space, site } = await world.site({ site: { title: "Shown" } });
    const { id } = organization;
    const other = await world.insert((rows) => {
      const draft = addSite(rows, { organizationId: id, title: "Draft", published: false });
      const another = addSpace(rows, { organizationId: id });
      addSiteSpace(rows, { siteId: draft.id, spaceId: another.id });
      addSiteSpace(rows, { siteId: site.id, spaceId: space.id });
      return another;
    });
    expect(await list(reader.token, { id, published: true })).toMatchObject({ titles: ["Shown"], totalCount: 1 });
    expect(await list(reader.token, { id, published: false })).toMatchObject({ titles: ["Draft"], totalCount: 1 });
    expect(await list(reader.token, { id, space: space.id })).toMatchObject({ titles: ["Shown"], totalCount: 1 });
    expect((await list(reader.token, { id, space: other.id, published: true })).titles).toEqual([]);
    // The guest sees the public site, but not its private spaces.
    expect((await list(guest.token, { id })).titles).toEqual(["Shown"]);
    expect((await list(guest.token, { id, space: space.id })).titles).toEqual([]);
  });

  it("refuses invalid page arguments", async () => {
    const { organization, reader } = await world.organization();
    for (const bad of [{ first: 0 }, { first: 1001 }, { last: -1 }, { first: 1, last: 1 }, { after: "x" }]) {
      expect(await app.as(reader.token).refusal(listDocument, { id: organization.id, ...bad })).toBe("INVALID_INPUT");
    }
  });
});
