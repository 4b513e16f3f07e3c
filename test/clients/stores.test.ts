// The stores of Apollo Client and urql with the printed configuration: fields that find a node by its id are served
// from what was read.
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ApolloClient, gql, HttpLink, InMemoryCache, type InMemoryCacheConfig } from "@apollo/client";
import { Client, fetchExchange } from "@urql/core";
import { cacheExchange, type GraphCacheConfig } from "@urql/exchange-graphcache";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { clientFiles } from "#src/cli/printed/clients.ts";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const { organization, space, reader } = await world.space();
const files = clientFiles(schema);
const contentOf = (path: string) => files.find((file) => file.path === path)?.content ?? "";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docgraph-stores-"));
  await symlink(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A printed module, loaded as a frontend loads it. */
async function load<Module>(name: string): Promise<Module> {
  const file = join(folder, `${name}.mjs`);
  await writeFile(file, stripTypeScriptTypes(contentOf(`${name}.ts`)));
  return (await import(pathToFileURL(file).href)) as Module;
}

type Ask = (query: string, id: string) => Promise<unknown>;

/** A client of each kind; `sent` gets each request. */
const clients: Record<string, (sent: string[]) => Promise<Ask>> = {
  async apollo(sent) {
    const config = await load<InMemoryCacheConfig>("apollo");
    const cache = new InMemoryCache({ possibleTypes: config.possibleTypes, typePolicies: config.typePolicies });
    const client = new ApolloClient({
      cache,
      link: new HttpLink({ uri: `${app.url}/graphql`, fetch: recorded(sent) }),
    });
    return async (query, id) => (await client.query({ query: gql(query), variables: { id } })).data;
  },
  async urql(sent) {
    const { keys, resolvers } = await load<GraphCacheConfig>("graphcache");
    const description = JSON.parse(contentOf("graphcache.schema.json")) as GraphCacheConfig["schema"];
    const client = new Client({
      url: `${app.url}/graphql`,
      preferGetMethod: false,
      fetch: recorded(sent),
      exchanges: [cacheExchange({ keys, resolvers, schema: description }), fetchExchange],
    });
    return async (query, id) => (await client.query<unknown>(query, { id }).toPromise()).data;
  },
};

const recorded =
  (sent: string[]): typeof fetch =>
  (url, init) => {
    sent.push(JSON.stringify(init));
    const headers = { ...(init?.headers as Record<string, string>), authorization: `Bearer ${reader.token}` };
    return fetch(url, { ...init, headers });
  };

const readAll = `query ($id: ID!) {
  organization(id: $id) { id title spaces(first: 9) { edges { node { __typename id title } } } }
}`;

/** What is asked afterwards, for which id, with its answer. */
const served = [
  ["node", `query ($id: ID!) { node(id: $id) { __typename id ... on Space { title } } }`, space.id],
  ["space", `query ($id: ID!) { space(id: $id) { __typename id title } }`, space.id],
  ["organization", `query ($id: ID!) { organization(id: $id) { __typename id title } }`, organization.id],
] as const;

test.each(Object.entries(clients))(
  "%s serves fields with an id from its store, and requests the others",
  async (_name, make) => {
    const sent: string[] = [];
    const ask = await make(sent);
    await ask(readAll, organization.id);
    expect(sent).toHaveLength(1);
    for (const [field, query, id] of served)
      expect(await ask(query, id)).toMatchObject({ [field]: { id, title: expect.any(String) as string } });
    expect(sent).toHaveLength(1);

    expect(await ask(`query ($id: ID!) { space(id: $id) { id emoji } }`, space.id)).toMatchObject({
      space: { emoji: expect.anything() as string },
    });
    expect(sent).toHaveLength(2);
    for (const id of [newId("Space"), newId("Page"), "unknown"])
      for (const time of [1, 2])
        expect([time, await ask(`query ($id: ID!) { node(id: $id) { id } }`, id)]).toEqual([time, { node: null }]);
    expect(sent).toHaveLength(5);
  },
);
