// A published site as a visitor reads it: its structure, pages by path, files and site map.
import { describe, expect, it } from "vitest";
import { giveFiles } from "#test/features/content/factory.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const structureDocument = /* GraphQL */ `
  query ($by: PublishedSiteKey!) {
    publishedSite(by: $by) {
      siteId
      site {
        title
        siteSpaceCount
        urls {
          published
        }
      }
      entries {
        __typename
        ... on PublishedSectionGroup {
          title
          sections {
            path
            isDefault
            siteSpaces {
              path
              isDefault
              urls {
                published
              }
            }
          }
        }
        ... on PublishedSection {
          path
        }
        ... on PublishedSpace {
          path
        }
      }
      sectionGroups {
        id
      }
      sections {
        path
      }
      siteSpaces {
        path
      }
      defaultSection {
        path
      }
      defaultSiteSpace {
        path
      }
    }
  }
`;

describe("the structure of a published site", () => {
  it("omits parts hidden by a condition, and computes numbers, defaults and order from the rest", async () => {
    const { siteId, outsider, sectionGroupId } = await makePublished(app, world);
    expect(await app.as(outsider.token).query(structureDocument, { by: { id: siteId } })).toEqual({
      publishedSite: {
        siteId,
        site: { title: "Docs", siteSpaceCount: 1, urls: { published: `${app.url}/published/${siteId}` } },
        entries: [
          {
            __typename: "PublishedSectionGroup",
            title: "Start",
            sections: [
              {
                path: "docs",
                isDefault: true,
                siteSpaces: [
                  {
                    path: "guide",
                    isDefault: true,
                    urls: { published: `${app.url}/published/${siteId}/docs/guide` },
                  },
                ],
              },
            ],
          },
        ],
        sectionGroups: [{ id: sectionGroupId }],
        sections: [{ path: "docs" }],
        siteSpaces: [{ path: "guide" }],
        defaultSection: { path: "docs" },
        defaultSiteSpace: { path: "guide" },
      },
    });
  });

  it("is found by its hostname, and by its basename in an organization", async () => {
    const hostname = "docs.published.example";
    const { siteId, outsider, organization } = await makePublished(app, world, { hostname, basename: "manual" });
    const found = async (by: object) => {
      const { publishedSite } = await app
        .as(outsider.token)
        .query<{ publishedSite: { siteId: string } }>(structureDocument, { by });
      return publishedSite.siteId;
    };
    const organizationHostname = organization.hostname;
    expect(await found({ hostname })).toBe(siteId);
    expect(await found({ hostname: hostname.toUpperCase() })).toBe(siteId);
    expect(await found({ basename: { organizationHostname, basename: "manual" } })).toBe(siteId);
    for (const by of [
      { hostname: "other.published.example" },
      { basename: { organizationHostname: "other", basename: "manual" } },
      { basename: { organizationHostname, basename: "other" } },
    ])
      expect(await app.as(outsider.token).refusal(structureDocument, { by })).toBe("NOT_FOUND");
  });

  it("is visible to members only while it is not published", async () => {
    const { siteId, outsider, reader, guest } = await makePublished(app, world, { published: false });
    const document = `{ publishedSite(by: { id: "${siteId}" }) { site { published siteSpaceCount urls { published } } } }`;
    expect(await app.as(reader.token).query(document)).toEqual({
      publishedSite: { site: { published: false, siteSpaceCount: 1, urls: { published: null } } },
    });
    for (const { token } of [outsider, guest]) expect(await app.as(token).refusal(document)).toBe("NOT_FOUND");
  });

  it("is visible with the key of a share-link site, whose URLs include the key", async () => {
    const { siteId, outsider } = await makePublished(app, world, { visibility: "share_link", shareKey: "the-key" });
    const document = `query ($shareKey: String) { publishedSite(by: { id: "${siteId}" }, shareKey: $shareKey) { siteSpaces { urls { published } } } }`;
    const client = app.as(outsider.token);
    expect(await client.query(document, { shareKey: "the-key" })).toEqual({
      publishedSite: { siteSpaces: [{ urls: { published: `${app.url}/published/${siteId}/the-key/docs/guide` } }] },
    });
    for (const shareKey of [null, "", "the-kez"])
      expect(await client.refusal(document, { shareKey })).toBe("NOT_FOUND");
  });

  it("is the same in /v1", async () => {
    const { siteId, organizationId, elsewhere, outsider, reader, spaces } = await makePublished(app, world);
    const path = (organization: string) => `/v1/orgs/${organization}/sites/${siteId}/published`;
    const read = (token: string) =>
      app.as(token).rest<{ structure: { structure: unknown[] } }>("GET", path(organizationId));
    const ofOutsider = await read(outsider.token);
    expect(ofOutsider).toMatchObject({
      status: 200,
      body: {
        object: "published-content-site",
        site: { object: "site", id: siteId, siteSpaces: 1, published: true },
        structure: {
          type: "sections",
          structure: [
            {
              object: "site-section",
              path: "docs",
              default: true,
              draft: false,
              siteSpaces: [{ object: "site-space", path: "guide", default: true, draft: false }],
            },
          ],
        },
      },
    });
    expect(JSON.stringify(ofOutsider.body)).not.toMatch(/condition|internal|notes|"space":/);
    expect((await app.as((await world.organization()).reader.token).rest("GET", path(elsewhere.id))).status).toBe(404);
    expect((await read(reader.token)).status).toBe(200);
    expect(await app.as(null).rest("GET", path(organizationId))).toMatchObject({ status: 200, body: ofOutsider.body });
    expect((await app.as(null).rest("GET", path(elsewhere.id))).status).toBe(404);
    const query = encodeURIComponent(`{ publishedSite(by: { id: "${siteId}" }) { siteId } }`);
    const answer = await fetch(`${app.url}/graphql?query=${query}`, { headers: { accept: "application/json" } });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
    expect(JSON.stringify((await app.as(reader.token).rest("GET", path(organizationId))).body)).not.toContain(
      spaces.notes.id,
    );
  });
});

it("a published site hides groups from outsiders if all of their sections have a condition", async () => {
  const { siteId, sectionGroupId, sections, outsider, reader } = await makePublished(app, world);
  const document = `{ site(id: "${siteId}") { sectionGroups { totalCount nodes { id } } } node(id: "${sectionGroupId}") { id } }`;
  const groupsFor = async (token: string) => (await app.as(token).graphql<object>(document)).data;
  const all = {
    site: { sectionGroups: { totalCount: 1, nodes: [{ id: sectionGroupId }] } },
    node: { id: sectionGroupId },
  };
  expect(await groupsFor(outsider.token)).toEqual(all);
  const update = { where: { id: sections.docs }, data: { condition: "visitor.claims.staff" } };
  await app.database.prisma.siteSection.update(update);
  expect(await groupsFor(outsider.token)).toEqual({
    site: { sectionGroups: { totalCount: 0, nodes: [] } },
    node: null,
  });
  expect(await groupsFor(reader.token)).toEqual(all);
});

describe("the pages of a published site", () => {
  const pageDocument = `query ($id: ID!, $path: String!) { publishedSite(by: { id: $id }) { page(path: $path) {
    path title markdown document level hidden noRobotsIndex siteSpace { path } breadcrumbs { path } previous { path } next { path } urls { published }
  } } }`;

  it("are found by their paths, in which the default can be omitted", async () => {
    const { siteId, outsider } = await makePublished(app, world);
    const at = async (path: string) =>
      (
        await app
          .as(outsider.token)
          .query<{ publishedSite: { page: { path: string } } }>(pageDocument, { id: siteId, path })
      ).publishedSite.page;
    expect(await at("docs/guide/setup")).toMatchObject({
      path: "docs/guide/setup",
      title: "Setup",
      markdown: "Text of guide\n",
      document: { object: "document" },
      level: 1,
      hidden: false,
      noRobotsIndex: false,
      siteSpace: { path: "guide" },
      breadcrumbs: [],
      previous: { path: "docs/guide/welcome" },
      next: null,
      urls: { published: `${app.url}/published/${siteId}/docs/guide/setup` },
    });
    for (const path of ["", "/", "docs", "docs/guide", "/docs/guide/", "docs/guide/welcome"])
      expect((await at(path)).path).toBe("docs/guide/welcome");
  });

  it("are not found below hidden parts, like unknown paths", async () => {
    const { siteId, outsider, reader } = await makePublished(app, world);
    for (const path of [
      "docs/inside/setup",
      "docs/inside",
      "team",
      "team/notes/setup",
      "api",
      "api/internal/setup",
      "no",
      "docs/guide/no",
    ])
      for (const { token } of [outsider, reader]) {
        const { errors } = await app.as(token).graphql(pageDocument, { id: siteId, path });
        expect(errors?.map(({ message }) => message)).toEqual(["The page does not exist or is not visible to you."]);
      }
  });

  it("are in the site map, and link only to visible files", async () => {
    const { siteId, outsider, spaces } = await makePublished(app, world);
    const [shown = ""] = await giveFiles(app.database, spaces.guide.revisionId, ["shown.txt"]);
    const [hidden = ""] = await giveFiles(app.database, spaces.inside.revisionId, ["hidden.txt"]);
    const document = `query ($id: ID!, $file: ID!) { publishedSite(by: { id: $id }) {
      siteMap { path updatedAt } file(id: $file) { fileId name size contentType dimensions { width } downloadURL } siteSpaces { pages { path } file(id: $file) { name } } } }`;
    const client = app.as(outsider.token);
    const { publishedSite } = await client.query<{ publishedSite: { siteMap: { path: string }[] } }>(document, {
      id: siteId,
      file: shown,
    });
    expect(publishedSite).toMatchObject({
      file: { fileId: shown, name: "shown.txt", downloadURL: expect.stringContaining(`/files/${shown}/`) as unknown },
      siteSpaces: [
        { pages: [{ path: "docs/guide/welcome" }, { path: "docs/guide/setup" }], file: { name: "shown.txt" } },
      ],
    });
    expect(publishedSite.siteMap.map(({ path }) => path)).toEqual(["docs/guide/welcome", "docs/guide/setup"]);
    const refused = `query ($file: ID!) { publishedSite(by: { id: "${siteId}" }) { file(id: $file) { name } } }`;
    for (const file of [hidden, "fil_nothing"]) expect(await client.refusal(refused, { file })).toBe("NOT_FOUND");
  });

  it("lists a part of the site map, and refuses parts outside the limits", async () => {
    const { siteId } = await makePublished(app, world);
    const document = `query ($first: Int, $skip: Int!) {
      publishedSite(by: { id: "${siteId}" }) { siteMap(first: $first, skip: $skip) { path } }
    }`;
    const paths = async (part: Record<string, unknown>) => {
      const { publishedSite } = await app
        .as(null)
        .query<{ publishedSite: { siteMap: { path: string }[] } }>(document, part);
      return publishedSite.siteMap.map(({ path }) => path);
    };
    const [welcome, setup] = ["docs/guide/welcome", "docs/guide/setup"];
    expect(await paths({ first: 1, skip: 0 })).toEqual([welcome]);
    expect(await paths({ first: 1000, skip: 1 })).toEqual([setup]);
    expect(await paths({ skip: 2 })).toEqual([]);
    for (const part of [{ first: 0, skip: 0 }, { first: 1001, skip: 0 }, { skip: -1 }])
      expect(await app.as(null).refusal(document, part)).toBe("INVALID_INPUT");
  });
});
