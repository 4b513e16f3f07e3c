// Agents at the addresses of readers: the hostname of a site, the rules for robots, and the headers of pages.
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import robotsModule from "robots-parser";
import { expect, it } from "vitest";
import { makeSiteForAgents } from "#test/features/agents/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp({ allowedHosts: ["gateway.example.com"] });

// The types of the package describe another module format.
const parseRobots = robotsModule as unknown as typeof robotsModule.default;

/** The response at a host; `fetch` would not send the header Host. */
async function at(host: string, path: string, { body, accept = "*/*" }: { body?: object; accept?: string } = {}) {
  const { port } = new URL(app.url);
  const headers = { host, accept, "content-type": "application/json" };
  const method = body ? "POST" : "GET";
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sending = request({ host: "127.0.0.1", port, path, headers, method }, resolve).once("error", reject);
    sending.end(body && JSON.stringify(body));
  });
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

it("a site at its hostname has texts and tools there, with addresses of that hostname", async () => {
  const made = await makeSiteForAgents(app, world);
  const host = `agents.${made.siteId.slice(4)}.example.com`;
  const data = { hostname: host, claimedHostname: host, hostnameProof: "proof", hostnameClaimedAt: new Date() };
  await app.database.prisma.site.update({ where: { id: made.siteId }, data });
  const index = await at(host, "/llms.txt");
  expect(index.text).toContain(`- [Setup](https://${host}/docs/guide/setup.md)`);
  expect((await at(host, "/docs/guide/setup.md")).text).toBe("Text of guide\n");
  expect((await at(host, "/", { accept: "text/markdown" })).text).toBe("Text of guide\n");
  const call = { jsonrpc: "2.0", id: 1, method: "resources/list" };
  expect((await at(host, "/mcp", { body: call })).text).toContain(`"https://${host}/docs/guide/setup.md"`);
});

it("robots.txt and the headers of pages refuse agents that the site excludes, from the change on", async () => {
  const { root, siteId, admin } = await makeSiteForAgents(app, world);
  const seen = async () => {
    const robots = parseRobots(`${root}/robots.txt`, await (await fetch(`${root}/robots.txt`)).text());
    const page = await fetch(`${root}/docs/guide/setup`);
    const allowed = ["Googlebot", "GPTBot", "ClaudeBot"].filter((robot) => robots.isAllowed(page.url, robot));
    const hasMarkdown = (await page.text()).includes(`type="text/markdown" href="${root}/docs/guide/setup.md"`);
    return { allowed, tag: page.headers.get("x-robots-tag"), hasMarkdown };
  };
  expect(await seen()).toEqual({ allowed: ["Googlebot", "GPTBot", "ClaudeBot"], tag: null, hasMarkdown: true });
  await app
    .as(admin.token)
    .query(`mutation { updateSite(input: { siteId: "${siteId}", agentsContext: EXCLUDED }) { site { id } } }`);
  expect(await seen()).toEqual({ allowed: ["Googlebot"], tag: "noai, noimageai", hasMarkdown: false });
});
