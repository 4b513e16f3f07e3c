// The reader of published sites and spaces over HTTP: every view, and what is around a page.
import { pino } from "pino";
import { expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { giveTree } from "#test/features/content/factory.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { visitorOf } from "#test/features/content/visiting.ts";
import { useApp } from "#test/support/app.ts";

const lines: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => lines.push(line) });
const { app, world } = await useApp({ log });

/** The response to a request of a reader. */
async function read(path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await fetch(app.url + path, { headers: { accept: "text/html", ...headers }, redirect: "manual" });
  return { status: answer.status, headers: answer.headers, body: await answer.text() };
}

/** The element of a page that begins with this text. */
const part = (body: string, start: string, end: string): string => {
  const at = body.indexOf(start);
  return at < 0 ? "" : body.slice(at, body.indexOf(end, at) + end.length);
};

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*(>|$)/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

async function makeSite(site: Parameters<typeof makePublished>[2] = {}) {
  const made = await makePublished(app, world, { agentsContext: "included", ...site });
  const spaceId = made.spaces.guide.id;
  const edit = (...edits: Parameters<typeof editAs>[2][]) => editAs(app.as(made.admin.token), { spaceId }, ...edits);
  return { ...made, spaceId, edit, root: `/published/${made.siteId}` };
}

test("a page has the sections, the tree, breadcrumbs, its neighbours and metadata around its text", async () => {
  const { root, edit } = await makeSite();
  const chapter = newPage("Chapter", { markdown: "# One\n\n## Two\n\nText" });
  await edit(
    chapter.edit,
    newPage("Below", { parentId: chapter.pageId, description: "About it", markdown: "Text" }).edit,
  );
  const { status, body, headers } = await read(`${root}/docs/guide/chapter/below`);
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(body).toContain("<title>Below · Docs</title>");
  expect(textOf(part(body, '<nav class="tabs"', "</nav>"))).toBe("Start Docs");
  expect(textOf(part(body, '<nav class="tree"', "</nav>"))).toBe("Welcome Setup Chapter Below");
  expect(part(body, '<nav class="tree"', "</nav>")).toMatch(
    new RegExp(`<a\\s+href="${root}/docs/guide/chapter/below"\\s+aria-current="page"`),
  );
  expect(textOf(part(body, '<nav class="breadcrumbs"', "</nav>"))).toBe("Docs Chapter");
  expect(textOf(part(body, '<nav class="beside"', "</nav>"))).toBe("Previous Chapter");
  expect(textOf(part(body, '<p class="metadata"', "</p>"))).toMatch(/^Last updated on \w+ \d+, \d{4}$/);
  const address = `${app.url}${root}/docs/guide/chapter/below`;
  expect(body).toContain(`<link rel="canonical" href="${address}" />`);
  expect(body).toContain('<meta property="og:title" content="Below" />');
  expect(body).toContain('<meta name="description" content="About it" />');
  const [, list = ""] = /ld\+json">(.*?)<\/script>/.exec(body) ?? [];
  const { itemListElement } = JSON.parse(list) as { itemListElement: { name: string; item: string }[] };
  expect(itemListElement.map(({ name }) => name)).toEqual(["Docs", "Docs", "Chapter", "Below"]);
  expect(itemListElement.at(-1)?.item).toBe(address);
  const above = (await read(`${root}/docs/guide/chapter`)).body;
  expect(textOf(part(above, '<aside class="outline"', "</aside>"))).toBe("On this page One Two");
});

test("a text that begins with the title of its page shows it once, with the anchor of the heading", async () => {
  const { root, edit, spaceId, admin } = await makeSite();
  const page = newPage("Set up & run", { markdown: "# **Set up** & run {#start}\n\n## One\n\n## Two\n\nText" });
  await edit(page.edit, newPage("Other", { markdown: "# Others\n\nText" }).edit);
  const inApp = await visitorOf(app, admin);
  const bodies = [
    (await read(`${root}/docs/guide/set-up-run`)).body,
    (await inApp.read(`/app/spaces/${spaceId}/pages/${page.pageId}`)).body,
  ];
  for (const body of bodies) {
    expect(body.match(/<h1[^>]*>[^]{0,60}/g)).toEqual([expect.stringContaining('<h1 id="start"')]);
    expect(textOf(part(body, '<aside class="outline"', "</aside>"))).toBe("On this page One Two");
  }
  const other = (await read(`${root}/docs/guide/other`)).body;
  expect(other.match(/<h1[^]*?<\/h1>/g)?.map(textOf)).toEqual(["Other", "Others"]);
});

