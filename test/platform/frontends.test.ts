// The client files printed by `npm run print -- --clients`: every type has a key in client stores.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSchema, isInterfaceType, isObjectType, isScalarType } from "graphql";
import { expect, test } from "vitest";
import { clientFiles } from "#src/cli/printed/clients.ts";
import { dataTypes, identityOf } from "#src/cli/printed/stores.ts";
import { schema } from "#src/schema.ts";
import { alertRules } from "#src/reference/alerts.ts";
import { runInTurn } from "#test/support/commands.ts";

const files = clientFiles(schema);
const contentOf = (name: string) => files.find(({ path }) => path === name)?.content ?? "";

test("prints alerts, and every client file under its name, or writes these to a folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "docgraph-frontend-"));
  try {
    const into = join(folder, "src/docgraph");
    const [rules, printed, written, refused] = await runInTurn([
      ["print", "--alerts"],
      ["print", "--clients"],
      ["print", "--clients", "--into", into],
      ["print", "--into", into],
    ]);
    expect([printed, written, refused]).toMatchObject([{ code: 0 }, { code: 0 }, { code: 2 }]);
    expect(rules).toMatchObject({ code: 0, output: alertRules() });
    expect(printed?.output).toBe(files.map(({ path, content }) => `#### ${path}\n${content}\n`).join(""));
    expect((await readdir(into)).toSorted()).toEqual(files.map(({ path }) => path).toSorted());
    for (const { path, content } of files) expect(await readFile(join(into, path), "utf8")).toBe(content);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);

/** Types with an id that are not nodes; `identity.ts` says why. Prefer making a new type a node. */
const others: readonly string[] = [
  "IntegrationBlock",
  "IntegrationContentSource",
  "MemberTeam",
  "OrganizationPreview",
  "PublishedSection",
  "PublishedSectionGroup",
  "PublishedSpace",
  "SiteSigningKey",
  "SsoLogin",
];

test("every type with an id is a node or an event, except those listed", () => {
  const withId = dataTypes(schema).filter((type) => "id" in type.getFields());
  const odd = withId.filter((type) => !type.getInterfaces().some(({ name }) => name === "Node" || name === "Event"));
  expect(odd.map(({ name }) => name)).toEqual(others);
  expect(withId.filter((type) => type.getInterfaces().length > 0).length).toBeGreaterThan(150);
});

test("every node has an id", () => {
  const node = schema.getType("Node");
  if (!isInterfaceType(node)) throw new Error("The schema has no Node.");
  const nodes = schema.getPossibleTypes(node);
  expect(nodes.length).toBeGreaterThan(30);
  for (const type of nodes) expect(String(type.getFields()["id"]?.type)).toBe("ID!");
});

test("deletions are reported by id together with their parent", () => {
  const payloads = dataTypes(schema).filter((type) => type.name.endsWith("Payload") && "deletedId" in type.getFields());
  expect(payloads.length).toBeGreaterThan(15);
  for (const type of payloads) {
    const { deletedId, ...owners } = type.getFields();
    expect([type.name, String(deletedId?.type)]).toEqual([type.name, "ID"]);
    expect(Object.keys(owners).length).toBeGreaterThan(0);
  }
});

test("printing fails for a type without a declared key", () => {
  const type = buildSchema("type Query { a: Int } type Thing { id: ID! }").getType("Thing");
  if (!isObjectType(type)) throw new Error("The schema has no Thing.");
  expect(() => identityOf(type)).toThrow("Thing has an id but is not a node");
});

test("client stores page every connection, keyed by its filter arguments", () => {
  const text = contentOf("apollo.ts");
  const types = [...dataTypes(schema), schema.getQueryType()].filter((type) => type != null);
  const lists = types.flatMap((type) =>
    Object.values(type.getFields()).filter(({ type: of }) => /Connection!?$/.test(String(of))),
  );
  expect(text.split("relayStylePagination(").length - 1).toBe(lists.length);
  expect(contentOf("graphcache.ts").split("relayPagination()").length - 1).toBe(lists.length);
  expect(text).toContain("backlinks: relayStylePagination(),");
  expect(text).toContain('activity: relayStylePagination(["kinds"])');
});

test("the graphcache schema has the same types and fields", () => {
  interface Type {
    readonly name: string;
    readonly fields?: readonly { readonly name: string }[];
  }
  const { __schema: told } = JSON.parse(contentOf("graphcache.schema.json")) as { __schema: { types: Type[] } };
  for (const type of dataTypes(schema)) {
    const found = told.types.find(({ name }) => name === type.name);
    expect(found?.fields?.map(({ name }) => name)).toEqual(Object.keys(type.getFields()));
  }
  expect(contentOf("graphcache.schema.json").length).toBeLessThan(600_000);
});

test("every custom scalar has a TypeScript type", () => {
  const config = JSON.parse(contentOf("codegen.json")) as {
    generates: Record<string, { config: { scalars: object } }>;
  };
  const named = Object.values(config.generates).flatMap(({ config: { scalars } }) => Object.keys(scalars));
  const builtIn = ["Boolean", "Float", "ID", "Int", "String"];
  const own = Object.values(schema.getTypeMap()).filter((type) => isScalarType(type));
  expect(named.toSorted()).toEqual(
    own
      .map(({ name }) => name)
      .filter((name) => !builtIn.includes(name))
      .toSorted(),
  );
});
