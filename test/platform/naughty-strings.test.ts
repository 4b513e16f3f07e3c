// The Big List of Naughty Strings in every id and text of every input: each is refused or accepted without an internal
// error. Every position gets as many as fit in one request, all in turn.
import naughty from "big-list-of-naughty-strings/blns.json" with { type: "json" };
import { type GraphQLField, isInputObjectType } from "graphql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { schema } from "#src/schema.ts";
import { testApp } from "#test/support/app.ts";
import { send } from "#test/support/client.ts";
import { lenientExecutor } from "#test/support/executors.ts";
import { type Fields, fieldsOf, type Position, positionsOf, sampleOf } from "#test/support/access/positions.ts";
import { isFullSize } from "#test/support/runs.ts";
import { createWorld } from "#test/support/world.ts";

const app = await testApp({ executor: lenientExecutor() });
afterAll(() => app.close());
let token: string;
let spaceId: string;
let organizationId: string;

beforeAll(async () => {
  const { admin, space, organization } = await createWorld(app.database).space();
  [token, spaceId, organizationId] = [admin.token, space.id, organization.id];
});

/** The number of strings in one request, and how often each is sent at least. */
const [atOnce, rounds] = isFullSize ? [12, 5] : [2, 1];
/** Values for other inputs. */
const fileless = new Set(["uploadFile", "importContent"]);

type Root = GraphQLField<unknown, unknown>;

/** The inputs of a root field: the fields of its input, or its arguments. */
function takenBy(field: Root): { readonly fields: Fields; readonly isInput: boolean } {
  const type = field.args.find(({ name }) => name === "input")?.type;
  const named = type && "ofType" in type ? type.ofType : type;
  if (isInputObjectType(named)) return { fields: fieldsOf(named.getFields()), isInput: true };
  const args = Object.fromEntries(field.args.map((argument) => [argument.name, argument]));
  return { fields: fieldsOf(args), isInput: false };
}

const known = () => ({ spaceId, organizationId, id: spaceId, email: "somebody@example.com" });

/** The values of a field with a string at a position. */
function valuesWith(fields: Fields, { path }: Position, value: string): Record<string, unknown> {
  return sampleOf(fields, {
    valueFor: (name, scalar) => {
      const ids: Record<string, string> = known();
      if (name in ids) return ids[name];
      return { Int: 1, Float: 1, Boolean: true, DateTime: "2026-01-01T00:00:00Z" }[scalar] ?? "text";
    },
    enumText: (_type, name) => name,
    puts: [{ path, value }],
  });
}

/** A document that selects a field once for each string. */
function asked(kind: "query" | "mutation", field: Root, position: Position, strings: readonly string[]) {
  const { fields, isInput } = takenBy(field);
  const declared = strings.flatMap((_, index) =>
    field.args.map(({ name, type }) => `$${name}${index}: ${String(type)}`),
  );
  const called = strings.map(
    (_, index) =>
      `a${index}: ${field.name}(${field.args.map(({ name }) => `${name}: $${name}${index}`).join(", ")}) { __typename }`,
  );
  const variables = strings.flatMap((text, index): (readonly [string, unknown])[] => {
    const values = valuesWith(fields, position, text);
    return isInput
      ? [[`input${index}`, values]]
      : Object.entries(values).map(([name, value]) => [`${name}${index}`, value]);
  });
  return {
    query: `${kind} (${declared.join(", ")}) { ${called.join(" ")} }`,
    variables: Object.fromEntries(variables),
  };
}

let next = 0;
/** All positions, and those whose input failed schema validation. */
const tally = { positions: 0, unread: 0 };

/** The next strings, as many as fit in one request. */
const turn = (): string[] =>
  Array.from({ length: atOnce }, () => naughty[next++ % naughty.length] ?? "").map((text) => text.slice(0, 20_000));

const roots = [
  ...Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => ["mutation", field] as const),
  ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => ["query", field] as const),
].filter(([, field]) => field.args.length > 0 && !fileless.has(field.name));

test.each(roots.map(([kind, field]) => [kind, field.name, field] as const))("%s %s", async (kind, _name, field) => {
  for (const position of positionsOf(takenBy(field).fields)) {
    const strings = turn();
    const { status, text } = await send(`${app.url}/graphql`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(asked(kind, field, position, strings)),
    });
    const context = `${position.path.join(".")} with ${JSON.stringify(strings)}: ${text.slice(0, 2000)}`;
    expect(status, context).toBe(200);
    expect(text, context).not.toContain('"INTERNAL"');
    expect(JSON.parse(text), context).toBeTypeOf("object");
    tally.positions += 1;
    if (text.includes('"message":"Variable \\"$')) tally.unread += 1;
  }
});

test("every naughty string was sent, and nearly all were returned", () => {
  expect(naughty.length).toBeGreaterThan(400);
  expect(next).toBeGreaterThan(rounds * naughty.length);
  expect(tally.positions).toBeGreaterThan(400);
  expect(tally.unread).toBeLessThan(tally.positions / 10);
});
