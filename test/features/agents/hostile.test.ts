// Hostile messages and inputs of agents: each is refused or answered, and none is an internal error. At the small
// size each text is in the inputs of some tools.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeSiteForAgents } from "#test/features/agents/scene.ts";
import { useApp } from "#test/support/app.ts";
import { inTurn, runs } from "#test/support/runs.ts";

const { app, world } = await useApp();

const strings = [
  "",
  "\u0000",
  "\ud800",
  "a\u202eb",
  "../../../etc/passwd",
  "%00%2e%2e%2f",
  "' or 1=1 --",
  "\"'<script>alert(1)</script>",
  "{{ constructor }}",
  "__proto__",
  "()&|!:*<->",
  "-".repeat(500),
  "a".repeat(600),
  "https://example.com/",
  "pag_00000000000000000000000000",
];

/** Sends a message, and returns the status and the text of the answer. */
async function send(address: string, message: unknown, token: string | null = null) {
  const headers = { "content-type": "application/json", ...(token !== null && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(message) });
  return { status: answer.status, text: await answer.text() };
}

const call = (name: string, input: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: input },
});

interface Listed {
  readonly result: {
    readonly tools: { readonly name: string; readonly inputSchema: { readonly properties: Record<string, object> } }[];
  };
}

async function toolsAt(address: string, token: string | null): Promise<Listed["result"]["tools"]> {
  const { text } = await send(address, { jsonrpc: "2.0", id: 1, method: "tools/list" }, token);
  return (JSON.parse(text) as Listed).result.tools;
}

describe.each(["of a site", "over everything"])("the server %s", (which) => {
  it("refuses or answers every text in every input", { timeout: 60_000 }, async () => {
    const { root, admin } = await makeSiteForAgents(app, world);
    const [address, token] = which === "of a site" ? [`${root}/mcp`, null] : [`${app.url}/mcp`, admin.token];
    for (const [turn, { name, inputSchema }] of (await toolsAt(address, token)).entries()) {
      const properties = Object.entries(inputSchema.properties);
      for (const text of inTurn(strings, turn % 3, 3)) {
        const valueOf = ([key, schema]: [string, object]) =>
          "type" in schema && schema.type === "string"
            ? [[key, text]]
            : key === "edits"
              ? [[key, [{ deletePage: { pageId: text } }]]]
              : [];
        const answer = await send(address, call(name, Object.fromEntries(properties.flatMap(valueOf))), token);
        expect(answer.status, answer.text).toBe(200);
        expect(answer.text, `${name} ${JSON.stringify(text)}`).not.toContain("INTERNAL");
      }
    }
  });

  it("answers no message with an internal error", { timeout: 60_000 }, async () => {
    const { root, admin } = await makeSiteForAgents(app, world);
    const [address, token] = which === "of a site" ? [`${root}/mcp`, null] : [`${app.url}/mcp`, admin.token];
    const methods = fc.constantFrom(
      "initialize",
      "ping",
      "tools/list",
      "tools/call",
      "resources/list",
      "resources/read",
    );
    const message = fc.record(
      {
        jsonrpc: fc.constantFrom("2.0", "1.0", 2),
        id: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
        method: fc.oneof(methods, fc.string()),
        params: fc.oneof(
          fc.jsonValue(),
          fc.record({ name: fc.constant("read_page"), uri: fc.webUrl(), cursor: fc.string() }),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(message, async (one) => {
        const { status, text } = await send(address, one, token);
        expect(status, text).toBeLessThan(500);
        expect(text).not.toContain("INTERNAL");
      }),
      { numRuns: runs(200, 20), seed: 1 },
    );
  });
});
