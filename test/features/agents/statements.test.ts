// The SQL statements of what agents ask: as many for a site of many pages as for a small one.
import { pino } from "pino";
import { expect, it } from "vitest";
import { giveTree } from "#test/features/content/factory.ts";
import { makeSiteForAgents } from "#test/features/agents/scene.ts";
import { useApp } from "#test/support/app.ts";

interface Line {
  readonly requestId?: string;
  readonly statements?: number;
}

const lines: Line[] = [];
const log = pino({ level: "debug" }, { write: (line: string) => void lines.push(JSON.parse(line) as Line) });
const { app, world } = await useApp({ log });

/** The statements of a request, by its line in the access log. */
async function statementsOf(address: string, body?: object): Promise<number | undefined> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(address, { ...(body && { method: "POST", body: JSON.stringify(body) }), headers });
  expect(answer.status, await answer.text()).toBe(200);
  const requestId = answer.headers.get("x-request-id");
  await expect.poll(() => lines.some((line) => line.requestId === requestId)).toBe(true);
  return lines.find((line) => line.requestId === requestId)?.statements;
}

const call = (name: string, input: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: input },
});

it("requests of agents need as many statements for 50 pages as for two", async () => {
  const [small, large] = [await makeSiteForAgents(app, world), await makeSiteForAgents(app, world)];
  await giveTree(app.database, small.spaces.guide.revisionId, 2);
  await giveTree(app.database, large.spaces.guide.revisionId, 50);
  const counts = async ({ root }: typeof small) => {
    return {
      index: await statementsOf(`${root}/llms.txt`), // with the structure of the site, which is kept from here on
      page: await statementsOf(`${root}/docs/guide/page-0.md`),
      list: await statementsOf(`${root}/mcp`, call("list_pages", {})),
      read: await statementsOf(`${root}/mcp`, call("read_page", { path: "docs/guide/page-0" })),
      search: await statementsOf(`${root}/mcp`, call("search_pages", { query: "page" })),
    };
  };
  const ofSmall = await counts(small);
  expect(await counts(large)).toEqual(ofSmall);
  expect(ofSmall).toMatchInlineSnapshot(`
    {
      "index": 4,
      "list": 2,
      "page": 3,
      "read": 3,
      "search": 6,
    }
  `);
});
