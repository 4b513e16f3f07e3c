// Documents without an API token: those without a public field are not parsed, and refused ones are rate-limited.
import { expect, test, vi } from "vitest";
import { createExecutor } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const executor = createExecutor(schema);
const prepare = vi.spyOn(executor, "prepare");
const { app, world } = await useApp({ executor, trustedProxies: ["127.0.0.1"] });

const ask = async (query: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, wait: response.headers.get("retry-after"), text: await response.text() };
};

const open = "ssoLogins";

const from = (address: string) => ({ "x-forwarded-for": address });

/** A document of 53,000 characters. */
const long = (inner: string, index: number) =>
  `query Q${index} { ${inner} viewer { ${times(3_500, (alias) => `a${alias}: displayName`).join(" ")} } }`;

test("a document without a public field is refused without being parsed", async () => {
  prepare.mockClear();
  for (const index of times(70, (each) => each)) expect((await ask(long("", index))).status).toBe(401);
  expect(prepare).not.toHaveBeenCalled();
});

test("the 61st refused document of a client in a minute is not parsed, but those of others are", async () => {
  const closed = (index: number) => `mutation M${index} { ${open}: updateViewer(input: {}) { user { id } } }`;
  prepare.mockClear();
  for (const index of times(60, (each) => each))
    expect((await ask(index % 2 ? closed(index) : `{ ${open} `, from("192.0.2.1"))).status).not.toBe(429);
  expect(prepare).toHaveBeenCalledTimes(60);
  const refused = await ask(closed(60), from("192.0.2.1"));
  expect(refused.status).toBe(429);
  expect(Number(refused.wait)).toBeGreaterThan(1);
  expect(refused.text).toMatch(
    /Send an API token: without one, documents of one client may be refused at most 60 times per minute\. Try again in \d+ seconds\./,
  );
  expect(prepare).toHaveBeenCalledTimes(60);
  expect((await ask(closed(61), from("192.0.2.2"))).status).not.toBe(429);
});

test("known documents and requests with a token do not count", async () => {
  const { reader } = await world.organization();
  const known = `query Known { ${open}(organizationId: "x") { __typename } }`;
  const client = from("192.0.2.3");
  expect((await ask(known, client)).status).toBe(200);
  for (const index of times(60, (each) => each)) await ask(`{ ${open} a${index} `, client);
  expect((await ask(`{ ${open} b`, client)).status).toBe(429);
  expect((await ask(known, client)).status).toBe(200);
  expect((await ask(`{ ${open} b`, { ...client, authorization: `Bearer ${reader.token}` })).status).toBe(200);
});
