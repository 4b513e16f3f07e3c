// Whole pages of websites: a site at the root, links out of it, lazy images, pages of scripts and of redirects.
import { describe, expect, test } from "vitest";
import { openSite } from "#src/features/imports/commands/website/open-site.ts";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { contentOf, importDocument, type Imported, png } from "#test/features/imports/importing.ts";
import { useApp } from "#test/support/app.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";

let site: Readonly<Record<string, string | Buffer>> = {};
const port = await serveOnLoopback((request, response) => {
  const found = site[request.url ?? "/"];
  const type = Buffer.isBuffer(found) ? "image/png" : request.url?.endsWith(".md") ? "text/markdown" : "text/html";
  response.writeHead(found === undefined ? 404 : 200, { "content-type": type }).end(found);
});
const root = `http://127.0.0.1:${port}`;
const fetch = createSafeFetch({ allowedHosts: ["127.0.0.1"] });
const { app, world } = await useApp({ fetch });

const page = (text: string) => `<html><head><title>T</title></head><body><main><h1>T</h1>${text}</main></body></html>`;

/** The texts and warnings of a site, without a database. */
async function readSite(pages: typeof site, path = "/") {
  site = pages;
  const signal = new AbortController().signal;
  await using source = await openSite(new URL(root + path), { fetch, signal, report: () => {} });
  const texts: Record<string, string> = {};
  for (const file of source.files.paths)
    if (file.endsWith(".md")) texts[file] = String(await source.files.get(file)?.read()).trim();
  return { texts, images: [...source.files.paths].filter((file) => file.startsWith("images/")), ...warningsOf(source) };
}

const warningsOf = ({ files }: Awaited<ReturnType<typeof openSite>>) => ({
  warnings: files.warnings.first.map(({ message }) => message),
});

async function importAddress(pages: typeof site, path: string, source: "WEBSITE" | "MARKDOWN") {
  site = pages;
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  const input = { contentOf: { spaceId: space.id }, from: { address: { url: root + path, source } } };
  const imported = (await as.query<{ importContent: Imported }>(importDocument, { input })).importContent;
  const { texts, files } = await contentOf(as, imported.revision.id);
  const warnings = imported.warnings.map(({ message }) => message);
  return { texts, files: files.map(({ name }) => name).toSorted(), warnings };
}

test("links out of a site that is imported from its root stay as they are", async () => {
  const links = `<p><a href="https://other.example/x">code</a> <a href="mailto:help@other.example">mail</a> <a href="/manual.pdf">manual</a> <a href="/guide?tab=2">tab</a> <a href="/">home</a> <a href="/guide">guide</a> <a href="tel:123">call</a> <a href="//other.example/y">y</a> <a href="http://[bad">bad</a></p>`;
  const shown = (home: string, guide: string) =>
    `[code](https://other.example/x) [mail](mailto:help@other.example) [manual](${root}/manual.pdf) [tab](${root}/guide?tab=2) [home](${home}) [guide](${guide}) [call](tel:123) [y](http://other.example/y) bad\n`;
  const { texts } = await importAddress({ "/": page(links), "/guide": page(links) }, "/", "WEBSITE");
  expect(texts).toEqual({
    index: shown("page:index", "page:guide"),
    guide: shown("page:index", "page:guide"),
  });
});

const blank = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

describe("a picture that a script loads is imported from its real address", () => {
  test.each([
    ["data-src, mozilla/readability#590", `<img src="${blank}" data-src="/img/real.png" alt="A">`],
    ["data-original", `<img src="/img/placeholder.gif" data-original="img/real.png" alt="A">`],
    ["data-lazy-src", `<img data-lazy-src="/img/real.png" alt="A">`],
    [
      "data-srcset, andreskrey/readability.php#69",
      `<img src="${blank}" data-srcset="/s.png 1x, /img/real.png 2x" alt="A">`,
    ],
    ["srcset alone, mozilla/readability#748", `<img srcset="/s.png 100w, /img/real.png 400w" alt="A">`],
    ["a source of a picture", `<picture><source srcset="/img/real.png"><img src="${blank}" alt="A"></picture>`],
    [
      "a fallback without scripts, plateaukao/einkbro#408",
      `<img src="${blank}" alt="A"><noscript><img src="/img/real.png" alt="A"></noscript>`,
    ],
    ["a fallback alone", `<noscript><img src="/img/real.png" alt="A"></noscript>`],
    ["a base", `<base href="/img/"><img src="real.png" alt="A">`],
    ["its own address, with smaller ones in a set", `<img src="/img/real.png" srcset="/s.png 100w" alt="A">`],
  ])("%s", async (_what, html) => {
    const image = await png(3);
    const read = await readSite(
      { "/d/": page(`<p>${html}</p>`), "/img/real.png": image, "/d/img/real.png": image },
      "/d/",
    );
    expect(read).toEqual({
      texts: { "index.md": "![A](/images/real.png)" },
      images: ["images/real.png"],
      warnings: [],
    });
  });
});

test("a link of a script leads to its address", async () => {
  const { texts } = await readSite({ "/": page(`<a href="#" data-href="/b">b</a>`), "/b": page("B") });
  expect(texts["index.md"]).toBe("[b](/b.md)");
});

const application = `<html><head><title>Site</title></head><body><div id="root"></div><noscript>You need JavaScript</noscript><script src="/app.js"></script></body></html>`;
const signIn = `<html><body><main><h1>Welcome</h1><form><label>Name <input></label><input type="password"><button>Go</button></form></main></body></html>`;

