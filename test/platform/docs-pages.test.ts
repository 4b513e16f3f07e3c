// docgraph's own pages: the scripts, links and anchors of all of them, and the pages and search of the documentation.
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { pathOfDoc, readNavigation } from "#src/base/documentation.ts";
import { addressOf, headingsOf, linkPages, parseDoc, sectionsOf } from "#src/server/pages/docs/markdown.ts";
import { indexOf, longestQuery, search } from "#src/server/pages/docs/search-index.ts";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";

const { app } = await useApp();
const { pages, groups } = await readNavigation();

const browser = { headers: { accept: "text/html,*/*;q=0.8" }, redirect: "manual" } as const;
const ask = (path: string, init: RequestInit = browser) => fetch(new URL(path, app.url), init);
const textOf = async (path: string) => (await ask(path)).text();
const searchFor = (query: string) => textOf(`/docs?${new URLSearchParams({ q: query })}`);
const linksIn = (text: string) => Array.from(text.matchAll(/\shref="([^"]+)"/g), ([, link = ""]) => link);
const anchorsIn = (text: string) => Array.from(text.matchAll(/\sid="([^"]+)"/g), ([, id = ""]) => id);
const addressesIn = (text: string) =>
  Array.from(text.matchAll(/\s(?:href|src)="([^"]*)"/g), ([, address = ""]) => address);

/** The element of the list of all pages. */
const navigationIn = (text: string) => /<nav id="docs-pages"[^]*?<\/nav>/.exec(text)?.[0] ?? "";

describe("a page of the documentation", { timeout: 60_000 }, () => {
  test.each(pages)("$path is served with the navigation and its neighbours", async ({ path }) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    const text = await answer.text();
    expect(text.match(/<h1/g)).toHaveLength(1);
    const listed = linksIn(navigationIn(text));
    expect(listed.slice(0, pages.length)).toEqual(pages.map((page) => page.path));
    expect(listed).toContain("/reference/settings");
    expect(navigationIn(text)).toMatch(new RegExp(`href="${path}" aria-current="page"`));
    const at = pages.findIndex((page) => page.path === path);
    for (const [rel, page] of [["prev", pages[at - 1]] as const, ["next", pages[at + 1]] as const])
      expect(new RegExp(`<a rel="${rel}" href="([^"]+)"`).exec(text)?.[1]).toBe(page?.path);
  });

  test("is grouped by its readers in the order of the table of README.md", () => {
    expect(groups.flatMap((group) => group.pages)).toEqual(pages.slice(1));
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
  });

  test("is also served as Markdown", async () => {
    for (const page of pages) {
      const path = page.name === null ? "/README.md" : `${page.path}.md`;
      const answer = await ask(path, { headers: { accept: "text/markdown" } });
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
      expect(await answer.text()).toBe(await readFile(pathOfDoc(page), "utf8"));
      expect(await textOf(page.path)).toContain(`href="${path}"`);
    }
    const plain = await ask("/README.md", { headers: { accept: "text/plain" } });
    expect(plain.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });
});

/** One page of each kind. */
const builtIn =
  "/ /graphql /docs /docs?q=token /reference /reference/graphql /reference/rest /reference/settings".split(" ");

