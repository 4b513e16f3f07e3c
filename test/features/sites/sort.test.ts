// Sorting the whole structure of a site, in GraphQL and /v1: results, refusals, and cost.
import { expect, test } from "vitest";
import { addSection, addSectionGroup, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

/** A site with a group of two sections and one outside it, each with as many spaces under the paths "0", "1" ... */
async function makeScene(size = 2) {
  const { organization, admin } = await world.organization();
  const organizationId = organization.id;
  const made = await world.insert((rows) => {
    const spaceId = addSpace(rows, { organizationId }).id;
    const siteId = addSite(rows, { organizationId, published: false }).id;
    const siteSectionGroupId = addSectionGroup(rows, { siteId }).id;
    const sections = times(3, (index) => {
      const sectionGroupId = index < 2 ? siteSectionGroupId : null;
      const siteSectionId = addSection(rows, { siteId, sectionGroupId, path: `section-${index}` }).id;
      const place = (number: number) =>
        addSiteSpace(rows, { siteId, spaceId, sectionId: siteSectionId, path: String(number) }).id;
      return { siteSectionId, siteSpaceIds: times(size, place) };
    });
    return { siteId, siteSectionGroupId, sections };
  });
  const document = `mutation ($input: SortSiteStructureInput!) { sortSiteStructure(input: $input) { site {
    structureVersion sectionGroups { nodes { sections { nodes { path } } } } sections { nodes { path siteSectionGroupId } }
    siteSpaces { nodes { path siteSectionId } }
  } } }`;
  const sort = (structure: readonly object[], expectedVersion?: number) =>
    app.as(admin.token).graphql<{ sortSiteStructure: { site: object } }>(document, {
      input: { siteId: made.siteId, structure, ...(expectedVersion !== undefined && { expectedVersion }) },
    });
  const [first, second, third] = made.sections as unknown as [Order, Order, Order]; // the order of creation
  const { siteSectionGroupId } = made;
  const group = (...sections: Order[]) => ({ sectionGroup: { siteSectionGroupId, sections } });
  return { organizationId, admin, ...made, first, second, third, group, sort };
}

interface Order {
  readonly siteSectionId: string;
  readonly siteSpaceIds: readonly string[];
}

test("sorting a site moves groups, sections and site spaces as given, and numbers paths that are taken there", async () => {
  const { first, second, third, siteSectionGroupId, group, sort } = await makeScene();
  const [one = "", other = ""] = first.siteSpaceIds;
  const all = { ...third, siteSpaceIds: [one, ...third.siteSpaceIds, other] };
  const structure = [{ section: all }, { section: second }, group({ ...first, siteSpaceIds: [] })];
  const site = {
    structureVersion: 1,
    sectionGroups: { nodes: [{ sections: { nodes: [{ path: "section-0" }] } }] },
    sections: {
      nodes: [
        { path: "section-2", siteSectionGroupId: null },
        { path: "section-1", siteSectionGroupId: null },
        { path: "section-0", siteSectionGroupId: siteSectionGroupId },
      ],
    },
    siteSpaces: {
      nodes: [
        ...["0-2", "0", "1", "1-2"].map((path) => ({ path, siteSectionId: third.siteSectionId })),
        ...["0", "1"].map((path) => ({ path, siteSectionId: second.siteSectionId })),
      ],
    },
  };
  expect((await sort(structure, 0)).data).toEqual({ sortSiteStructure: { site } });
  expect((await sort(structure, 1)).data).toEqual({ sortSiteStructure: { site } });
});

test("sorting a site with an incomplete structure is refused and changes nothing", async () => {
  const { organizationId, siteSectionGroupId, first, second, third, group, sort } = await makeScene();
  const foreign = await makeScene();
  const present = [group(first, second), { section: third }];
  const refused = async (structure: readonly object[], expectedVersion?: number) => {
    const { errors } = await sort(structure, expectedVersion);
    const { code, details = [] } = errors?.[0]?.extensions ?? {};
    return [code, ...details.map(({ path, message }) => `${path} ${message}`)];
  };
  const [one = "", other = ""] = third.siteSpaceIds;
  expect(await refused([group(first), { section: { ...third, siteSpaceIds: [one] } }])).toEqual([
    "CONFLICT",
    `structure omits the section ${second.siteSectionId}, which is on the site.`,
    ...[...second.siteSpaceIds, other].map((id) => `structure omits the site space ${id}, which is on the site.`),
  ]);
  const { siteSectionId } = foreign.first;
  expect(await refused([...present, { section: { siteSectionId, siteSpaceIds: [] } }])).toEqual([
    "CONFLICT",
    `structure/2/section/siteSectionId names the section ${siteSectionId}, which is not on the site.`,
  ]);
  expect(await refused([...present, { section: first }])).toEqual([
    "INVALID_INPUT",
    "structure/2/section/siteSectionId is named twice.",
  ]);
  expect(
    await refused([...present.slice(0, 1), { section: { ...third, siteSpaceIds: [one] } }, { siteSpaceId: other }]),
  ).toEqual([
    "INVALID_INPUT",
    "structure/2/siteSpaceId must be in a section: a site with sections has no site spaces at its root.",
  ]);
  expect(await refused(present.toReversed(), 7)).toEqual(["CONFLICT", "expectedVersion is not 0."]);
  expect(await refused([{ section: third, siteSpaceId: one }])).toEqual(["INVALID_INPUT"]);
  expect(await app.eventsIn(organizationId)).toEqual([]);
  expect(siteSectionGroupId).not.toBe(foreign.siteSectionGroupId);
});

test("sorting a site in /v1 does the same, is marked as an addition, and is named as replacement by the moves", async () => {
  const { organizationId, admin, siteId, siteSectionGroupId, first, second, third, group } = await makeScene();
  const path = `/v1/orgs/${organizationId}/sites/${siteId}`;
  const rest = (method: string, rest: string, body?: object) => app.as(admin.token).rest(method, path + rest, { body });
  const structure = [{ section: third }, group(second, first)];
  const answer = await rest("POST", "/structure/sort", { structure, expectedVersion: 0 });
  expect(answer).toMatchObject({ status: 200, body: { object: "site", id: siteId, structureVersion: 1 } });
  const conflict = await rest("POST", "/structure/sort", { structure: structure.slice(1) });
  expect(conflict).toMatchObject({
    status: 409,
    body: { error: { code: 409, details: [{ path: "/structure" }, {}, {}] } },
  });
  const sections = await rest("GET", "/sections");
  const ids = [third, second, first].map(({ siteSectionId }) => ({ id: siteSectionId }));
  expect(sections.body).toMatchObject({ items: ids });

  const [one, other] = first.siteSpaceIds;
  const besideThird = { type: "site-section", siteSection: third.siteSectionId };
  for (const [what, position, status] of [
    [`/sections/${first.siteSectionId}`, { before: besideThird }, 200],
    [`/sections/${first.siteSectionId}`, {}, 400],
    [`/section-groups/${siteSectionGroupId}`, { before: { type: "site-section", id: third.siteSectionId } }, 200],
    [`/site-spaces/${one}`, { after: { type: "site-space", siteSpace: other } }, 200],
  ] as const) {
    const { headers, ...moved } = await rest("POST", `${what}/move`, { position });
    expect(moved.status).toBe(status);
    expect(headers.get("deprecation")).toBe(`@${Date.UTC(2026, 10, 22) / 1000}`);
    expect(headers.get("link")).toBe(`<${path}/structure/sort>; rel="successor-version"`);
  }
  expect(sections.headers.get("deprecation")).toBeNull();
  const { paths } = (
    await app.as(null).rest<{ paths: Record<string, Record<string, object>> }>("GET", "/v1/openapi.json")
  ).body;
  const site = "/v1/orgs/{organizationId}/sites/{siteId}";
  const deprecated = Object.entries(paths).flatMap(([name, { post }]) => (post && "deprecated" in post ? name : []));
  expect(deprecated).toEqual([
    `${site}/sections/{siteSectionId}/move`,
    `${site}/section-groups/{siteSectionGroupId}/move`,
    `${site}/site-spaces/{siteSpaceId}/move`,
  ]);
  expect(paths[`${site}/structure/sort`]).toMatchObject({ post: { "x-docgraph-addition": true } });
});

test("sorting a site takes the same number of statements for any size", async () => {
  const counts = [];
  for (const size of [2, 20]) {
    const { siteId, admin, first, second, third, group } = await makeScene(size);
    const turned = [first, second, third].map((order) => ({ ...order, siteSpaceIds: order.siteSpaceIds.toReversed() }));
    const [one, two, three] = turned as unknown as [Order, Order, Order];
    const document = `mutation ($input: SortSiteStructureInput!) { sortSiteStructure(input: $input) { site { id } } }`;
    const input = { siteId, structure: [{ section: three }, group(two, one)] };
    counts.push(await app.as(admin.token).statements(document, { input }));
  }
  expect(counts).toEqual([12, 12]);
});
