// Delivering events in order to scripts and webhook URLs, with retries and a trace of each.
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { FetchError } from "#src/net/fetch-error.ts";
import type { FetchOptions, SafeFetch } from "#src/net/safe-fetch.ts";
import { Metrics } from "#src/server/process/metrics.ts";
import { nextTry } from "#src/features/integrations/commands/runs/deliver.ts";
import { installed, settled } from "#test/features/integrations/runs.ts";
import { signingKeyColumn } from "#src/features/integrations/commands/runs/runnable.ts";
import { readMetrics, sumOf } from "#test/support/metrics.ts";
import { useApp } from "#test/support/app.ts";
import { testSecrets } from "#test/support/test-services.ts";

const asked: { url: string; options: FetchOptions }[] = [];
const hanging = Promise.withResolvers<void>();
const fetch: SafeFetch = async (url, options = {}) => {
  asked.push({ url: String(url), options });
  if (String(url).includes("down")) throw new FetchError("connection");
  if (String(url).includes("hanging")) await hanging.promise;
  const status = String(url).includes("fails") ? 500 : 200;
  return { url: String(url), status, headers: new Headers(), body: Buffer.from('{"heard":true}') };
};
const metrics = new Metrics({ version: "1.2.3" });
let now = new Date(); // a fixed time: a later retry is never due, however slow the machine is
// Has its own database: the clock decides which events of the whole database are due.
const { app, world } = await useApp({ own: true, fetch, metrics, deliveryMs: 100, clock: { now: () => now } });
const metric = async (name: string, labels = {}) =>
  sumOf(readMetrics(await metrics.text()), `docgraph_${name}`, labels);
const at = { app, world };
const bodiesTo = (url: string) => asked.filter((one) => one.url === url).map(({ options }) => String(options.body));

test("a script receives the events of its installation in order, with its configuration and secrets", async () => {
  const script = `export async function handle(event, context) {
    console.info(event.type, event.place, context.configuration.greeting); console.error("to be seen");
    await fetch("https://order.example.com/" + event.place);
  }`;
  const events = Array.from({ length: 12 }, (_, place) => ({ place }));
  const { installation } = await installed(at, {
    script,
    events,
    installation: { configuration: { greeting: "Hello" } },
  });
  const done = await settled(app, installation.id);
  const delivered = () => metric("integration_deliveries_total", { outcome: "ok" });
  await expect.poll(delivered).toBe(events.length);
  expect(await metric("integration_events_waiting")).toBe(0);
  expect(done.map(({ status, tries }) => [status, tries])).toEqual(events.map(() => ["success", 1]));
  const places = asked.flatMap(({ url }) =>
    url.startsWith("https://order.example.com/") ? url.split("/").at(-1) : [],
  );
  expect(places).toEqual(events.map(({ place }) => String(place)));
  expect(done[3]?.logs).toEqual([
    { level: "info", message: "comment_created 3 Hello", timestamp: expect.any(String) },
    { level: "error", message: "to be seen", timestamp: expect.any(String) },
  ]);
  expect(done[3]?.durationMs).toBeGreaterThanOrEqual(0);
});

test("an event that fails keeps its trace, is retried later, and delays the ones after it", async () => {
  const script = `export async function handle(event) { console.warn("before"); if (event.place === 0) throw new Error("not today"); }`;
  const { installation } = await installed(at, { script, events: [{ place: 0 }, { place: 1 }] });
  const [first, second] = await settled(app, installation.id, 1);
  expect([first?.status, first?.tries, second?.status, second?.tries]).toEqual(["pending", 1, "pending", 0]);
  expect(first?.nextTryAt.getTime()).toBeGreaterThan(now.getTime());
  expect(JSON.stringify(first?.logs)).toContain("not today");
  await expect.poll(() => metric("integration_deliveries_total", { outcome: "retried" })).toBe(1);
  expect(await metric("integration_events_waiting")).toBe(2);
  expect(await metric("consumer_lag_seconds", { consumer: "deliveries" })).toBeGreaterThan(0);
});

test("an event that the gateway itself cannot run is also retried later", async () => {
  const secrets = Buffer.from("sealed by a key that is gone");
  const { installation } = await installed(at, { script: "", events: [{}], integration: { secrets } });
  const [event] = await settled(app, installation.id);
  expect([event?.status, event?.tries, JSON.stringify(event?.logs)]).toEqual([
    "pending",
    1,
    expect.stringContaining("The gateway could not run this event."),
  ]);
});

test("an event that fails for a day has failed, and the ones after it are delivered", async () => {
  const script = `export async function handle(event) { if (event.place === 0) throw new Error("never"); }`;
  const { installation, enqueue } = await installed(at, { script });
  const createdAt = new Date(Date.now() - 25 * 3_600_000);
  for (const place of [0, 1]) await enqueue({ payload: { place }, createdAt });
  const done = await settled(app, installation.id, Infinity, 2);
  expect(done.map(({ status }) => status)).toEqual(["failure", "success"]);
});