test.each(builtIn)("%s runs only its own scripts and accepts only GET", async (path) => {
  const answer = await ask(path, browser);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const policy = answer.headers.get("content-security-policy") ?? "";
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
  expect(nonce.length).toBeGreaterThan(20);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.split("style-src")[0]).not.toContain("unsafe");
  const text = await answer.text();
  for (const [script] of text.matchAll(/<script[^>]*>/g)) expect(script).toContain(`nonce="${nonce}"`);
  expect(text).not.toMatch(/<script[^>]*>[^<]|<style|\son\w+=/);
  expect((await ask(path, { method: "HEAD", ...browser })).status).toBe(200);
  const again = await ask(path, browser);
  expect(again.headers.get("content-security-policy")).not.toBe(policy);
  if (path === "/graphql") return;
  const posted = await ask(path, { method: "POST", body: "x" });
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

/** The targets of links into GraphiQL's explorer: a type or a field. */
const isInSchema = (place: string): boolean => {
  const [type = "", field] = place.split(".");
  const found = schema.getType(type);
  return found !== undefined && (field === undefined || ("getFields" in found && field in found.getFields()));
};

test("every link and anchor on every page leads somewhere, and no anchor is on a page twice", async () => {
  const seen = new Map<string, Set<string>>();
  const start = ["/", ...pages.map(({ path }) => path)];
  const links = start.map((path): [from: string, to: URL] => ["the start", new URL(path, app.url)]);
  for (let link = links.pop(); link; link = links.pop()) {
    const [from, to] = link;
    let anchors = seen.get(to.pathname + to.search);
    if (!anchors) {
      const answer = await ask(to.pathname + to.search);
      expect(answer.status, `${to.href} on ${from}`).toBe(200);
      const isPage = answer.headers.get("content-type")?.startsWith("text/html") ?? false;
      const text = isPage ? await answer.text() : "";
      const found = anchorsIn(text);
      anchors = new Set(found);
      expect(anchors.size, to.href).toBe(found.length);
      seen.set(to.pathname + to.search, anchors);
      for (const address of addressesIn(text)) {
        const next = new URL(address.replace("http://127.0.0.1:4000", app.url), to);
        if (next.origin === new URL(app.url).origin) links.push([to.href, next]);
      }
    }
    const anchor = decodeURIComponent(to.hash.slice(1));
    const [, place] = to.pathname === "/graphql" ? anchor.split("docs=") : [];
    if (place !== undefined) expect(isInSchema(place), to.href).toBe(true);
    else if (anchor !== "") expect(anchors, `${to.href} on ${from}`).toContain(anchor);
  }
  expect(seen.size).toBeGreaterThan(20);
}, 120_000);

test.each(["/docs/none", "/docs/none.md", "/docs/..%2fREADME", "/docs/constructor", "/docs/navigation.ts"])(
  "%s is a 404 page with the navigation",
  async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    const text = await answer.text();
    expect(text).toContain("<h1>Not found</h1>");
    expect(linksIn(navigationIn(text))).toContain("/docs");
  },
);

test.each([
  ["/readme", "/docs"],
  ["/docs/", "/docs"],
  ["/docs/none/", "/docs/none"],
])("%s redirects to %s", async (path, location) => {
  const answer = await ask(path);
  expect([answer.status, answer.headers.get("location")]).toEqual([308, location]);
});

