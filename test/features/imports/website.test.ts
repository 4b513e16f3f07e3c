// Importing websites from a site on loopback: pages, order, texts, and omitted parts.
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { openSite } from "#src/features/imports/commands/website/open-site.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { contentOf, importAs, png, importDocument } from "#test/features/imports/importing.ts";
import { useApp } from "#test/support/app.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";

/** The server's responses by path: HTML, bytes with a type, or a redirect. */
type Site = Readonly<
  Record<string, string | readonly [type: string, content: string | Buffer] | { readonly to: string }>
>;

const sites = new Map<string, Site>();
const asked: string[] = [];
const port = await serveOnLoopback((request, response) => {
  const url = request.url ?? "/";
  asked.push(url);
  const [, name = "", path = ""] = /^\/([^/]*)(.*)$/.exec(url) ?? [];
  const site = sites.get(name) ?? {};
  const found = url === "/robots.txt" ? sites.get("robots")?.["/"] : site[path];
  if (found === undefined) response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
  else if (typeof found === "string")
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(found);
  else if ("to" in found) response.writeHead(301, { location: found.to }).end();
  else response.writeHead(200, { "content-type": found[0] }).end(found[1]);
});
const fetch = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
const { app, world } = await useApp({ fetch });

const urlOf = (name: string) => `http://127.0.0.1:${port}/${name}/`;

function serve(name: string, site: Site): string {
  sites.set(name, site);
  return urlOf(name);
}

/** A page as site generators render it: with navigation, boilerplate and a footer. */
const page = (
  title: string,
  text: string,
  navigation = "",
) => `<!doctype html><html><head><title>${title} | Handbook</title>
  <style>p { color: red }</style></head><body><header><a href="/">Home of everything</a></header>
  <nav class="sidebar">${navigation}</nav>
  <main><h1>${title}<a class="headerlink" href="#top">¶</a></h1>${text}<button>Copy</button></main>
  <footer>All rights reserved</footer><script>alert(1)</script></body></html>`;

async function importSite(url: string, more: Record<string, unknown> = {}) {
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  const input = { contentOf: { spaceId: space.id }, from: { address: { url, source: "WEBSITE" } }, ...more };
  const { importContent } = await as.query<{ importContent: Awaited<ReturnType<typeof importAs>> }>(importDocument, {
    input,
  });
  return { ...importContent, content: await contentOf(as, importContent.revision.id), as, space };
}

/** The result of opening a site, without a database. */
async function readSite(url: string, limits: { pageLimit?: number; timeLimit?: number } = {}) {
  const signal = new AbortController().signal;
  await using source = await openSite(new URL(url), { fetch, signal, report: () => {}, ...limits });
  const texts = await Promise.all(
    [...source.files.paths].map(async (path) => [path, String(await source.files.get(path)?.read())] as const),
  );
  return { texts: Object.fromEntries(texts), warnings: source.files.warnings.first.map(({ message }) => message) };
}

test("pages of a website are imported in the order of its navigation, with links and images to pages and files", async () => {
  const navigation = `<ul><li><a href="/book/">Start</a></li><li>Guide<ul><li><a href="/book/guide/install.html">Install</a></li>
    <li><a href="/book/guide/">About</a></li></ul></li><li><a href="https://other.example.com/">Elsewhere</a></li></ul>`;
  const url = serve("book", {
    "/": page(
      "Start",
      `<p>Read <a href="guide/install.html#linux">how to install</a>, <a href="#top">up</a> and <a href="https://other.example.com/a(b)">more</a>.</p>`,
      navigation,
    ),
    "/guide/": page(
      "About",
      `<p>See <a href="../index.html">the start</a> and <a href="late.html">what is late</a>.</p>`,
      navigation,
    ),
    "/guide/install.html": page(
      "Install",
      `<h2 id="linux">Linux <a href="#linux">#</a></h2><div class="highlight-shell"><pre><span>apt</span> install &lt;it&gt;</pre></div>
      <table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>
      <p><img src="../img/logo.png" alt="Logo"> <img src="/book/gone.png" alt="Gone"></p>`,
      navigation,
    ),
    "/guide/late.html": page("Late", "<p>Nobody names me.</p>", navigation),
    "/img/logo.png": ["image/png", await png(3)],
    "/other.pdf": ["application/pdf", "%PDF"],
  });
  const { content, as: _as, space: _space, revision: _revision, warnings, ...counts } = await importSite(url);
  expect(content.outline).toEqual(["index", "guide", "  install", "  guide", "    late"]);
  expect(content.texts).toEqual({
    index:
      "Read [how to install](page:guide/install#linux), [up](#top) and [more](https://other.example.com/a%28b%29).\n",
    guide: null,
    "guide/install":
      "## Linux\n\n```shell\napt install <it>\n```\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\n" +
      `![Logo](file:logo.png) ![Gone](${url}gone.png)\n`,
    "guide/guide": "See [the start](page:index) and [what is late](page:guide/guide/late).\n",
    "guide/guide/late": "Nobody names me.\n",
  });
  expect(counts).toEqual({ pageCount: 5, fileCount: 1, linkCount: 4, warningCount: 1 });
  expect(warnings.map(({ message }) => message)).toEqual([
    "The server returned 404. The imported pages still link to it.",
  ]);
});

