// Public endpoints: responses of scripts never act as the gateway's own origin, and one client's
// requests do not block others.
import { expect, test } from "vitest";
import { trafficLimits } from "#src/base/limits.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { installed } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";

/** Releases the responses that scripts fetch. */
const gate = Promise.withResolvers<void>();
const outside: SafeFetch = async (url) => {
  await gate.promise;
  return { url: String(url), status: 200, headers: new Headers(), body: Buffer.from("") };
};
const installations = { ...trafficLimits.installations, requestsOfClient: 1000 };
const { app, world } = await useApp({ fetch: outside, trafficLimits: { installations } });
const at = { app, world };

/** The URL of a script's endpoint. */
async function endpointOf(script: string, contentSecurityPolicy: string | null = null): Promise<string> {
  const { integration, installation } = await installed(at, { script, integration: { contentSecurityPolicy } });
  return `${app.url}/integrations/${integration.name}/${installation.id}/`;
}

const answering = (made: object) => `export async function handle() { return ${JSON.stringify(made)}; }`;
const policyOf = async (url: string) => (await fetch(url)).headers.get("content-security-policy");
const sandbox = "sandbox";

test.each(["text/html", "text/plain", "text/plain;, text/html", "image/svg+xml", "application/json"])(
  "an endpoint's response of type %s has a sandbox, beside the policy of its integration",
  async (type) => {
    const script = answering({ headers: { "content-type": type }, body: "<script>1</script>" });
    expect(await policyOf(await endpointOf(script))).toBe(sandbox);
    expect(await policyOf(await endpointOf(script, "script-src 'unsafe-inline'"))).toBe(
      `script-src 'unsafe-inline'; ${sandbox}`,
    );
  },
);

test.each([
  ["frame-src https://sandbox.example.com; script-src https://a.example.com", true],
  ["sandbox allow-same-origin; script-src 'none'", false],
  ["SANDBOX allow-same-origin allow-scripts", false],
])("an endpoint keeps the policy of its integration except a sandbox of its own: %s", async (policy, isWhole) => {
  const sent = (await policyOf(await endpointOf(answering({ body: "" }), policy))) ?? "";
  expect(sent.endsWith(sandbox)).toBe(true);
  expect(sent.includes("allow-same-origin")).toBe(false);
  expect(sent === `${policy}; ${sandbox}`).toBe(isWhole);
});

test.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "\thttps://evil.example",
  "javascript:alert(1)",
  "http://",
])("an endpoint's redirect to the origin %j is refused with 502, which names the setting", async (location) => {
  const answer = await fetch(await endpointOf(answering({ status: 302, headers: { location } })), {
    redirect: "manual",
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([502, null]);
  expect(await answer.text()).toContain("INTEGRATIONS_URL");
});

test("an endpoint's redirect within the origin is followed", async () => {
  for (const location of ["elsewhere", "/published/", "?a=b", `${app.url}/graphql`]) {
    const url = await endpointOf(answering({ status: 302, headers: { location } }));
    const answer = await fetch(url, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, location]);
  }
});

test("an endpoint's response omits headers that a proxy or browser would obey", async () => {
  const headers = {
    "X-Accel-Redirect": "/internal",
    "X-Sendfile": "/etc/passwd",
    "X-Frame-Options": "ALLOWALL",
    "Set-Cookie": "a=b",
    "X-Integration-Version": "3",
    "Strict-Transport-Security": "max-age=0",
  };
  const answer = await fetch(await endpointOf(answering({ headers, body: "" })));
  const names = [...answer.headers.keys()];
  expect(names).toContain("x-integration-version");
  const given = Object.keys(headers).map((name) => name.toLowerCase());
  expect(names.filter((name) => given.includes(name))).toEqual(["x-integration-version"]);
});

test("requests to an endpoint beyond the queue limit are refused with 429, and the others answered", async () => {
  const waiting = await endpointOf(`export async function handle() {
    await fetch("https://tides.example.com/"); return { body: "done" }; }`);
  const ask = async () => {
    const { status } = await fetch(waiting);
    if (status === 429) gate.resolve(); // until then the queue is full
    return status;
  };
  const statuses = await Promise.all(Array.from({ length: 70 }, ask));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(50);
});