test.each(["/docs", "/docs/none", "/readme", "/README.md", "/reference"])("%s refuses a POST", async (path) => {
  const answer = await ask(path, { method: "POST", body: "x" });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

describe("the search of the documentation", { timeout: 60_000 }, () => {
  test("links to the anchors of sections, with the words marked", async () => {
    const text = await searchFor("Query");
    expect(text).toMatch(/<p role="status">\d+ sections? for “Query”\./);
    expect(text).toMatch(/<mark>quer[^<]*<\/mark>/i);
    const results = linksIn(/<ol class="results">[^]*<\/ol>/.exec(text)?.[0] ?? "");
    expect(results.length).toBeGreaterThan(3);
    for (const link of results) {
      const [path = "", anchor = ""] = link.split("#");
      expect(anchorsIn(await textOf(path)), link).toContain(decodeURIComponent(anchor));
    }
    expect(text).toContain('value="Query"');
  });

  test("finds a row of a reference by its name, also by /docs/search", async () => {
    expect(linksIn(await textOf("/docs/search?q=metrics_port"))).toContain("/reference/settings#METRICS_PORT");
    expect(linksIn(await searchFor("IDEMPOTENCY_KEY_REUSED"))).toContain("/reference/errors#IDEMPOTENCY_KEY_REUSED");
  });

  test("says that a word is missing, or that nothing was found", async () => {
    for (const query of ["", " \t", "%%%"])
      expect((await ask(`/docs?q=${encodeURIComponent(query)}`)).status).toBe(200);
    expect(await searchFor(" ")).toContain("Type a word to search for.");
    expect(await searchFor("xyzzyplugh")).toContain("Nothing was found for “xyzzyplugh”.");
    expect(await searchFor("token xyzzyplugh")).toContain("No section has all words of “token xyzzyplugh”.");
  });

  test.each([
    `<script>alert(1)</script>`,
    `"><img src=x onerror=alert(1)>`,
    "' onfocus='alert(1)",
    "</title><script>alert(1)</script>",
    "(((((.*)+)+)+$",
    "\u0000\uD800 token",
    "&lt;script&gt;",
  ])("shows the query %j as text", async (query) => {
    const answer = await ask(`/docs?q=${encodeURIComponent(query.toWellFormed())}`);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<script[^>]*>[^<]|<img|<[^>]*\son\w+=|<\/title><script/);
    const shown = /<input[^>]*\svalue="([^"]*)"/.exec(text)?.[1] ?? "";
    const decoded = shown.replaceAll(/&#(\d+);/g, (_match, code: string) => String.fromCharCode(Number(code)));
    expect(decoded).toBe(query.toWellFormed().trim());
  });

  test("reads a bounded part of a long query", async () => {
    const text = await searchFor("token ".repeat(1000));
    expect(/<input[^>]*\svalue="([^"]*)"/.exec(text)?.[1]?.length).toBeLessThanOrEqual(longestQuery);
    expect(search(indexOf([]), Array.from({ length: 50 }, (_, index) => `word${index}`).join(" ")).words).toHaveLength(
      10,
    );
  });

  const entry = { href: "/docs#a", page: "Page", title: "Title", text: "", isRow: false };

  test("puts a title before a text, a whole word before its beginning, and sections before rows", () => {
    const entries = [
      { ...entry, href: "text", text: "a merge of two" },
      { ...entry, href: "row", title: "merge", isRow: true },
      { ...entry, href: "title", title: "Merge" },
      { ...entry, href: "beginning", title: "Merged" },
      { ...entry, href: "part", text: "mergeChangeRequest and MERGE_LIMIT" },
    ];
    const found = search(indexOf(entries), "merge").found.map(({ entry: { href } }) => href);
    expect(found[0]).toBe("title");
    expect(found).toHaveLength(5);
    expect(found.indexOf("title")).toBeLessThan(found.indexOf("row"));
    expect(search(indexOf(entries), "change request").found.map(({ entry: { href } }) => href)).toEqual(["part"]);
  });
});

describe("Markdown", () => {
  test.each([
    ["http.md#batches", "/docs/http#batches"],
    ["src/docs/x.md", null],
    ["../../README.md", "/docs"],
    ["../../README.md#start", "/docs#start"],
    ["../server/app.ts", null],
    ["#here", "#here"],
    ["/reference/settings", "/reference/settings"],
    ["https://example.com/a.md", "https://example.com/a.md"],
    ["mailto:security@example.com", "mailto:security@example.com"],
  ])("of a page in src/docs has the link %s lead to %s", (url, address) => {
    expect(addressOf(url, "src/docs/graphql.md")).toBe(address);
  });

  test("of README.md links to pages by their files", () => {
    expect(addressOf("src/docs/http.md#batches", "README.md")).toBe("/docs/http#batches");
    const tree = parseDoc("[a](src/docs/a.md), [b **c**](src/run.js) and [d]\n\n[d]: src/docs/d.md\n");
    linkPages(tree, "README.md");
    expect(JSON.stringify(tree)).not.toContain("run.js");
    expect(JSON.stringify(tree)).toContain('"/docs/d"');
  });

  test("has the anchors of GitHub", () => {
    const tree = parseDoc("# A page\n\n## `GET /v1/x`: a & b\n\n## Twice\n\ntext\n\n### Twice\n\n## Über_uns, *ja*!\n");
    expect(headingsOf(tree).map(({ anchor }) => anchor)).toEqual([
      "a-page",
      "get-v1x-a--b",
      "twice",
      "twice-1",
      "über_uns-ja",
    ]);
  });

  test("is divided into sections with the text below each heading", () => {
    const tree = parseDoc(
      "# One\n\nA *b*.\n\n| c | d |\n| - | - |\n| e | f |\n\n## Two\n\n```js\nlet g\n```\n\n<!-- no -->\n",
    );
    expect(sectionsOf(tree).map(({ title, text }) => [title, text])).toEqual([
      ["One", "A b. c d e f"],
      ["Two", "let g"],
    ]);
  });
});