test("the delays between retries double up to an hour, and end after a day", () => {
  const createdAt = new Date("2036-03-02T12:00:00Z");
  let [last, tries] = [createdAt, 0];
  const waits: number[] = [];
  for (let next: Date | null = last; next; next = nextTry(tries, { createdAt, now: last })) {
    if (next > last) waits.push((next.getTime() - last.getTime()) / 1000);
    [last, tries] = [next, tries + 1];
  }
  expect(waits.slice(0, 5)).toEqual([5, 10, 20, 40, 80]);
  const afterLong = nextTry(1, { createdAt, now: createdAt, durationMs: 10_000 });
  expect(afterLong).toEqual(new Date("2036-03-02T12:01:00Z"));
  expect(Math.max(...waits)).toBe(3600);
  expect(last.getTime() - createdAt.getTime()).toBe(24 * 3_600_000);
});

test("an integration without a script gets a POST, signed as in Standard Webhooks", async () => {
  const webhookUrl = "https://hooks.example.com/in";
  const { installation, integration, events } = await installed(at, { webhookUrl, events: [{ place: 7 }] });
  const [done] = await settled(app, installation.id);
  expect([done?.status, JSON.stringify(done?.logs)]).toEqual([
    "success",
    expect.stringContaining("The webhook answered 200"),
  ]);
  const { options } = asked.find(({ url }) => url === webhookUrl) ?? {};
  const { signingKey } = await app.database.prisma.integration.findUniqueOrThrow({ where: { id: integration.id } });
  const key = testSecrets.open(signingKeyColumn, integration.id, signingKey ?? new Uint8Array());
  const verified = new Webhook(key).verify(String(options?.body), { ...options?.headers });
  expect(verified).toMatchObject({ type: "comment_created", data: { eventId: events[0]?.id, place: 7 } });
  expect(() => new Webhook(key).verify(`${String(options?.body)} `, { ...options?.headers })).toThrow(/signature/i);
});

test("a webhook URL that responds with an error, or not at all, is retried later", async () => {
  for (const [webhookUrl, said] of [
    ["https://fails.example.com/", "answered 500"],
    ["https://down.example.com/", "could not be reached"],
  ] as const) {
    const { installation } = await installed(at, { webhookUrl, events: [{}] });
    const [event] = await settled(app, installation.id);
    expect([event?.status, event?.tries]).toEqual(["pending", 1]);
    expect(JSON.stringify(event?.logs)).toContain(said);
  }
});

test("a tunnel receives events of its own organization, and with `all` of others that allow it", async () => {
  const script = `export async function handle() { console.info("in the sandbox"); }`;
  const tunnelUrl = "https://tunnel.example.com/";
  const own = await installed(at, { script, integration: { tunnelUrl }, events: [{ place: "own" }] });
  const [event] = await settled(app, own.installation.id);
  expect(JSON.stringify(event?.logs)).toContain('The development tunnel answered 200: {\\"heard\\":true}');
  const { organization } = await world.organization();
  for (const [tunnelAll, allowsDevMode] of [
    [false, true],
    [true, false],
    [true, true],
  ] as const) {
    const other = await installed(at, {
      script,
      integration: { tunnelUrl, tunnelAll, organizationId: organization.id },
      installation: { allowsDevMode },
      events: [{ place: `all ${tunnelAll}, allowed ${allowsDevMode}` }],
    });
    await settled(app, other.installation.id);
  }
  const places = bodiesTo(tunnelUrl).map((body) => (JSON.parse(body) as { data: { place: string } }).data.place);
  expect(places).toEqual(["own", "all true, allowed true"]);
});

test("a paused installation runs nothing", async () => {
  const { installation } = await installed(at, {
    script: "export function handle() { throw 1 }",
    installation: { status: "paused" },
    events: [{}],
  });
  const [event] = await settled(app, installation.id);
  expect([event?.status, JSON.stringify(event?.logs)]).toEqual(["success", expect.stringContaining("paused")]);
});

test("an installation whose script hangs does not delay another", async () => {
  const script = `export async function handle() { await fetch("https://hanging.example.com/"); }`;
  const slow = await installed(at, { script, events: [{}] });
  await expect.poll(() => bodiesTo("https://hanging.example.com/")).toHaveLength(1);
  const quick = await installed(at, { script: "export function handle() {}", events: [{}] });
  await settled(app, quick.installation.id);
  hanging.resolve();
  const [event] = await settled(app, slow.installation.id);
  expect([event?.status, event?.tries]).toEqual(["success", 1]); // it hung until the other was served
});

// reapit/foundations#10219. It moves the clock, and is the last for that.
test("each attempt of an event has the same id and the same body, and its own time in a header", async () => {
  const webhookUrl = "https://fails.example.com/again";
  const { installation, events } = await installed(at, { webhookUrl, events: [{ place: 1 }] });
  await settled(app, installation.id);
  for (const minutes of [1, 5]) {
    now = new Date(now.getTime() + minutes * 60_000);
    await expect.poll(() => bodiesTo(webhookUrl).length).toBe(minutes === 1 ? 2 : 3);
  }
  const attempts = asked.filter(({ url }) => url === webhookUrl).map(({ options }) => options);
  const header = (name: string) => attempts.map(({ headers }) => new Headers(headers).get(name));
  expect(new Set(bodiesTo(webhookUrl))).toEqual(new Set([bodiesTo(webhookUrl)[0]]));
  expect(new Set(header("webhook-id"))).toEqual(new Set([events[0]?.id]));
  expect(new Set(header("webhook-timestamp")).size).toBe(3);
  const { timestamp, data } = JSON.parse(bodiesTo(webhookUrl)[0] ?? "") as { timestamp: string; data: object };
  expect(data).toMatchObject({ createdAt: timestamp });
});
