// The pages of a specification: which exist, their content, and content that they never contain.
import { describe, expect, test } from "vitest";
import { withoutHtml } from "#src/documents/html/html-markdown.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { nodesIn } from "#src/documents/document.ts";
import { type SpecPage, specPages } from "#src/features/openapi/model/pages/spec-pages.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";
import { largeDocument } from "#test/features/openapi/large.ts";

const ship = {
  type: "object",
  required: ["name"],
  properties: {
    id: { type: "string", format: "uuid", readOnly: true },
    name: { type: "string", minLength: 1, maxLength: 50, description: "As it is *painted* on the hull." },
    captain: { $ref: "#/components/schemas/Person" },
    position: { type: "object", properties: { north: { type: "number", default: 0 } } },
    key: { type: "string", writeOnly: true },
  },
};

const harbour = {
  openapi: "3.1.0",
  info: { title: "Harbour", version: "1.2.0", description: "All about **ships**." },
  servers: [{ url: "https://{region}.example.com/v1", variables: { region: { default: "north", enum: ["north"] } } }],
  security: [{ token: [] }, { login: ["read"] }],
  tags: [{ name: "ships", description: "What floats." }],
  paths: {
    "/ships/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" }, example: "a b" }],
      get: { operationId: "getShip", summary: "Get a ship", tags: ["ships", "people"], responses: {} },
      put: {
        tags: ["ships"],
        deprecated: true,
        parameters: [
          { name: "dry", in: "query", required: true, schema: { type: "boolean", default: false } },
          { $ref: "#/components/parameters/Trace" },
        ],
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Ship" } } },
        },
        responses: {
          "200": {
            description: "Saved.",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Ship" } } },
          },
          default: { description: "Not saved.", content: { "text/plain": { example: "It is full." } } },
        },
      },
    },
    "/ping": { get: { responses: { "204": { description: "It is there." } } } },
  },
  webhooks: { landed: { post: { operationId: "landed", responses: {} } } },
  components: {
    parameters: { Trace: { name: "X-Trace", in: "header", schema: { type: "string", enum: ["on", "off"] } } },
    securitySchemes: {
      token: { type: "http", scheme: "bearer" },
      login: {
        type: "oauth2",
        flows: { clientCredentials: { tokenUrl: "https://example.com/t", scopes: { read: "Look" } } },
      },
    },
    schemas: {
      Ship: ship,
      Person: {
        type: ["object", "null"],
        properties: { ships: { type: "array", items: { $ref: "#/components/schemas/Ship" } } },
      },
    },
  },
} as unknown as SpecDocument;

const pagesOf = (document: SpecDocument, doc?: string, pages = 20_000) =>
  specPages(document, {
    doc,
    room: { pages, levels: 20 },
    addressOf: (key) => `page:${key}`,
    parses: true,
    withoutHtml,
  });

const all = (page: SpecPage | null): SpecPage[] => (page ? [page, ...page.pages.flatMap(all)] : []);

function textOf(key: string, document = harbour): string {
  const page = all(pagesOf(document)).find((one) => one.key === key);
  if (!page) throw new Error(`no page ${key}`);
  return page.text;
}

