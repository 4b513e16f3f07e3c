// Requests of anybody to public endpoints: what scripts answer never acts as the gateway's own origin, and nobody's
// requests keep others from being run.
import { expect, test } from "vitest";
import { trafficLimits } from "#src/base/limits.ts";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { installed } from "#test/features/integrations/runs.ts";
import { useApp } from "#test/support/app.ts";

/** What scripts fetch comes when this is resolved. */
const gate = Promise.withResolvers<void>();
const outside: SafeFetch = async (url) => {
  await gate.promise;
  return { url: String(url), status: 200, headers: new Headers(), body: Buffer.from("") };
};
const installations = { ...trafficLimits.installations, requestsOfClient: 1000 };
const { app, world } = await useApp({ fetch: outside, trafficLimits: { installations } });
const at = { app, world };

/** The address of a script's endpoint. */
async function endpointOf(script: string, contentSecurityPolicy: string | null = null): Promise<string> {
  const { integration, installation } = await installed(at, { script, integration: { contentSecurityPolicy } });
  return `${app.url}/integrations/${integration.name}/${installation.id}/`;
}

const answering = (made: object) => `export async function handle() { return ${JSON.stringify(made)}; }`;
const policyOf = async (url: string) => (await fetch(url)).headers.get("content-security-policy");
const sandbox = "sandbox";

test.each(["text/html", "text/plain", "text/plain;, text/html", "image/svg+xml", "application/json"])(
  "an answer of type %s is in a sandbox, beside the policy of its integration",
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
])("of a policy all stays but a sandbox of its own: %s", async (policy, isWhole) => {
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
])("redirects to the origin %j are refused with 502, which names the setting", async (location) => {
  const answer = await fetch(await endpointOf(answering({ status: 302, headers: { location } })), {
    redirect: "manual",
  });
  expect([answer.status, answer.headers.get("location")]).toEqual([502, null]);
  expect(await answer.text()).toContain("INTEGRATIONS_URL");
});

test("redirects within the origin are followed", async () => {
  for (const location of ["elsewhere", "/published/", "?a=b", `${app.url}/graphql`]) {
    const url = await endpointOf(answering({ status: 302, headers: { location } }));
    const answer = await fetch(url, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, location]);
  }
});

test("headers that a proxy or a browser would obey are left out", async () => {
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

test("requests beyond those that may wait are refused with 429, and the others answered", async () => {
  const held = await endpointOf(`export async function handle() {
    await fetch("https://tides.example.com/"); return { body: "done" }; }`);
  const ask = async () => {
    const { status } = await fetch(held);
    if (status === 429) gate.resolve(); // until then all that may wait do
    return status;
  };
  const statuses = await Promise.all(Array.from({ length: 70 }, ask));
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(50);
});