describe("a site without text fails with the reason, and a page without text has a warning", () => {
  const withoutScripts = "It has no text without JavaScript.";
  test.each([
    ["an application, tavily-ai/tavily-mcp#204", application, withoutScripts],
    [
      "an empty root, algolia/docsearch-configs#519",
      `<body><div id="app"></div><script type="module" src="/a.js"></script></body>`,
      withoutScripts,
    ],
    [
      "a notice, worldzofai/deepseek-web-crawler#5",
      `<body><noscript>Please enable JavaScript.</noscript></body>`,
      withoutScripts,
    ],
    ["a login", signIn, "It asks readers to sign in, and has no other text."],
    ["an empty page", "<html><body></body></html>", "It has no text."],
    ["a title alone", page(""), "It has no text."],
    ["controls alone", page("<button>Go</button><nav><a href='https://other.example/'>A</a></nav>"), "It has no text."],
  ])("%s", async (_what, html, reason) => {
    await expect(readSite({ "/": html })).rejects.toThrow(`url: ${reason.replace("It ", "")}`);
    const { warnings } = await readSite({ "/": page(`<p>Text <a href="/b">b</a></p>`), "/b": html });
    expect(warnings).toEqual([reason]);
  });

  test("little text of an application has a warning, pictures are content", async () => {
    const { texts, warnings } = await readSite({
      "/": application.replace("<noscript>", "<p>Short</p><noscript>"),
    });
    expect([Object.keys(texts), warnings]).toEqual([
      ["index.md"],
      ["It has little text without JavaScript: parts of it may be missing."],
    ]);
    expect((await readSite({ "/": page(`<img src="/a.png">`), "/a.png": await png(2) })).warnings).toEqual([]);
  });

  test("nothing is written", async () => {
    await expect(importAddress({ "/": application }, "/", "WEBSITE")).rejects.toThrow(
      "url: has no text without JavaScript.",
    );
  });
});

test("links to a page that only redirects lead to its target, and it does not become a page", async () => {
  const refresh = `<html><head><meta http-equiv="Refresh" content="0; url=/docs/"></head><body></body></html>`;
  const { texts, warnings } = await readSite({ "/": refresh, "/docs/": page(`<p><a href="/">home</a> A</p>`) });
  expect([texts, warnings]).toEqual([{ "docs/index.md": "[home](/docs/index.md) A" }, []]);
});

test("a link to the heading that became the title leads to the page, and one to another heading to its id", async () => {
  const text = `<html><body><main><section id="setup"><h1>Set up</h1><h2 id="on_linux">Linux</h2><p><a href="/#setup">a</a> <a href="/#on_linux">b</a> <a href="/b#setup">c</a></p></section></main></body></html>`;
  const { texts } = await readSite({ "/": text, "/b": text });
  expect(texts["index.md"]).toBe("## Linux {#on_linux}\n\n[a](/index.md) [b](#on_linux) [c](/b.md)");
});

test("the address of a start with a query is read", async () => {
  const { texts } = await readSite({ "/docs?v=2": page("A") }, "/docs?v=2");
  expect(texts).toEqual({ "index.md": "A" });
});

test("what a page without a main part shows is kept, whatever Readability drops", async () => {
  const words = "A long sentence about the subject of the page, with commas, and more. ".repeat(12);
  const body = `<body><div class="header"><a href="https://a.example/">All</a></div><div class="post"><h1>T</h1><p>${words}</p><ul><li><input type="checkbox" checked> done</li></ul><iframe src="https://a.example/v"></iframe><div class="comment-note admonition note"><p>Careful.</p></div><pre>one<br>two</pre><p>${words}</p></div><div class="sidebar"><ul><li><a href="https://a.example/">Other</a></li></ul></div></body>`;
  const { texts } = await readSite({ "/": `<html>${body}</html>` });
  const text = texts["index.md"] ?? "";
  for (const part of ["- [x] done", '{% embed url="https://a.example/v" %}', "Careful.", "one\ntwo"])
    expect(text).toContain(part);
  expect(text).not.toMatch(/All|Other/);
});

test("a Markdown file from an address comes with its pictures, and its other relative links become absolute", async () => {
  const image = await png(4);
  const text = `---
cover: img/cover.png
---

# Hello

![logo](img/a.png) [guide](docs/guide.md#x) [top](#hello) [self](README.md#hello) [out](https://a.example/)
![gone](img/gone.png) ![up](../up.png "t") <img src=img/b.png> <a href='CONTRIBUTING.md'>c</a>

<picture><source srcset="/r/main/img/dark.png 1x"><img src="img/a%20b.png?raw=true"></picture>

[ref]

[ref]: ./LICENSE
`;
  const names = ["a", "b", "cover", "dark", "a%20b"];
  const images = Object.fromEntries(names.map((name) => [`/r/main/img/${name}.png`, image]));
  const served = { "/r/main/README.md": text, ...images, "/r/up.png": image, "/r/main/img/a%20b.png?raw=true": image };
  const { texts, files, warnings } = await importAddress(served, "/r/main/README.md", "MARKDOWN");
  const base = `${root}/r/main/`;
  expect(texts["readme"]?.split("\n").filter(Boolean)).toEqual([
    "# Hello",
    `![logo](file:a.png) [guide](${base}docs/guide.md#x) [top](#hello) [self](#hello) [out](https://a.example/)`,
    `![gone](${base}img/gone.png) ![up](file:up.png "t") <img src=file:b.png> <a href='${base}CONTRIBUTING.md'>c</a>`,
    `<picture><source srcset="file:dark.png 1x"><img src="file:a b.png"></picture>`,
    "[ref]",
    `[ref]: ${base}LICENSE`,
  ]);
  expect(files).toEqual(["a b.png", "a.png", "b.png", "cover.png", "dark.png", "up.png"]);
  expect(warnings).toEqual(["The server returned 404. The imported pages still link to it."]);
});
