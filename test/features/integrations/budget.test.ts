// Requests of scripts to the gateway are limited like requests of users: in size, concurrency and cost, and by the run.
import { setImmediate as turn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trafficLimits } from "#src/base/limits.ts";
import { CostQuotas } from "#src/domain/quota.ts";
import { createExecutor, type Executor, isOperation } from "#src/graph/run/execute.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { schema } from "#src/schema.ts";
import { giveContent } from "#test/features/content/factory.ts";
import { installed } from "#test/features/integrations/runs.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { type LockHolder, lockHolder, untilNobodyWaits } from "#test/support/locks.ts";

/** Releases the responses that scripts fetch. */
let gate: () => Promise<void> = () => Promise.resolve();
const outside: SafeFetch = async (url) => {
  await gate();
  return { url: String(url), status: 200, headers: new Headers(), body: Buffer.from("") };
};

const atATime = { running: 0, most: 0 };
/** Resolves when two run at the same time. */
const two = Promise.withResolvers<void>();

/** Counts concurrent operations that select `slow`. */
function counting(executor: Executor): Executor {
  const prepare: Executor["prepare"] = (source, name) => {
    const operation = executor.prepare(source, name);
    if (!isOperation(operation) || !source.includes("slow")) return operation;
    const write: typeof operation.write = async (context, variables) => {
      atATime.running += 1;
      atATime.most = Math.max(atATime.most, atATime.running);
      if (atATime.running === 2) two.resolve();
      await two.promise;
      await turn(); // a third one, if allowed, would begin before these end
      atATime.running -= 1;
      return operation.write(context, variables);
    };
    const bound = (value: unknown): unknown =>
      typeof value === "function" ? (value.bind(operation) as unknown) : value;
    const get = (_target: object, key: string): unknown =>
      key === "write" ? write : bound(Reflect.get(operation, key, operation));
    return new Proxy<typeof operation>(operation, { get });
  };
  return { ...executor, prepare };
}

const { app, world } = await useApp({
  fetch: outside,
  executor: counting(createExecutor(schema)),
  limits: { lockTimeoutMs: 60_000, statementTimeoutMs: 60_000 },
});
let holder: LockHolder;
beforeAll(async () => void (holder = await lockHolder(app.databaseUrl)));
afterAll(() => holder[Symbol.asyncDispose]());

/** An installation whose endpoint runs the body of a handler, with the id of its space as `spaceId`. */
async function endpoint(body: string, beside = app) {
  const { space, ...scene } = await world.space();
  const script = `export async function handle(event, { api }) { const spaceId = ${JSON.stringify(space.id)}; ${body} }`;
  const integration = { scopes: ["space:content:write"], organizationId: scene.organization.id };
  const made = await installed(
    { app, world: { ...world, space: async () => ({ space, ...scene }) } },
    { script, integration },
  );
  const url = `${beside.url}/integrations/${made.integration.name}/${made.installation.id}/`;
  return { ...made, url, ask: async () => (await fetch(url)).json() as Promise<unknown> };
}

test("a call of a script stops at the size limit of its response, in GraphQL and REST", async () => {
  const { ask, space } = await endpoint(`
    const texts = await api.graphql("query ($id: ID!) { space(id: $id) { content { allPages { a: markdown b: markdown c: markdown } } } }", { id: spaceId });
    const few = await api.graphql("query ($id: ID!) { space(id: $id) { content { allPages { markdown } } } }", { id: spaceId });
    const page = await api.rest("GET", "/v1/spaces/" + spaceId + "/content");
    return { body: [texts.errors[0].extensions.code, texts.errors[0].message, few.data.space.content.allPages.length, page.status] };`);
  const { revisionId } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } });
  await giveContent(app.database, revisionId, ["One"], "word ".repeat(80_000));
  expect(await ask()).toEqual([
    "INVALID_INPUT",
    "The operation reads more than 1000000 characters of text in total: request fewer texts, or each of them once.",
    1,
    200,
  ]);
});

test("two calls of an installation run concurrently, and the others after them", async () => {
  const { ask } = await endpoint(`
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map(() => api.graphql("query slow { viewer { id } }")));
    return { body: all.filter(({ data }) => data.viewer.id).length };`);
  expect(await ask()).toBe(6);
  expect(atATime.most).toBe(2);
});

test("operations that a run has started are cancelled and rolled back when it ends", async () => {
  const { ask, space } = await endpoint(`
    for (let call = 0; call < 4; call++)
      api.rest("POST", "/v1/spaces/" + spaceId + "/comments", { body: { markdown: "Late" } }).catch(() => {});
    await fetch("https://gate.example.com/");
    return { body: ["done"] };`);
  gate = () => holder.waiters(1);
  await holder.hold(`select from "Space" where id = '${space.id}' for update`);
  expect(await ask()).toEqual(["done"]);
  await untilNobodyWaits(app); // while the lock is taken
  await holder.release();
  expect(await app.database.prisma.comment.count({ where: { spaceId: space.id } })).toBe(0);
});

test("installations have their own quotas, which also count for their organization", () => {
  const costQuotas = new CostQuotas({ installations: { ...trafficLimits.installations, points: 100 } });
  const [one, two, three] = ["one", "two", "three"].map((user) => costQuotas.installationQuotaOf(user, "org"));
  if (!one || !two || !three) throw new Error("There are three accounts.");
  expect(costQuotas.quotaOf("one")).toBe(one);
  costQuotas.spend(one, "", 150);
  expect(() => costQuotas.requirePoints(one)).toThrow(/operations of one installation may cost 100 points per minute/);
  costQuotas.requirePoints(two);
  costQuotas.spend(two, "", 300);
  expect(() => costQuotas.requirePoints(three)).toThrow(
    /operations of the installations of one organization .* 400 points/,
  );
  costQuotas.requirePoints(costQuotas.installationQuotaOf("elsewhere", "another"));
  costQuotas.requirePoints(costQuotas.quotaOf("somebody"));
});

test("an endpoint whose installation has no quota left is answered with 429 with the seconds to wait", async () => {
  const installations = { ...trafficLimits.installations, points: 1 };
  await using poor = await testApp({ beside: app, files: app.files, trafficLimits: { installations } });
  const { url, admin } = await endpoint(`await api.graphql("{ viewer { id } }"); return { body: "done" };`, poor);
  expect((await fetch(url)).status).toBe(200);
  const refused = await fetch(url);
  expect([refused.status, await refused.text()]).toEqual([429, expect.stringMatching(/points per minute/)]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(1);
  // Other clients are not charged for it.
  expect(await poor.as(admin.token).query("{ viewer { id } }")).toEqual({ viewer: { id: admin.id } });
});