describe("the pages of a specification", () => {
  test("are an overview, servers, authorization, tags with their operations, webhooks and models", () => {
    const shown = (page: SpecPage): unknown =>
      page.pages.length > 0 ? { [page.key]: page.pages.map(shown) } : page.key;
    const overview = pagesOf(harbour);
    expect(overview && shown(overview)).toEqual({
      overview: [
        "servers",
        "security",
        { "tags/ships": ["operations/getShip", "operations/put /ships/{id}"] },
        "tags/people",
        { operations: ["operations/get /ping"] },
        { webhooks: ["operations/landed"] },
        { models: ["models/Ship", "models/Person"] },
      ],
    });
    expect(all(overview).map(({ title }) => title)).toContain("PUT /ships/{id}");
    expect(all(overview).map(({ slug }) => slug)).toContain("put-ships-id");
  });

  test("of a part contain only that part; links to other parts become text", () => {
    expect(all(pagesOf(harbour, "tags/ships")).map(({ key }) => key)).toEqual([
      "tags/ships",
      "operations/getShip",
      "operations/put /ships/{id}",
    ]);
    expect(textOf("operations/put /ships/{id}")).toContain("`application/json`: [Ship](page:models/Ship)");
    expect(all(pagesOf(harbour, "operations/put /ships/{id}"))[0]?.text).toContain("`application/json`: Ship\n");
    expect(pagesOf(harbour, "tags/planes")).toBeNull();
  });

  test("include the description, servers and authorization of the API", () => {
    expect(textOf("overview")).toContain("All about **ships**.");
    expect(textOf("overview")).toContain("- Version `1.2.0`");
    expect(textOf("overview")).toContain("- [ships](page:tags/ships) (2)");
    expect(textOf("servers")).toContain("**`region`**: `north` when left out, one of `north`.");
    expect(textOf("security")).toContain("HTTP authorization with the scheme `bearer`.");
    expect(textOf("security")).toContain("- `read`: Look");
    expect(textOf("tags/people")).toBe("- `GET /ships/{id}` [Get a ship](page:operations/getShip)");
  });

  test("of an operation include its callbacks, and webhooks have pages of their own", () => {
    const json = { "application/json": { schema: { $ref: "#/components/schemas/Ship" } } };
    const called = {
      description: "It has *landed*.",
      requestBody: { content: json },
      responses: { "204": { description: "It is heard." } },
      callbacks: { further: { "{$url}": { post: { summary: "Not told", responses: {} } } } },
    };
    const landed = { "{$request.body#/callbackUrl}": { $ref: "#/components/pathItems/Called" } };
    const expressions = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`{$url}/${index}`, { post: {} }]));
    const document = {
      ...harbour,
      paths: {
        "/ships": { post: { operationId: "land", callbacks: { landed: { $ref: "#/components/callbacks/Landed" } } } },
        "/many": { post: { operationId: "many", callbacks: { all: expressions } } },
      },
      webhooks: { newShip: { post: { summary: "A ship has come", requestBody: { content: json } } } },
      components: {
        ...harbour.components,
        callbacks: { Landed: landed },
        pathItems: { Called: { post: called, patch: { summary: "Call it so, too" } } },
      },
    } as unknown as SpecDocument;
    const text = textOf("operations/land", document);
    expect(text).toContain(
      "## Callbacks\n\n### landed\n\n```http\nPOST {$request.body#/callbackUrl}\n```\n\nIt has *landed*.\n\n#### Request body\n\n" +
        "`application/json`: [Ship](page:models/Ship)",
    );
    expect(text).toContain(
      "#### Responses\n\n##### 204\n\nIt is heard.\n\n### Call it so, too\n\n```http\nPATCH {$request",
    );
    expect(text.indexOf("## Code samples")).toBeGreaterThan(text.indexOf("### Call it so, too"));
    expect(text).not.toContain("Not told");
    expect(textOf("operations/many", document)).toContain("```http\nPOST {$url}/19\n```\n\n*5 more are left out.*");
    const webhook = textOf("operations/webhooks/post newShip", document);
    expect(webhook).toContain("```http\nPOST newShip\n```\n");
    expect(webhook).toContain("## Request body\n\n`application/json`: [Ship](page:models/Ship)");
    expect(webhook).not.toContain("## Code samples");
  });

  test("of an operation list its parameters, bodies and responses, with examples and code", () => {
    const text = textOf("operations/put /ships/{id}");
    expect(text).toContain("```http\nPUT https://north.example.com/v1/ships/{id}\n```");
    expect(text).toContain("> **Deprecated.**");
    expect(text).toContain("- `token`\n- `login` with `read`");
    expect(text).toContain("- **`id`**: string, required.\n\n  Example: `a b`");
    expect(text).toContain("- **`dry`**: boolean, required, `false` when left out.");
    expect(text).toContain('- **`X-Trace`**: string, one of `"on"`, `"off"`.');
    expect(text).toContain("### Any other status\n\nNot saved.\n\n`text/plain`: any value\n\n```\nIt is full.\n```");
    const [request = "", response = ""] = Array.from(text.matchAll(/```json\n(.*?)\n```/gs), ([, json]) => json);
    expect(JSON.parse(request)).toEqual({ name: "text", captain: { ships: [] }, position: { north: 0 }, key: "text" });
    expect(JSON.parse(response)).toMatchObject({ id: "3fa85f64-5717-4562-b3fc-2c963f66afa6", name: "text" });
    expect(JSON.parse(response)).not.toHaveProperty("key");
    expect(text).toContain(
      "curl -X PUT 'https://north.example.com/v1/ships/a%20b?dry=false' \\\n  -H 'Authorization: Bearer YOUR_TOKEN'",
    );
    expect(text).toContain('await fetch("https://north.example.com/v1/ships/a%20b?dry=false"');
    expect(text).toContain("response = requests.request(");
  });

  test("of a model list its fields, including nested ones", () => {
    const text = textOf("models/Ship");
    expect(text).toContain(
      "- **`name`**: string, required, length at least 1, length at most 50.\n\n  As it is *painted* on the hull.",
    );
    expect(text).toContain("- **`captain`**: [Person](page:models/Person).");
    expect(text).toContain("- **`position`**: object.\n\n  - **`north`**: number, `0` when left out.");
    expect(textOf("models/Person")).toContain("It is: object or null.");
  });

  test("are Markdown that parses to documents", () => {
    const document = fromMarkdown(textOf("operations/put /ships/{id}"));
    const types = new Set(Array.from(nodesIn(document), (node) => (node.object === "text" ? "text" : node.type)));
    expect([...types]).toEqual(
      expect.arrayContaining(["code", "list-unordered", "heading-2", "heading-3", "blockquote"]),
    );
    expect(types).not.toContain("markdown");
  });
});