test("the address of a site, section or site space shows its first page", async () => {
  const { root } = await makeSite();
  for (const path of ["", "/docs", "/docs/guide"]) {
    const { status, body } = await read(root + path);
    expect([path, status, textOf(part(body, "<h1", "</h1>"))]).toEqual([path, 200, "Welcome"]);
  }
});

test("the layout of a page turns off what it says", async () => {
  const { root, edit } = await makeSite();
  const layout = {
    width: "WIDE",
    title: false,
    description: false,
    tableOfContents: false,
    outline: false,
    pagination: false,
    metadata: false,
  } as const;
  const page = newPage("Plain", { description: "About it", layout, markdown: "# One\n\n# Two" });
  await edit(page.edit);
  const { body } = await read(`${root}/docs/guide/plain`);
  expect(body).toContain('<body class="wide">');
  expect(body).toContain('<h1 class="hidden">');
  expect(body).toContain('class="page-columns bare"');
  for (const absent of ['class="lead"', 'class="outline"', 'class="beside"', 'class="metadata"'])
    expect([absent, body.includes(absent)]).toEqual([absent, false]);
});

test("a page that does not exist is a 404 with the navigation, and never asks to sign in on an open site", async () => {
  const { root, spaceId } = await makeSite();
  const { status, body, headers } = await read(`${root}/docs/guide/none`);
  expect([status, headers.get("x-robots-tag")]).toEqual([404, "noindex"]);
  expect(textOf(part(body, '<nav class="tree"', "</nav>"))).toBe("Welcome Setup");
  expect(body).not.toContain("/sign-in");
  expect((await read(`${root}/api`)).status).toBe(404);
  expect((await read(`/published/${spaceId}`)).status).toBe(401); // the space itself is private
  expect((await read("/published/none")).status).toBe(401);
});

// GitbookIO/gitbook#168, #603, #2971 and #3024
test("a path that does not exist is a 404 for every client, in every spelling, and in GraphQL", async () => {
  const { root, siteId } = await makeSite();
  for (const path of [
    "nothing",
    "docs/guide/Nothing",
    "docs/guide/nothing.md",
    "docs/guide/nothing.html",
    "docs/%20",
    "a/b/c",
  ])
    for (const accept of ["text/html,*/*;q=0.8", "*/*"]) {
      const { status, headers } = await read(`${root}/${path}`, { accept });
      expect([path, accept, status, headers.get("www-authenticate")]).toEqual([path, accept, 404, null]);
    }
  const { data, errors } = await app
    .as(null)
    .graphql<{ publishedSite: { page: null } }>(
      `{ publishedSite(by: { id: "${siteId}" }) { page(path: "docs/guide/nothing") { title } } }`,
    );
  expect([data?.publishedSite?.page ?? null, errors?.[0]?.extensions["code"] ?? null]).toEqual([null, "NOT_FOUND"]);
});

test("other spellings and former paths of a page lead to it", async () => {
  const { root, edit } = await makeSite();
  const page = newPage("Moving", { markdown: "Text" });
  await edit(page.edit);
  await edit({ updatePage: { pageId: page.pageId, slug: "moved" } });
  for (const [from, to] of [
    [`${root}/docs/guide/moved/`, `${root}/docs/guide/moved`],
    [`${root}/docs/guide/moved/?q=a`, `${root}/docs/guide/moved?q=a`],
    [`${root}/Docs/Guide/MOVED`, `${root}/docs/guide/moved`],
    [`${root}/docs/guide/moving`, `${root}/docs/guide/moved`],
  ] as const) {
    const { status, headers } = await read(from);
    expect([from, status, headers.get("location")]).toEqual([from, 308, to]);
  }
});