test("a website import stays below its path; links out of it, with a query or to non-pages stay links", async () => {
  const url = serve("scope", {
    "/docs/": page(
      "Docs",
      `<p><a href="/scope/other.html">out</a> <a href="a.html?page=2">query</a> <a href="b.html">moved out</a> <a href="c.html">moved</a> <a href="data.json">data</a></p>`,
    ),
    "/docs/b.html": { to: "/scope/other.html" },
    "/docs/c.html": { to: "/scope/docs/d.html" },
    "/docs/d.html": page("D", "<p>Text of D.</p>"),
    "/other.html": page("Other", "<p>Other</p>"),
  });
  asked.length = 0;
  const { texts, warnings } = await readSite(`${url}docs/`);
  expect(texts).toEqual({
    "index.md": `[out](${url}other.html) [query](${url}docs/a.html?page=2) [moved out](${url}docs/b.html) [moved](/d.md) [data](${url}docs/data.json)\n`,
    "d.md": "Text of D.\n",
  });
  expect(warnings).toEqual(["It redirects to another site."]);
  expect(asked.filter((path) => /other|query|json/.test(path))).toEqual(["/scope/other.html"]); // by its redirect
});

test("a website import obeys robots.txt, and finds unlinked pages in site maps", async () => {
  const url = serve("robot", {
    "/": page("Start", `<p><a href="secret.html">secret</a> <a href="way.html">a way there</a></p>`),
    "/way.html": { to: "secret.html" },
    "/secret.html": page("Secret", "<p>Secret</p>"),
    "/hidden.html": page("Hidden", "<p>Hidden</p>"),
    "/map.xml": [
      "application/xml",
      `<urlset><url><loc>http://127.0.0.1:${port}/robot/hidden.html</loc></url><url><loc>http://other.example.com/</loc></url></urlset>`,
    ],
  });
  sites.set("robots", {
    "/": ["text/plain", `User-agent: docgraph\nDisallow: /robot/secret\nDisallow: /closed/\nSitemap: ${url}map.xml\n`],
  });
  asked.length = 0;
  const { texts, warnings } = await readSite(url);
  expect(Object.keys(texts)).toEqual(["index.md", "hidden.md"]);
  const notAllowed = "The robots.txt of the site disallows this page.";
  expect(warnings).toEqual([notAllowed, notAllowed]);
  await expect(readSite(serve("closed", { "/": page("Closed", "") }))).rejects.toThrow(
    "url: must not be read: the robots.txt",
  );
  expect(asked.filter((path) => /secret|closed/.test(path))).toEqual(["/robot/secret.html"]); // by the redirect
  sites.delete("robots");
});

test("pages of a website are imported from any form: other encodings, no main part, frames of text, data: images", async () => {
  const url = serve("forms", {
    "/": [
      "text/html",
      Buffer.from(
        `<html><head><meta charset=latin1><title>Caf\xe9 - Site</title></head><body><p>${"Ein langer Satz \xfcber K\xe4se. ".repeat(20)}</p>
        <p><a href=b>B</a> <img src="data:image/svg+xml,%3Csvg/%3E"></p></body></html>`,
        "latin1",
      ),
    ],
    "/b": `<body><h1>B</h1><div><div><p>Short.</p></div></div><div><iframe src=x></iframe><form><input></form></div>`,
  });
  const { texts, warnings } = await readSite(url);
  expect(texts["index.md"]).toMatch(
    /^(?:Ein langer Satz über Käse\. ?){20}\n\n\[B\]\(\/b\.md\) !\[\]\(\/images\/image\.svg\)\n$/,
  );
  const frame = `{% embed url="${url}x" %}`;
  expect([texts["b.md"], texts["images/image.svg"], warnings]).toEqual([`Short.\n\n${frame}\n`, "<svg/>", []]);
});