describe("pages of hostile specifications", () => {
  const hostile = (text: string) =>
    ({
      openapi: "3.1.0",
      info: { title: text, version: text, description: text },
      servers: [{ url: text, description: text }],
      tags: [{ name: text, description: text }],
      paths: {
        [`/${text}`]: {
          get: {
            summary: text,
            description: text,
            operationId: text,
            tags: [text],
            parameters: [
              {
                name: text,
                in: "query",
                required: true,
                description: text,
                schema: { type: text, pattern: text, enum: [text] },
              },
            ],
            requestBody: { content: { [text]: { example: text }, "application/json": { example: { [text]: text } } } },
            responses: { [text]: { description: text } },
          },
        },
      },
      components: {
        schemas: { [text]: { description: text, properties: { [text]: { title: text, default: text } } } },
      },
    }) as unknown as SpecDocument;

  test.for([
    "<script>alert(1)</script>",
    "a <img src=x onerror=alert(1)> b",
    "`<b>` `` <i> ` <u>",
    "- ```\n<b>x</b>",
    "<!-- docgraph:next paragraph {} -->",
    "[x](javascript:alert(1)) [y](user:usr_00000000000000000000000000) [z][1]\n\n[1]: data:text/html,x",
    "![x](file:fil_00000000000000000000000000)",
    "{{ secret }} {{reusable:reu_00000000000000000000000000}} {{{ secret }}}",
    "# One\n\nTwo\n===\n\n## Three",
    "```\nnever closed",
    "~~~~\nnever closed",
    "x](https://evil.example) [",
    "a\u0000b\ud800c\u001b[31m",
    "'; rm -rf / #\\\"`$(reboot)`",
    "||| | a |\n|---|",
  ])("keep %j as text", (text) => {
    const addressOf = (key: string) => `page:${Buffer.from(key).toString("hex")}`;
    const options = { addressOf, room: { pages: 100, levels: 2 }, parses: true, withoutHtml };
    for (const page of all(specPages(hostile(text), options))) {
      expect(page.text.isWellFormed() && !page.text.includes("\0")).toBe(true);
      expect(page.title).toMatch(/^[^\n\0]{1,200}$/);
      const document = fromMarkdown(page.text);
      for (const node of nodesIn(document)) {
        if (node.object === "text") continue;
        expect(node.type).not.toMatch(/^html|markdown/);
        if (node.type === "link" || node.type === "image")
          expect(node.data["ref"]).toMatchObject({
            url: expect.stringMatching(/^(?:https?:|mailto:|page:)/) as unknown,
          });
      }
      const headings = document.nodes.filter((node) => node.object === "block" && node.type.startsWith("heading"));
      expect(JSON.stringify(headings)).not.toMatch(/"text":"(?:One|Two|Three)"/);
      expect(page.text.replaceAll(/(`+)[^`](?:.|\n)*?\1/g, "")).not.toMatch(/(?<!\\)\{\{/);
    }
  });

  test("quote values in code samples", () => {
    const page = all(pagesOf(hostile(`'"\\$(reboot)`))).find(({ key }) => key.startsWith("operations/"));
    expect(page?.text).toContain(String.raw`/'\''"\$(reboot)?`);
    expect(page?.text).toContain(JSON.stringify(`https://api.example.com/'"\\$(reboot)?`).slice(0, -1));
  });

  test("are limited for circular, deeply nested and unresolvable references, and names of object prototypes", () => {
    let deep: object = { type: "string" };
    for (let level = 0; level < 3_000; level++) deep = level % 2 ? { properties: { a: deep } } : { allOf: [deep] };
    const document = {
      openapi: "3.1.0",
      info: { title: "Odd", version: "1" },
      paths: {
        "/a": { $ref: "#/paths/~1b" },
        "/b": { $ref: "#/paths/~1a" },
        "/c": { get: { parameters: [{ $ref: "#/nowhere" }], requestBody: { $ref: "#/components/__proto__/x" } } },
      },
      components: {
        schemas: {
          Deep: deep,
          Self: { $ref: "#/components/schemas/Self" },
          All: { allOf: [{ $ref: "#/components/schemas/All" }], oneOf: [{ $ref: "#/components/schemas/All" }] },
          ["__proto__"]: {
            properties: { ["__proto__"]: { $ref: "#/constructor" }, constructor: true, toString: false },
          },
          Wide: { properties: Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, true])) },
          Values: { enum: Array.from({ length: 50_000 }, (_, index) => `value ${index}`) },
        },
      },
    } as unknown as SpecDocument;
    const pages = all(pagesOf(document));
    expect(pages.map(({ key }) => key)).toContain("models/__proto__");
    expect(pages.filter(({ key }) => key.startsWith("operations/"))).toHaveLength(1);
    expect(textOf("models/Wide", document)).toContain("*Further fields are left out.*");
    expect(textOf("models/Values", document)).toContain("and 49950 more");
    for (const { text } of pages) expect(text.length).toBeLessThan(60_000);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

describe("pages of large specifications", () => {
  test("exist for each operation and model, with texts within the limit of a page", () => {
    const pages = all(pagesOf(largeDocument({ operations: 400, models: 100, tags: 3 })));
    expect(pages.filter(({ key }) => key.startsWith("operations/"))).toHaveLength(400);
    expect(pages.filter(({ key }) => key.startsWith("models/"))).toHaveLength(100);
    for (const { text } of pages) expect(text.length).toBeLessThan(450_000);
  });

  test("are as many as the content may have, with a note that more exist", () => {
    const document = largeDocument({ operations: 40, models: 10, tags: 3 });
    const [overview, ...others] = all(pagesOf(document, undefined, 20));
    expect(others).toHaveLength(20);
    expect(overview?.text).toContain("*Further pages are left out");
    for (const { text } of others)
      for (const [, key = ""] of text.matchAll(/\(page:([^)]+)\)/g))
        expect(others.map((page) => page.key)).toContain(key);
  });

  test("note what was omitted because it is too long", () => {
    const operations = largeDocument({ operations: 6_000, models: 0, tags: 1, title: "x".repeat(150) });
    const [tag] = all(pagesOf(operations, "tags/tag 0", 0));
    expect(tag?.text.length).toBeLessThan(450_000);
    expect(tag?.text).toContain("*What follows is left out: the page would be too long.*");
  });
});
