// Paging: every connection of the schema returns its second row after the cursor of the first and vice versa, and every
// list of /v1 continues at `next.page`. The cases are generated from the schema and the routes.
import { getNamedType, isEnumType, isInterfaceType, isNonNullType, isObjectType, type GraphQLArgument } from "graphql";
import { beforeAll, expect, test } from "vitest";
import { kindOfNode, partsOfId } from "#src/base/ids.ts";
import { features } from "#src/features/index.ts";
import { schema } from "#src/schema.ts";
import { useApp, type Client } from "#test/support/app.ts";
import type { GraphqlClient } from "#test/support/client.ts";
import { makeEdgeCaseWorld } from "#test/support/edge-case-world.ts";
import { readIds, valuesIn } from "#test/support/known-values.ts";
import type { ValuesFor } from "#test/support/random-arguments.ts";
import { addSecondRows } from "#test/support/second-rows.ts";
import { allFields, coordinateOf, objectTypesOf, type Step, typesWithWays } from "#test/support/schema-paths.ts";

// On its own database: reads objects of all tables by their first ids.
const { app, world } = await useApp({ own: true });

let as: Client;
let direct: GraphqlClient;
/** Values of path parameters. */
let parameters: Readonly<Record<string, readonly string[]>>;
let valuesFor: ValuesFor;
beforeAll(async () => {
  const made = await makeEdgeCaseWorld(app, world);
  as = app.as(made.admin.token);
  direct = app.direct(made.admin.token);
  const second = await addSecondRows(app, world, made);
  const first = [...second, ...made.first];
  const ids = await readIds(app.database, first);
  const files = first.filter((id) => kindOfNode(id) === "File"); // composite ids of a revision, which no column stores
  valuesFor = valuesIn(new Map([...ids, ["File", [...files, ...(ids.get("File") ?? [])]]]), new Map());
  const names = await app.database.prisma.integration.findMany({
    where: { id: { in: [...(ids.get("Integration") ?? [])] } },
  });
  const specs = await app.database.prisma.openApiSpec.findMany();
  parameters = {
    ...Object.fromEntries(
      [...ids].map(([kind, of]) => [`${kind.charAt(0).toLowerCase()}${kind.slice(1)}Id`, of.slice(0, 12)]),
    ),
    organizationId: ids.get("Organization")?.slice(0, 1) ?? [],
    userId: [made.admin.id],
    installationId: ids.get("IntegrationInstallation")?.slice(0, 12) ?? [],
    pageId: first.flatMap((id) => partsOfId("Page", id)?.id ?? []),
    integrationName: names.map(({ name }) => name),
    specSlug: specs.map(({ slug }) => slug),
  };
});

const connections = allFields(schema).filter(({ field }) => {
  const type = getNamedType(field.type);
  return isObjectType(type) && "pageInfo" in type.getFields() && field.args.some(({ name }) => name === "after");
});

const nodeType = schema.getType("Node");
const nodeNames = isInterfaceType(nodeType) ? schema.getPossibleTypes(nodeType).map(({ name }) => name) : [];
const waysTo = typesWithWays(schema);

/** A path to a selection of a type: the parts of the document before and after it. */
interface Way {
  readonly before: string;
  readonly behind: string;
}

/** Paths to objects of a type: by id for nodes, and by fields of others. */
function* waysOf(type: Step["type"], depth = 0): Generator<Way> {
  if (type === schema.getQueryType()) yield { before: "{", behind: "}" };
  if (!isObjectType(type) || depth > 3) return;
  const [argument] = schema.getQueryType()?.getFields()["nodes"]?.args ?? [];
  if (argument && nodeNames.includes(type.name)) {
    const ids = JSON.stringify(valuesFor({ field: "Query.nodes", argument, answers: [type] }));
    yield { before: `{ nodes(ids: ${ids}) { ... on ${type.name} {`, behind: "} } }" };
  }
  for (const step of waysTo.get(type) ?? [])
    for (const { before, behind } of waysOf(step.type, depth + 1))
      for (const given of argumentsOf(step)) {
        const isAbstract = getNamedType(step.field.type) !== type;
        const [open, close] = isAbstract ? [`... on ${type.name} {`, "}"] : ["", ""];
        yield { before: `${before} ${step.field.name}${given} { ${open}`, behind: `${close} } ${behind}` };
      }
}

const most = 4;

