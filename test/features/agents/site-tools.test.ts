// The MCP server of a site: two clients, and two visitors of whom a condition hides a part from one.
// At the small size each page is read by one form of its path.
import { describe, expect, it } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { giveTree } from "#test/features/content/factory.ts";
import { addSiteSpace } from "#test/features/sites/factory.ts";
import { clients } from "#test/features/agents/clients.ts";
import { makeSiteForAgents, markdownFor, nobody } from "#test/features/agents/scene.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { nextNumber } from "#test/support/rows.ts";
import { inTurn } from "#test/support/runs.ts";

const { app, world } = await useApp();

describe.each(clients)("a client of %s", (_name, connect) => {
  it("lists, searches and reads the pages of its visitor, and nothing that a condition hides", async () => {
    const { root, siteId, staff } = await makeSiteForAgents(app, world);
    const expected = [
      { visitor: nobody, places: ["docs/guide"] },
      { visitor: staff, places: ["docs/guide", "docs/inside", "team/notes", "api/internal"] },
    ];
    for (const { visitor, places } of expected) {
      await using agent = await connect(`${root}/mcp`, visitor);
      expect(agent.server).toMatchObject({ name: "docgraph-site", title: "Docs" });
      expect(agent.instructions).toContain('"Docs"');
      expect(await agent.tools()).toEqual(
        ["list_pages", "search_pages", "read_page"].map((name) => ({ name, isReadOnly: true })),
      );
      const paths = places.flatMap((place) => [`${place}/welcome`, `${place}/setup`]);
      const listed = (await agent.call("list_pages")).texts.join("").split("\n");
      expect(listed.map((line) => line.replace(/:.*/, "")).toSorted()).toEqual(paths.toSorted());
      const resources = await agent.resources();
      expect(resources.map(({ uri }) => uri).toSorted()).toEqual(paths.map((path) => `${root}/${path}.md`).toSorted());
      for (const [number, path] of paths.entries()) {
        const text = await markdownFor(app, { siteId, visitor, path });
        const address = `${root}/${path}`;
        const forms = [path, `/${path}`, `${path}.md`, address, `${address}.md#part`];
        for (const given of inTurn(forms, number % 5, 5)) {
          const { texts } = await agent.call("read_page", { path: given });
          expect(texts[0]).toContain(`\n${address}\n`);
          expect(texts[1]).toBe(text);
        }
        const uri = `${address}.md`;
        expect(await agent.read(uri)).toEqual({ uri, mimeType: "text/markdown", text });
      }
    }
  });

  it("gets errors for what is not there: as a result of a tool, and as an error of a resource", async () => {
    const { root, staff } = await makeSiteForAgents(app, world);
    await using agent = await connect(`${root}/mcp`);
    await using ofStaff = await connect(`${root}/mcp`, staff);
    const hidden = "api/internal/welcome";
    expect(await ofStaff.call("read_page", { path: hidden })).toMatchObject({ isError: false });
    for (const path of [hidden, "docs/guide/missing", "", "../../v1/user", "\u0000"]) {
      if (path !== "")
        expect(await agent.call("read_page", { path })).toEqual({
          isError: true,
          texts: [expect.stringMatching(/^NOT_FOUND: /)],
        });
    }
    for (const uri of [`${root}/${hidden}.md`, "https://example.com/", `${app.url}/v1/user`, "file:///etc/passwd"])
      await expect(agent.read(uri)).rejects.toThrow(/not found|NOT_FOUND/i);
    expect((await agent.call("list_pages", { skip: "no" })).isError).toBe(true);
    expect((await agent.call("search_pages", { query: "" })).isError).toBe(true);
  });

  it("finds pages with their matching sections, and none that a condition hides", async () => {
    const { root, spaces, admin, staff } = await makeSiteForAgents(app, world);
    const page = (title: string, words: string) =>
      newPage(title, { markdown: `# First\n\nNothing.\n\n# Rate limits\n\nAt most ${words} requests a minute.\n` });
    await editAs(app.as(admin.token), { spaceId: spaces.guide.id }, page("Limits", "sixty").edit);
    await editAs(app.as(admin.token), { spaceId: spaces.internal.id }, page("Real limits", "sixty thousand").edit);
    const found = async (visitor: Readonly<Record<string, string>>) => {
      await using agent = await connect(`${root}/mcp`, visitor);
      const { texts } = await agent.call("search_pages", { query: "requests minute -hour sixty", limit: 5 });
      return texts.join();
    };
    const ofNobody = await found(nobody);
    expect(ofNobody).toContain("### Rate limits (#rate-limits)\nAt most sixty requests a minute.");
    expect(ofNobody).toMatch(/^Matching pages: 1\n\n## Limits\npath: docs\/guide\/limits\n/);
    expect(ofNobody).not.toContain("thousand");
    expect(await found(staff)).toContain("path: api/internal/real-limits\n");
  });

  it("lists more pages than an answer has by further requests", async () => {
    const { root, spaces } = await makeSiteForAgents(app, world);
    await giveTree(app.database, spaces.guide.revisionId, 210);
    await using agent = await connect(`${root}/mcp`);
    const resources = await agent.resources();
    expect(new Set(resources.map(({ uri }) => uri)).size).toBe(resources.length);
    expect(resources.length).toBeGreaterThanOrEqual(210);
    const [first, last] = [await agent.call("list_pages"), await agent.call("list_pages", { skip: 200 })];
    expect(first.texts.join().split("\n").at(-1)).toBe("Further pages: skip 200.");
    expect(last.texts.join()).not.toContain("Further pages");
  });

  it("reads a site by its link, and a site for visitors with a token, only with the key or the token", async () => {
    const shareKey = `key-${nextNumber()}`;
    const byLink = await makeSiteForAgents(app, world, { visibility: "share_link", shareKey });
    const forVisitors = await makeSiteForAgents(app, world, { visibility: "visitor_auth" });
    for (const address of [`${byLink.root}/mcp`, `${byLink.root}/no-key/mcp`, `${forVisitors.root}/mcp`])
      await expect(connect(address)).rejects.toThrow(/404|NOT_FOUND/);
    await using agent = await connect(`${byLink.root}/${shareKey}/mcp`);
    const resources = await agent.resources();
    expect(resources.map(({ uri }) => uri)).toContain(`${byLink.root}/${shareKey}/docs/guide/setup.md`);
    for (const { uri } of resources) expect(await agent.read(uri)).toMatchObject({ uri });
    await using visitor = await connect(`${forVisitors.root}/mcp`, forVisitors.staff);
    expect(await visitor.resources()).toHaveLength(8);
  });

  it("gets nothing from a site that excludes agents, from the change on", async () => {
    const { root, siteId, admin } = await makeSiteForAgents(app, world);
    await using agent = await connect(`${root}/mcp`);
    await agent.call("list_pages");
    await app
      .as(admin.token)
      .query(`mutation { updateSite(input: { siteId: "${siteId}", agentsContext: EXCLUDED }) { site { id } } }`);
    await expect(agent.call("list_pages")).rejects.toThrow(/404|NOT_FOUND/);
    await expect(connect(`${root}/mcp`)).rejects.toThrow(/404|NOT_FOUND/);
  });
});

describe("over HTTP", () => {
  const send = (
    address: string,
    { headers = {}, ...request }: Omit<RequestInit, "headers"> & { headers?: Readonly<Record<string, string>> } = {},
  ) =>
    fetch(address, {
      method: "POST",
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
      ...request,
      headers: { "content-type": "application/json", accept: "application/json", ...headers },
    });

  it("answers one JSON message at a time, without a session", async () => {
    const { root } = await makeSiteForAgents(app, world);
    const answer = await send(`${root}/mcp`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("mcp-session-id")).toBeNull();
    expect(await answer.json()).toMatchObject({ id: 1, result: { tools: [{}, {}, {}] } });
    const message = { jsonrpc: "2.0", id: 1, method: "ping" };
    const codes: number[] = [];
    for (const body of ["{", JSON.stringify([message, message]), "7", JSON.stringify({ ...message, method: 5 })]) {
      const refused = await send(`${root}/mcp`, { body });
      expect(refused.status).toBe(400);
      codes.push(((await refused.json()) as { error: { code: number } }).error.code);
    }
    expect(codes).toEqual([-32_700, -32_600, -32_700, -32_700]);
    const notification = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect((await send(`${root}/mcp`, { body: notification })).status).toBe(202);
    expect((await send(`${root}/mcp`, { headers: { "content-type": "text/plain" } })).status).toBe(415);
    expect((await send(`${root}/mcp`, { body: `"${"x".repeat(1_000_000)}"` })).status).toBe(413);
    for (const method of ["resources/subscribe", "subscriptions/listen", "prompts/list", "constructor"])
      expect(await (await send(`${root}/mcp`, { body: JSON.stringify({ ...message, method }) })).json()).toMatchObject({
        error: { code: -32_601 },
      });
  });

  it("refuses other methods, and leaves a page at the same path to browsers", async () => {
    const { root, spaces, siteId } = await makeSiteForAgents(app, world);
    const stream = { method: "GET", body: null, headers: { accept: "text/event-stream" } };
    for (const request of [stream, { method: "DELETE", body: null }]) {
      const answer = await send(`${root}/mcp`, request);
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("POST");
    }
    await world.insert((rows) => addSiteSpace(rows, { siteId, spaceId: spaces.guide.id, path: "mcp", title: "MCP" }));
    const page = await send(`${root}/mcp`, { method: "GET", body: null, headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(`/published/${siteId}/mcp/welcome`);
  });

  it("refuses pages of other origins, and paths below the site", async () => {
    const { root } = await makeSiteForAgents(app, world);
    expect((await send(`${root}/mcp`, { headers: { origin: "https://evil.example.com" } })).status).toBe(403);
    expect((await send(`${root}/mcp`, { headers: { origin: app.url } })).status).toBe(200);
    expect((await send(`${root}/other/mcp`)).status).toBe(404);
    expect((await send(`${root.replace(/\/[^/]+$/, "/sit_00000000000000000000000000")}/mcp`)).status).toBe(404);
  });

  it("counts against the quota of the caller", async () => {
    await using limited = await testApp({ beside: app, trafficLimits: { pointsPerMinute: 1 } });
    const { siteId } = await makeSiteForAgents(app, world);
    const address = `${limited.url}/published/${siteId}/mcp`;
    expect((await send(address)).status).toBe(200);
    const refused = await send(address);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