test("a link leads to its target, and a group lists its pages", async () => {
  const { root, edit } = await makeSite();
  const group = newPage("Group", { type: "GROUP" });
  const inside = newPage("Inside", { parentId: group.pageId, description: "About it", markdown: "Text" });
  const link = newPage("Elsewhere", { type: "LINK", target: "https://www.example.com/a" });
  const bad = newPage("Nowhere", { type: "LINK", target: "page:pag_00000000000000000000000000" });
  await edit(group.edit, inside.edit, link.edit, bad.edit);
  const { status, headers } = await read(`${root}/docs/guide/elsewhere`);
  expect([status, headers.get("location")]).toEqual([307, "https://www.example.com/a"]);
  expect((await read(`${root}/docs/guide/nowhere`)).status).toBe(200);
  const { body } = await read(`${root}/docs/guide/group`);
  expect(textOf(part(body, '<ul class="below"', "</ul>"))).toBe("Inside About it");
});

test("a search works as a form, with sections and marked words", async () => {
  const { root, edit } = await makeSite();
  const page = newPage("Lighthouse", { markdown: "# Lamp\n\nThe lamp & the bell." });
  await edit(page.edit);
  const { status, body, headers } = await read(`${root}?q=lamp`);
  expect([status, headers.get("x-robots-tag"), headers.get("cache-control")]).toEqual([
    200,
    "noindex",
    "private, no-cache",
  ]);
  const results = part(body, '<div id="results">', "</div>");
  expect(textOf(results)).toBe("1 page for “lamp” Lighthouse Docs › Guide Lamp The lamp &#38; the bell.");
  expect(results).toContain("<mark>lamp</mark>");
  expect(results).toContain(`href="${root}/docs/guide/lighthouse#lamp"`);
  expect((await read(`${root}?q=nothing-like-this`)).body).toContain("No page matches");
  expect((await read(`${root}?q=`)).body).toContain("Enter words");
});

test("editors get a link to edit the page, and nobody else does", async () => {
  const { root, admin, outsider } = await makeSite();
  const edits = async (token: string | null) =>
    (await read(root, token === null ? {} : { authorization: `Bearer ${token}` })).body.includes("Edit this page");
  expect([await edits(admin.token), await edits(outsider.token), await edits(null)]).toEqual([true, false, false]);
});

test("the site map and robots.txt name public pages alone", async () => {
  const { root, edit } = await makeSite();
  await edit(newPage("Unlisted", { noRobotsIndex: true, markdown: "Text" }).edit);
  const all = { accept: "*/*" };
  const map = await read(`${root}/sitemap.xml`, all);
  expect([map.status, map.headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
  expect([...map.body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, at]) => at)).toEqual([
    `${app.url}${root}/docs/guide/welcome`,
    `${app.url}${root}/docs/guide/setup`,
  ]);
  expect((await read(`${root}/robots.txt`, all)).body).toContain(`Sitemap: ${app.url}${root}/sitemap.xml`);
  const unlisted = await makeSite({ visibility: "unlisted" });
  expect((await read(`${unlisted.root}/robots.txt`, all)).body).toContain("Disallow: /\n");
  expect((await read(`${unlisted.root}/sitemap.xml`, all)).body).not.toContain("<loc>");
  expect((await read(unlisted.root)).headers.get("x-robots-tag")).toBe("noindex");
  expect((await read(root)).headers.get("x-robots-tag")).toBeNull();
});

test("caches may keep what anybody may read, and a reader who has a page gets a 304", async () => {
  const { root } = await makeSite();
  const { headers, body } = await read(root);
  expect(headers.get("cache-control")).toBe("public, max-age=60");
  // Its compressed form is made once, and is that of the same version.
  for (const coding of ["gzip", "gzip", "br", "identity"]) {
    const again = await read(root, { "accept-encoding": coding });
    expect([again.body, again.headers.get("etag")]).toEqual([body, headers.get("etag")]);
  }
  expect((await read(root, { "if-none-match": headers.get("etag") ?? "" })).status).toBe(304);
  expect(headers.get("content-security-policy")).toContain("script-src 'self'; style-src 'self'");
});

test("assets have the hash of their content in their names, and are kept for ever", async () => {
  const { root } = await makeSite();
  const { body } = await read(root);
  const assets = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, address = ""]) => address);
  expect(assets.length).toBe(4);
  for (const address of assets) {
    const { status, headers } = await read(address, { accept: "*/*" });
    expect([address, status, headers.get("cache-control")]).toEqual([
      address,
      200,
      "public, max-age=31536000, immutable",
    ]);
  }
  expect((await read("/assets/reader.0000000000.css", { accept: "*/*" })).status).toBe(404);
});