describe("a website import is limited", () => {
  const endless = serve("endless", {});
  sites.set(
    "endless",
    new Proxy(
      {},
      {
        get: (_site, path) =>
          page(
            String(path),
            `<p>Page ${String(path)} <a href="${String(path).replaceAll("/", "")}1.html">next</a> <a href="${String(path).replaceAll("/", "")}2.html">other</a></p>`,
          ),
      },
    ),
  );

  test("in pages: the first ones are imported, and the rest is counted", async () => {
    const { texts, warnings } = await readSite(endless, { pageLimit: 5 });
    expect(Object.keys(texts)).toHaveLength(5);
    expect(warnings.at(-1)).toMatch(/^The site has too many pages: \d+ are not imported/);
  });

  test("in time: nothing is imported", async () => {
    await expect(readSite(endless, { timeLimit: 1 })).rejects.toThrow("url: takes too long to be read");
  });

  test("in page size and nesting: pages beyond are omitted", async () => {
    const url = serve("hostile", {
      "/": page(
        "Start",
        `<p><a href="deep.html">deep</a> <a href="large.html">large</a> <a href="bomb.html">bomb</a> Text that stays.</p>`,
      ),
      "/deep.html": `<body>${"<div>".repeat(20_000)}deep`,
      "/large.html": `<body>${"x".repeat(3_000_001)}`,
      "/bomb.html": ["text/html", gzipSync(Buffer.alloc(10_000))],
    });
    const { texts, warnings } = await readSite(url);
    expect(Object.keys(texts).filter((path) => path !== "bomb.md")).toEqual(["index.md"]);
    expect(warnings.toSorted()).toEqual([
      "It could not be read: the response exceeds the limit.",
      "It is nested too deeply.",
    ]);
  });
});

test.each([
  ["a missing page", () => serve("empty", {}), "WEBSITE", /^url: is not an HTML page: the server returned 404/],
  [
    "a picture",
    () => `${serve("picture", { "/a": ["image/png", "x"] })}a`,
    "WEBSITE",
    /the server returned image\/png/,
  ],
  ["a private address", () => "http://10.0.0.1/", "WEBSITE", /^url: the address is not public/],
  ["a file: URL", () => "file:///etc/passwd", "WEBSITE", /must be an address that starts with https/],
  ["a page as Markdown", () => serve("html", { "/": page("A", "") }), "MARKDOWN", /Import it with the source WEBSITE/],
])("an import of %s is refused, with nothing changed", async (_what, url, source, message) => {
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  const { errors } = await as.graphql(importDocument, {
    input: { contentOf: { spaceId: space.id }, from: { address: { url: url(), source } } },
  });
  expect([errors?.[0]?.extensions.code, errors?.[0]?.message]).toEqual([
    "INVALID_INPUT",
    expect.stringMatching(message),
  ]);
  expect((await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } })).revisionId).toBe(
    space.revisionId,
  );
});

test("site maps and addresses of any form are read in one pass, with their values taken literally", async () => {
  const url = serve("odd", {
    "/": page("Odd", `<p>Text</p><img src="data:image/svg+xml,%FF"><img src="data:image/svg+xml,%3Csvg%2F%3E">`),
    "/sitemap.xml": ["application/xml", `<loc>${" ".repeat(300_000)}x<</loc><loc>\n ${urlOf("odd")}more\n</loc>`],
    "/more": page("More", "<p>More</p>"),
  });
  const { texts, warnings } = await readSite(url);
  expect(Object.keys(texts).toSorted()).toEqual(["images/image.svg", "index.md", "more.md"]);
  expect(warnings).toEqual([expect.stringContaining("this is not a web address")]);
});

test("a website import reports the number of written pages, not of found ones", async () => {
  const url = serve("gone", { "/": page("Here", `<p><a href="/gone/away">Away</a></p>`) });
  const { as, space } = await importSite(url);
  const { space: read } = await as.query<{ space: { imports: { nodes: object[] } } }>(
    `{ space(id: "${space.id}") { imports { nodes { state found read written } } } }`,
  );
  expect(read.imports.nodes).toEqual([{ state: "DONE", found: 2, read: 1, written: 1 }]);
});