/** Variants of the arguments that a field needs. */
function argumentsOf(step: Step, rest = ""): string[] {
  const needed = step.field.args.filter(
    ({ name, type, defaultValue }) =>
      (isNonNullType(type) && defaultValue === undefined) || ["id", "slug"].includes(name),
  );
  const values = needed.map((argument) =>
    valuesFor({ field: coordinateOf(step), argument, answers: objectTypesOf(schema, step.field) }).filter(
      (value) => value !== null,
    ),
  );
  const count = needed.length === 0 ? 1 : most;
  return Array.from({ length: count }, (_, index) => {
    const given = needed.map(
      (argument, at) => `${argument.name}: ${literal(argument, values[at]?.[index] ?? values[at]?.[0])}`,
    );
    const all = [...given, rest].filter((text) => text !== "").join(", ");
    return all === "" ? "" : `(${all})`;
  });
}

function literal({ type }: GraphQLArgument, value: unknown): string {
  if (isEnumType(getNamedType(type))) return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, one]) => `${name}: ${JSON.stringify(one)}`);
  return `{ ${fields.join(", ")} }`;
}

interface Found {
  readonly edges: readonly { readonly cursor: string }[];
}

/** All values under a key of a response, with their paths. */
function* under(key: string, value: unknown, path: readonly string[] = []): Generator<[path: string, of: Found]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, of] of Object.entries(value)) {
    if (name === key && of !== null) yield [path.join("."), of as Found];
    else yield* under(key, of, [...path, name]);
  }
}

const cursorsOf = ({ edges }: Found) => edges.map(({ cursor }) => cursor);

const fields = "{ totalCount edges { cursor } pageInfo { hasNextPage hasPreviousPage } }";

/** A list with two rows: its document for any arguments, its path, and the cursors of the two. */
async function findTwo(step: Step) {
  for (const { before, behind } of waysOf(step.type))
    for (const given of argumentsOf(step, "first: 2")) {
      const document = (lists: (name: string, paging: string) => string) =>
        `${before} ${lists(step.field.name, given)} ${behind}`;
      const { data } = await direct.graphql<object>(document((name) => `page: ${name}${given} ${fields}`));
      const found = [...under("page", data)].find(([, page]) => page.edges.length === 2);
      if (found) return { document, path: found[0], cursors: cursorsOf(found[1]) };
    }
  return null;
}

/** The problem of the pages of a list; null if they are fine. */
async function faultOf(step: Step): Promise<string | null> {
  const two = await findTwo(step);
  if (!two) return "has no two rows in this world: add them to second-rows.ts";
  const [first = "", second = ""] = two.cursors;
  const { data, errors } = await direct.graphql<object>(
    two.document((field, given) => {
      const on = given.replace("first: 2", `first: 1, after: ${JSON.stringify(first)}`);
      const back = given.replace("first: 2", `last: 1, before: ${JSON.stringify(second)}`);
      return `on: ${field}${on} ${fields} back: ${field}${back} ${fields}`;
    }),
  );
  const at = (key: string) =>
    [...under(key, data)].flatMap(([path, page]) => (path === two.path ? cursorsOf(page) : []));
  if (String([at("on"), at("back")]) === String([second, first])) return null;
  return `does not answer the row after or before the other: ${JSON.stringify(errors)}`;
}

test("every connection returns the second row after the first, and the first before the second", async () => {
  const faults: string[] = [];
  for (const step of connections) {
    const fault = await faultOf(step);
    if (fault !== null) faults.push(`${coordinateOf(step)} ${fault}`);
  }
  expect(connections.length).toBeGreaterThan(90);
  expect(faults).toEqual([]);
});

/** A page of a list of /v1. */
interface RestPage {
  readonly count: number;
  readonly items: readonly unknown[];
  readonly next?: { readonly page: string };
}

/** The paths of a route with parameter values, for existing parents only. */
async function* pathsOf(path: string): AsyncGenerator<string> {
  const [, before = "", name] = /^(.*?)\{(\w+)\}/.exec(path) ?? [];
  if (name === undefined) return void (yield path);
  for (const value of parameters[name] ?? []) {
    const filled = path.replace(`{${name}}`, value);
    const isLast = !filled.includes("{");
    if (isLast || (await as.rest("GET", `${before}${value}`)).status === 200) yield* pathsOf(filled);
  }
}

const lists = features.flatMap(({ routes }) => routes).filter(({ list }) => list);

test.each(lists.map(({ operationId, path }) => [operationId, path]))(
  "%s returns its second item at `next.page`",
  async (_, path) => {
    for await (const filled of pathsOf(path)) {
      const ask = (query: string) => as.rest<RestPage>("GET", `${filled}?query=guide&${query}`);
      const both = await ask("limit=2");
      if (both.status !== 200 || both.body.items.length < 2) continue;
      const [first, second] = both.body.items;
      const start = await ask("limit=1");
      expect(start.body.items).toEqual([first]);
      const next = await ask(`limit=1&page=${start.body.next?.page}`);
      expect([next.status, next.body.items]).toEqual([200, [second]]);
      return;
    }
    expect.fail(`No ${path} has two items in this world: add rows to second-rows.ts`);
  },
);
