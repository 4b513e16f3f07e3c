// Rate limits of requests to public endpoints and of scripts to other servers, and the log of failures.
import pino from "pino";
import { expect, test, vi } from "vitest";
import { trafficLimits } from "#src/base/limits.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { installed } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

/** Hosts that were requested. */
const asked: string[] = [];
const outside: SafeFetch = async (url) => {
  asked.push(new URL(String(url)).hostname);
  return { url: String(url), status: 200, headers: new Headers(), body: Buffer.from('{"body":"drawn"}') };
};
const lines: Record<string, unknown>[] = [];
const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
const installations = { ...trafficLimits.installations, requestsOfClient: 3, requests: 5, fetches: 2 };
const { app, world } = await useApp({
  fetch: outside,
  log,
  deliveryMs: 50,
  trustedProxies: ["127.0.0.1"],
  trafficLimits: { installations },
});

const script = `export async function handle({ request }, { configuration }) {
  if (request.path.startsWith("/boom")) throw new Error("secret detail");
  if (request.path.startsWith("/own")) return { status: 503, body: "mine" };
  const made = [];
  for (const host of (request.query.hosts ?? "").split(" "))
    if (host !== "") made.push(await fetch("https://" + host).then(({ status }) => status, (error) => error.message));
  return { body: made };
}`;

async function scene(
  given: Parameters<typeof installed>[1] = { script },
  at: Parameters<typeof installed>[0] = { app, world },
) {
  const made = await installed(at, given);
  const base = `/integrations/${made.integration.name}/${made.installation.id}`;
  const ask = (client: string, path = "/") => fetch(app.url + base + path, { headers: { "x-forwarded-for": client } });
  return { ...made, base, ask };
}

let count = 0;
/** A client without earlier requests. */
const somebody = () => `198.51.100.${++count}`;

test("a client calls endpoints a limited number of times a minute, whichever they are; an IPv6 network counts as one", async () => {
  const [one, other] = [await scene(), await scene()];
  for (const client of [() => "192.0.2.1", () => `2001:db8:0:7::${++count}`]) {
    for (const { ask } of [one, other, one]) expect((await ask(client())).status).toBe(200);
    const refused = await other.ask(client());
    const seconds = Number(refused.headers.get("retry-after"));
    expect([refused.status, await refused.json()]).toEqual([
      429,
      {
        error: {
          code: 429,
          type: "RATE_LIMITED",
          message: `A client may send requests to the public endpoints of integrations at most 3 times per minute. Try again in ${seconds} seconds.`,
        },
      },
    ]);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  }
  expect((await other.ask("2001:db8:0:8::1")).status).toBe(200);
});

test("an endpoint accepts a limited number of requests a minute from all clients", async () => {
  const [one, other] = [await scene(), await scene()];
  for (const client of times(5, somebody)) expect((await one.ask(client)).status).toBe(200);
  const refused = await one.ask(somebody());
  expect([refused.status, await refused.text()]).toEqual([429, expect.stringContaining("at most 5 times per minute")]);
  expect((await other.ask(somebody())).status).toBe(200);
});

test("scripts of an installation send a limited number of requests a minute, and all of its organization four times as many", async () => {
  const place = await world.space();
  const ofPlace = { app, world: { ...world, space: () => Promise.resolve(place) } };
  const [first, ...others] = await Promise.all(times(5, () => scene({ script }, ofPlace)));
  if (!first) throw new Error("There are five.");
  const fetched = async ({ ask }: typeof first, hosts: string) => (await ask(somebody(), `/?hosts=${hosts}`)).json();
  const refusal = (whose: string) =>
    expect.stringMatching(
      `^fetch: ${whose} may call other servers at most \\d times per minute. Try again in \\d+ sec`,
    );
  asked.length = 0;
  expect(await fetched(first, "a.example+b.example+c.example")).toEqual([200, 200, refusal("An installation")]);
  expect(asked).toEqual(["a.example", "b.example"]);
  const answers = await Promise.all(others.slice(0, 3).map((other) => fetched(other, "a.example+b.example")));
  expect(answers).toEqual(times(3, () => [200, 200]));
  expect(await fetched(others[3] ?? first, "a.example")).toEqual([refusal("The installations of one organization")]);
  expect(await fetched(await scene(), "a.example")).toEqual([200]);
});

test("a webhook URL is called for blocks and endpoints a limited number of times a minute; events are still delivered", async () => {
  const webhookUrl = "https://hooks.example.com/";
  const events = times(4, (place) => ({ place }));
  const { ask, admin, space, integration, installation } = await scene({ webhookUrl, events });
  const where = { installationId: installation.id, status: "success" as const };
  await vi.waitFor(async () => expect(await app.database.prisma.integrationEvent.count({ where })).toBe(4));
  expect((await ask(somebody())).status).toBe(200);
  const draw = `{ renderIntegrationBlock(integrationName: "${integration.name}", componentId: "a", context: { spaceId: "${space.id}" }) { type } }`;
  expect(await app.as(admin.token).refusal(draw)).toBe("INTEGRATION_FAILED"); // it was called, and draws nothing
  expect(await app.as(admin.token).refusal(draw)).toBe("RATE_LIMITED");
  expect((await ask(somebody())).status).toBe(429);
});

test("the log warns of a script's error without the URL of the endpoint request", async () => {
  const { ask, base } = await scene();
  lines.length = 0;
  for (const path of ["/boom/secret-of-a-path?key=secret-of-a-query", "/own/secret", "/fine/secret"])
    await (await ask(somebody(), path)).text();
  const requests = () => lines.filter(({ msg }) => msg === "request");
  await vi.waitFor(() => expect(requests()).toHaveLength(3));
  expect(requests().map(({ level, code, path }) => [level, code, path])).toEqual([
    [40, "INTEGRATION_FAILED", base],
    [40, "INTEGRATION_FAILED", base],
    [30, undefined, base],
  ]);
  expect(JSON.stringify(lines)).not.toContain("secret");
});

test("repeatedly failing deliveries are one line of the log", async () => {
  lines.length = 0;
  const failing = vi.spyOn(app.database, "query").mockRejectedValue(new Error("The database is down."));
  const looks = () => failing.mock.calls.filter(([{ text }]) => text.includes('"IntegrationEvent"')).length;
  await vi.waitFor(() => expect(looks()).toBeGreaterThan(4), { timeout: 20_000 });
  failing.mockRestore();
  expect(lines.filter(({ msg }) => String(msg).startsWith("Delivering events"))).toHaveLength(1);
});
