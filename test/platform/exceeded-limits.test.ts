// Operations that exceed a limit: all of their reads share one error, and no work continues after the response.
import { setImmediate } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { createExecutor } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { openEventStream } from "#test/live/event-stream.ts";
import { settled } from "#test/live/outbox.ts";
import { useApp } from "#test/support/app.ts";
import { lockHolder, untilNobodyWaits } from "#test/support/locks.ts";
import { times } from "#test/support/world.ts";
import { multiplyRows } from "#test/support/limits.ts";
import { isFullSize } from "#test/support/runs.ts";

const { app, world } = await useApp({ executor: createExecutor(schema), pollMs: 3_600_000, filesCheckMs: 3_600_000 });

const { organization, admin } = await world.organization();
await world.insert((rows) => times(11, () => addSpace(rows, { organizationId: organization.id })));

// The last rows before the limit are like the first.
beforeEach(() => (isFullSize ? undefined : multiplyRows(8)));

/** Nested lists: eleven rows, each with eleven. */
const nested = (first: number, depth = 8): string =>
  depth === 0 ? "id" : `spaces(first: ${first}) { nodes { organization { ${nested(first, depth - 1)} } } }`;

const tooMuch = "The operation reads more than 100000 rows in total: request smaller pages.";

/** Counts errors created during `work`: those with a stack, and GraphQL errors without a cause. */
async function errorsIn<Result>(work: () => Promise<Result>): Promise<{ errors: number; result: Result }> {
  const captureStackTrace = Error.captureStackTrace.bind(Error);
  const prepareStackTrace = Error.prepareStackTrace?.bind(Error);
  let errors = 0;
  Error.captureStackTrace = (...given) => {
    errors += 1;
    captureStackTrace(...given);
  };
  Error.prepareStackTrace = (error, frames) => {
    errors += 1;
    return prepareStackTrace?.(error, frames) ?? [error, ...frames].map(String).join("\n    at ");
  };
  try {
    return { result: await work(), errors };
  } finally {
    Object.assign(Error, { captureStackTrace, prepareStackTrace });
  }
}

/** Counts statements sent from now on, within more event-loop turns than a statement needs. */
async function statementsAfter(): Promise<number> {
  const before = app.database.counts.sent;
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  return app.database.counts.sent - before;
}

const failing = `x: space(id: "x") { id }`;
const ask = async (query: string, headers: Record<string, string> = {}): Promise<string> => {
  const response = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${admin.token}`, ...headers },
    body: JSON.stringify({ query }),
  });
  return response.text();
};

test.each([
  ["by a plan", `{ organizations { nodes { ${nested(20)} } } }`, {}],
  ["field by field", `{ organizations { nodes { ${nested(20)} } } ${failing} }`, {}],
  [
    "in parts",
    `{ ${failing} ... @defer { organizations { nodes { ${nested(20)} } } } }`,
    { accept: "multipart/mixed" },
  ],
  [
    "in the payload of a mutation",
    `mutation { updateOrganization(input: { organizationId: "${organization.id}", title: "T" }) { organization { ${nested(20)} } } }`,
    {},
  ],
])("a query beyond its rows makes few errors, and no statement after the answer, %s", async (_how, query, headers) => {
  const { result, errors } = await errorsIn(async () => {
    const text = await ask(query, headers);
    return { text, statements: await statementsAfter() };
  });
  expect(result.text).toContain(tooMuch);
  expect(result.text.split(tooMuch)).toHaveLength(2);
  expect(result.statements).toBe(0);
  expect(errors).toBeLessThan(50);
});

test("a compiled query that exceeds its row budget is not run again by the interpreter", async () => {
  const before = app.database.counts.sent;
  expect(await ask(`{ organizations { nodes { ${nested(20)} } } }`)).toContain(tooMuch);
  expect(app.database.counts.sent - before).toBeLessThan(25); // two for each level, and the token
});

test("a subscription message that exceeds its row budget has few errors", async () => {
  const query = `subscription { organizationEvents(of: { organizationId: "${organization.id}" }) { __typename
    ... on OrganizationSettingsChanged { organization { ${nested(20)} } } } }`;
  await settled(app.database.pool);
  const stream = await openEventStream(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${admin.token}` },
    body: JSON.stringify({ query }),
  });
  await stream.next();
  const { result, errors } = await errorsIn(async () => {
    await app
      .as(admin.token)
      .query(
        `mutation { updateOrganization(input: { organizationId: "${organization.id}", title: "U" }) { organization { id } } }`,
      );
    return stream.next();
  });
  expect(result?.data).toContain("The operation reads more than");
  expect(errors).toBeLessThan(50);
  await stream.close();
});

test("after a disconnect nothing is sent, and waiting fields do not fail one by one", async () => {
  const fields = times(100, (index) => `a${index}: comments(first: 1) { nodes { id } }`).join(" ");
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold('lock table "Comment" in access exclusive mode');
  const leaving = new AbortController();
  const { errors } = await errorsIn(async () => {
    const gone = fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${admin.token}` },
      body: JSON.stringify({
        query: `{ organization(id: "${organization.id}") { spaces { nodes { ${fields} } } } ${failing} }`,
      }),
      signal: leaving.signal,
    }).catch(() => {});
    await locks.waiters(1, '%"Comment"%');
    leaving.abort();
    await gone;
    await untilNobodyWaits(app);
    await locks.release();
    expect(await statementsAfter()).toBe(0);
  });
  expect(errors).toBeLessThan(50);
});

test("refuses nested lists of up to 10^15 rows by the cost estimate", async () => {
  const before = app.database.counts.sent;
  const query = `{ organizations { nodes { ${nested(1000)} } } }`;
  expect(await ask(query)).toContain("Request smaller pages, fewer fields of each row, or fewer nested lists.");
  expect(app.database.counts.sent - before).toBeLessThan(3);
});
