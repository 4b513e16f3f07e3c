// docgraph as a subgraph of Apollo Federation 2: composed with another service, and asked through a gateway.
import { getStitchedSchemaFromSupergraphSdl } from "@graphql-tools/federation";
import { assertCompositionSuccess, composeServices } from "@theguild/federation-composition";
import { buildSchema, execute, graphql, parse } from "graphql";
import { expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { createExecutor } from "#src/graph/run/execute.ts";
import { subgraphOf, subgraphText } from "#src/graph/subgraph.ts";
import { schema } from "#src/schema.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ executor: createExecutor(subgraphOf(schema)) });
const { admin, organization, space } = await world.space();
const stranger = await world.space();
const as = app.as(admin.token);

type Entities = readonly (Readonly<Record<string, unknown>> | null)[];

const entities = async (representations: readonly object[], selection: string): Promise<Entities> => {
  const document = `query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename ${selection} } }`;
  return (await as.query<{ _entities: Entities }>(document, { representations }))._entities;
};

test("returns entities in order, with null for those that the viewer does not see, and of another type", async () => {
  const { spaceId, pages } = await makePages(2);
  const [first = "", second = ""] = pages;
  const rows: readonly [__typename: string, id: string, title: string | null][] = [
    ["Space", spaceId, "Guide"],
    ["Page", first, "Page 0"],
    ["Page", second, "Page 1"],
    ["Page", first, "Page 0"],
    ["Space", stranger.space.id, null],
    ["Space", newId("Space"), null],
    ["Page", spaceId, null],
    ["Query", spaceId, null],
    ["Space", "x", null],
  ];
  const found = await entities(
    rows.map(([__typename, id]) => ({ __typename, id })),
    "... on Space { title } ... on Page { title }",
  );
  expect(found).toEqual(rows.map(([__typename, , title]) => title && { __typename, title }));
});

test("rejects representations without a key, too many of them, and visitors", async () => {
  const document = "query ($all: [_Any!]!) { _entities(representations: $all) { __typename } }";
  const cases: readonly [all: readonly unknown[], path: string][] = [
    [[{ __typename: "Space" }], "representations.0"],
    [[{ id: space.id }], "representations.0"],
    [["x"], "representations.0"],
    [[[]], "representations.0"],
    [
      [
        { __typename: "Space", id: space.id },
        { __typename: "Space", id: { a: 1 } },
      ],
      "representations.1",
    ],
    [Array.from({ length: 1001 }, () => ({ __typename: "Space", id: space.id })), "representations"],
  ];
  for (const [all, path] of cases) {
    const { errors } = await as.graphql(document, { all });
    expect(errors).toMatchObject([{ extensions: { code: "INVALID_INPUT", details: [{ path }] } }]);
  }
  for (const field of ["_service { sdl }", "_entities(representations: []) { __typename }"]) {
    const { errors } = await app.as(null).graphql(`{ ${field} }`);
    expect(errors).toMatchObject([{ extensions: { code: "UNAUTHENTICATED" } }]);
  }
});

test("reads entities in one statement for each type, however many", async () => {
  const document =
    "query ($all: [_Any!]!) { _entities(representations: $all) { ... on Space { title } ... on User { displayName } } }";
  const ids = await world.insert((rows) =>
    times(20, (index) => addSpace(rows, { organizationId: organization.id, title: `${index}` }).id),
  );
  const all = [{ __typename: "User", id: admin.id }, ...ids.map((id) => ({ __typename: "Space", id }))];
  for (const count of [2, 3, 21]) expect(await as.statements(document, { all: all.slice(0, count) })).toBe(2);
});

test("without the setting, neither schema nor text has the fields of gateways", async () => {
  expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).not.toContain("_entities");
  const { _service: service } = await as.query<{ _service: { sdl: string } }>("{ _service { sdl } }");
  expect(service.sdl).toBe(subgraphText(schema));
  expect(service.sdl).not.toMatch(/_entities|_service|_Any/);
});

/** A service of others: the number of views of pages. */
const viewsText = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
  type Query { popular: ViewsConnection! }
  type ViewsConnection { nodes: [Page!]! pageInfo: PageInfo! }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type Page @key(fields: "id") { id: ID! views: Int! }
`;

interface Asked {
  readonly document: Parameters<typeof execute>[0]["document"];
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

test("a gateway joins docgraph with another service, with the rights of the caller", async () => {
  const { pages, spaceId } = await makePages(3);
  const { supergraphSdl } = composed();
  const sent: string[] = [];
  const gateway = getStitchedSchemaFromSupergraphSdl({
    supergraphSdl,
    httpExecutorOpts: {
      headers: { authorization: `Bearer ${admin.token}` },
      fetch: (url, init) => {
        sent.push(String(init?.body as string));
        return fetch(url, init as RequestInit);
      },
    },
    onSubschemaConfig: (config) => {
      if (config.name === "VIEWS") config.executor = (asked: Asked) => viewsService(asked, pages) as never;
    },
  });
  const source = `query ($id: ID!) {
    popular { nodes { views title revision { id } } pageInfo { hasNextPage } }
    space(id: $id) { title content { page(by: { path: "page-1" }) { title views } } }
  }`;
  const { data, errors } = await graphql({ schema: gateway, source, variableValues: { id: spaceId } });
  expect(errors).toBeUndefined();
  expect(JSON.parse(JSON.stringify(data))).toMatchObject({
    popular: {
      nodes: pages.map((_, index) => ({ title: `Page ${index}`, views: 7 })),
      pageInfo: { hasNextPage: false },
    },
    space: { title: "Guide", content: { page: { title: "Page 1", views: 7 } } },
  });
  expect(sent.filter((body) => body.includes("_entities"))).toHaveLength(1);
});

function composed(): { supergraphSdl: string } {
  const result = composeServices([
    { name: "docgraph", typeDefs: parse(subgraphText(schema)), url: `${app.url}/graphql` },
    { name: "views", typeDefs: parse(viewsText), url: "http://views.invalid" },
  ]);
  assertCompositionSuccess(result);
  return result;
}

/** The other service, in the process. */
function viewsService({ document, variables }: Asked, pages: readonly string[]) {
  const text = viewsText.replace(/extend schema.*/, "").replaceAll(/@\w+(?:\(fields: "id"\))?/g, "");
  const own = "scalar _Any union _Entity = Page extend type Query { _entities(representations: [_Any!]!): [_Entity]! }";
  const page = (id: string) => ({ __typename: "Page", id, views: 7 });
  return execute({
    schema: buildSchema(`${text} ${own}`),
    document,
    variableValues: variables ?? {},
    rootValue: {
      popular: { nodes: pages.map(page), pageInfo: { hasNextPage: false, hasPreviousPage: false } },
      _entities: ({ representations }: { representations: { id: string }[] }) =>
        representations.map(({ id }) => page(id)),
    },
  });
}

/** A new space with pages, by their ids in the current revision. */
async function makePages(count: number) {
  const own = await world.insert((rows) => addSpace(rows, { organizationId: organization.id, title: "Guide" }));
  const edits = Array.from({ length: count }, (_, index) => newPage(`Page ${index}`, { markdown: "x" }).edit);
  await editAs(as, { spaceId: own.id }, ...edits);
  const { space: read } = await as.query<{ space: { content: { allPages: { id: string }[] } } }>(
    "query ($id: ID!) { space(id: $id) { content { allPages { id } } } }",
    { id: own.id },
  );
  return { spaceId: own.id, pages: read.content.allPages.map(({ id }) => id) };
}