test("the appearance of a site is that of its pages", async () => {
  const { root, siteId, admin } = await makeSite();
  await app.as(admin.token).query(`mutation {
    updateSiteCustomization(input: { siteId: "${siteId}", title: "Harbour", primaryColor: "#2563eb", footer: "The end",
      headerLinks: [{ title: "Status", url: "https://status.example.com" }] }) { site { id } } }`);
  const { body, headers } = await read(root);
  expect(textOf(part(body, '<a class="brand"', "</a"))).toBe("Harbour");
  expect(part(body, '<nav class="links"', "</nav>")).toContain('href="https://status.example.com"');
  expect(textOf(part(body, '<footer class="bottom"', "</footer>"))).toBe("The end");
  expect(body).toMatch(/<style>:root \{ --accent: light-dark\(#[\da-f]{6}, #[\da-f]{6}\); \}<\/style>/);
  expect(headers.get("content-security-policy")).toMatch(/style-src 'self' 'sha256-[\w+/=]{44}'/);
});

/** The SQL statements of the last request. */
function statementsOfLast(): number {
  const line = lines.findLast((one) => one.includes('"msg":"request"')) ?? "{}";
  return (JSON.parse(line) as { statements: number }).statements;
}

test("a page costs the same number of statements in a site of any size, and fewer after the first time", async () => {
  const statements: number[][] = [];
  for (const count of [2, 50]) {
    const { root, spaces } = await makeSite();
    await giveTree(app.database, spaces.guide.revisionId, count);
    const each: number[] = [];
    for (let time = 0; time < 2; time++) {
      expect((await read(`${root}/docs/guide/page-0`)).status).toBe(200);
      each.push(statementsOfLast());
    }
    statements.push(each);
  }
  expect(statements[0]).toEqual(statements[1]);
  expect(statements[0]?.[1]).toBe(2); // the address of the site, which gateways keep, and its version
  expect(statements[0]?.[0]).toBeLessThan(6);
});

test("a page shows each change at once, and to each reader what they may see", async () => {
  const { root, edit, siteId, admin, siteSpaces } = await makeSite();
  const page = newPage("Often read", { markdown: "Before" });
  await edit(page.edit);
  const path = `${root}/docs/guide/often-read`;
  expect((await read(path)).body).toContain("Before");
  await edit({ updatePage: { pageId: page.pageId, markdown: "After" } });
  expect((await read(path)).body).toContain("After");
  const does = (mutation: string) => app.as(admin.token).query(`mutation { ${mutation} }`);
  await does(`updateSite(input: { siteId: "${siteId}", title: "Another title" }) { site { id } }`);
  expect((await read(path)).body).toContain("Another title");
  expect((await read(path, { authorization: `Bearer ${admin.token}` })).body).toContain("Edit this page");
  expect((await read(path)).body).not.toContain("Edit this page");
  const condition = "visitor.claims.staff";
  const update = { where: { id: siteSpaces.guide }, data: { condition } };
  await app.database.prisma.siteSpace.update(update);
  expect((await read(path)).status).toBe(404);
});

test("readers are notified of changes of a page that they see, and of nothing else", async () => {
  const { root, edit, admin, spaces } = await makeSite();
  const abort = new AbortController();
  const headers = { accept: "text/event-stream" };
  const answer = await fetch(`${app.url}${root}?changes`, { headers, signal: abort.signal });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
  const messages = readMessages(answer);
  expect((await messages.next()).value).toBe("Ready");
  await editAs(app.as(admin.token), { spaceId: spaces.inside.id }, newPage("Hidden", { markdown: "Text" }).edit);
  await edit(newPage("Shown", { markdown: "Text" }).edit);
  expect((await messages.next()).value).toBe("PublishedContentChanged");
  await app.as(admin.token).query(`mutation { unpublishSite(input: { siteId: "${root.slice(11)}" }) { site { id } } }`);
  abort.abort();
  const closed = await fetch(`${app.url}${root}?changes`, { headers });
  expect(await closed.text()).toContain("NOT_FOUND");
});

/** The types of the messages of a stream of server-sent events. */
async function* readMessages({ body }: Response): AsyncGenerator<string> {
  let text = "";
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const [, type] = /"__typename":"(\w+)"/.exec(event) ?? [];
      if (type !== undefined) yield type;
    }
  }
}
