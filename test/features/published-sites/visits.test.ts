// Visits of browsers: sites at their hostname and behind a proxy, and keys and tokens that move into cookies.
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { SignJWT } from "jose";
import { pino } from "pino";
import { expect, test } from "vitest";
import { giveContent } from "#test/features/content/factory.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { useApp } from "#test/support/app.ts";
import { rawAnswer } from "#test/support/raw-http.ts";

const lines: string[] = [];
const log = pino({ level: "debug" }, { write: (line: string) => lines.push(line) });
const { app, world } = await useApp({ log, allowedHosts: ["gateway.example.com"] });

const ofBrowser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

interface Visit {
  readonly host?: string;
  readonly cookie?: string;
  readonly accept?: string;
  readonly url?: string;
}

/** The response to a GET of a browser; `fetch` would not send the header Host. */
async function visit(
  path: string,
  { host = "gateway.example.com", cookie, accept = ofBrowser, url = app.url }: Visit = {},
) {
  const headers = { host, accept, ...(cookie !== undefined && { cookie }) };
  const { port } = new URL(url);
  const response = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers }, resolve).once("error", reject).end();
  });
  const { location, "set-cookie": cookies = [], "cache-control": cache } = response.headers;
  return { status: response.statusCode, location, cookies, cache, body: await text(response) };
}

/** The cookies of a response as the browser sends them back. */
const kept = (cookies: readonly string[]) => cookies.map((cookie) => cookie.replace(/;.*$/s, "")).join("; ");

const hostOf = (siteId: string) => `docs.${siteId.slice(4).replaceAll("_", "-")}.example.com`;

async function makeAtHost(given: Parameters<typeof makePublished>[2] = {}) {
  const made = await makePublished(app, world, given);
  const host = hostOf(made.siteId);
  const data = { hostname: host, claimedHostname: host, hostnameProof: "proof", hostnameClaimedAt: new Date() };
  await app.database.prisma.site.update({ where: { id: made.siteId }, data });
  return { ...made, host };
}

async function signer({ siteId, creator }: { siteId: string; creator: { token: string } }) {
  const { rotateSiteSigningKey } = await app
    .as(creator.token)
    .query<{ rotateSiteSigningKey: { signingKey: string } }>(
      `mutation { rotateSiteSigningKey(input: { siteId: "${siteId}" }) { signingKey } }`,
    );
  const key = new TextEncoder().encode(rotateSiteSigningKey.signingKey);
  return (claims: Record<string, boolean>, until: string | number = "1h") =>
    new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).setAudience(siteId).setExpirationTime(until).sign(key);
}

test("a site is served at the root of its verified hostname, and nothing else is", async () => {
  const { host } = await makeAtHost();
  const start = await visit("/", { host });
  expect(start.status).toBe(200);
  expect(start.body).toContain('href="/docs/guide/setup"');
  expect(start.cache).toBe("public, max-age=60");
  const page = await visit("/docs/guide/setup", { host: `${host.toUpperCase()}:8443` });
  expect(page.body).toContain("Text of guide");
  for (const path of ["/graphql", "/v1", "/sign-in", "/published/x", "/healthz"])
    expect([path, (await visit(path, { host })).body.includes("<title>")]).toEqual([path, true]);
});

test("other hosts are answered as without sites", async () => {
  await makeAtHost();
  expect((await visit("/", { host: "docs.other.example.com" })).status).toBe(421);
  expect((await visit("/healthz")).status).toBe(200);
  expect((await visit("/healthz", { host: "localhost" })).status).toBe(200);
});

test("a hostname that a site claims but that is not verified does not serve it", async () => {
  const { host, siteId } = await makeAtHost();
  await app.database.prisma.site.update({ where: { id: siteId }, data: { hostname: null } });
  expect((await visit("/", { host })).status).toBe(421);
});

test("a page at the hostname of a site may open a WebSocket there", async () => {
  const { host } = await makeAtHost();
  const upgrade = (at: string, origin: string) =>
    rawAnswer(
      app.url,
      `GET /graphql HTTP/1.1\r\nhost: ${at}\r\norigin: ${origin}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-protocol: none\r\n\r\n`,
    );
  expect(await upgrade("docs.other.example.com", "https://docs.other.example.com")).toMatch(/^HTTP\/1.1 421 /);
  expect(await upgrade(host, "https://elsewhere.example.com")).toMatch(/^HTTP\/1.1 403 /);
});

test("links in texts stay at the host of the page, and contain no key", async () => {
  const shareKey = "key-of-the-link-3";
  const { host, siteId, spaces } = await makeAtHost({ visibility: "share_link", shareKey });
  await giveContent(app.database, spaces.guide.revisionId, ["Welcome", "Setup"], "See [setup](setup.md).\n");
  const cookie = `docgraph-key-${siteId}=${shareKey}`;
  const page = await visit("/docs/guide/welcome", { host, cookie });
  expect(page.body).toMatch(/href="\/docs\/guide\/setup"[^>]*>setup</);
  const path = `/published/${siteId}/docs/guide/welcome`;
  const other = await visit(path, { cookie });
  expect(other.body).toMatch(new RegExp(`href="/published/${siteId}/docs/guide/setup"[^>]*>setup<`));
  expect(page.body + other.body).not.toContain(shareKey);
});

test.each(["in the path", "in the query"])("a key %s moves into a cookie of its site", async (where) => {
  const shareKey = `key-of-the-link ${where}`.replaceAll(" ", "-");
  const { siteId } = await makePublished(app, world, { visibility: "share_link", shareKey });
  const root = `/published/${siteId}`;
  const address = where === "in the path" ? `${root}/${shareKey}/docs/guide` : `${root}/docs/guide?key=${shareKey}&q=a`;
  const { status, location, cookies, cache } = await visit(address);
  expect([status, cache]).toEqual([303, "no-store"]);
  expect(location).toBe(`${root}/docs/guide${where === "in the path" ? "" : "?q=a"}`);
  expect(cookies).toEqual([
    `docgraph-key-${siteId}=${shareKey}; Path=${root}; Max-Age=2592000; HttpOnly; SameSite=Lax`,
  ]);
  const page = await visit(String(location), { cookie: kept(cookies) });
  expect([page.status, page.cache]).toEqual([200, "private, no-cache"]);
  expect(page.body).not.toContain(shareKey);
  expect((await visit(String(location))).status).toBe(401);
  const other = await makePublished(app, world, { visibility: "share_link", shareKey: `${shareKey}-2` });
  expect((await visit(`/published/${other.siteId}`, { cookie: kept(cookies) })).status).toBe(401);
});

test("programs read a page by the key in its address, and a wrong key opens nothing", async () => {
  const shareKey = "key-of-the-link-4";
  const { siteId } = await makePublished(app, world, { visibility: "share_link", shareKey });
  const page = await visit(`/published/${siteId}/${shareKey}/docs/guide`, { accept: "*/*" });
  expect([page.status, page.cookies]).toEqual([200, []]);
  for (const path of ["/wrong/docs/guide", "/docs/guide?key=wrong", `/docs/${shareKey}/guide`])
    expect([path, await visit(`/published/${siteId}${path}`)]).toMatchObject([path, { status: 401, cookies: [] }]);
});

test("a visitor token moves from the address into a cookie, and opens what its claims open", async () => {
  const site = await makeAtHost({ visibility: "visitor_auth" });
  const { host } = site;
  const token = await (await signer(site))({ staff: true });
  expect((await visit("/", { host })).status).toBe(401);
  const { status, location, cookies } = await visit(`/docs/inside/setup?a=b&jwt_token=${token}`, { host });
  expect([status, location]).toEqual([303, "/docs/inside/setup?a=b"]);
  expect(cookies).toEqual([`docgraph-token-${site.siteId}=${token}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax`]);
  const page = await visit("/docs/inside/setup", { host, cookie: kept(cookies) });
  expect([page.status, page.cookies]).toEqual([200, []]);
  expect(page.body).toContain("Text of inside");
  expect(page.cache).not.toContain("public");
  expect(lines.join("")).not.toContain(token);
});

test.each(["expired", "foreign", "too long"])(
  "a token that is %s is removed, with a way to sign in again",
  async (kind) => {
    const site = await makeAtHost({ visibility: "visitor_auth" });
    const { host, siteId } = site;
    const sign = await signer(kind === "foreign" ? await makePublished(app, world) : site);
    const claims =
      kind === "too long" ? Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`c${at}`, true])) : {};
    const token = await sign(
      { staff: true, ...claims },
      kind === "expired" ? Math.floor(Date.now() / 1000) - 60 : "1h",
    );
    const signInUrl = "https://app.example.com/in?a=b";
    const { setSiteSignInUrl: set } = await app
      .as(site.creator.token)
      .query<{ setSiteSignInUrl: { site: object } }>(
        `mutation { setSiteSignInUrl(input: { siteId: "${siteId}", url: "${signInUrl}" }) { site { visitorAuth { signInUrl } } } }`,
      );
    expect(set.site).toEqual({ visitorAuth: { signInUrl } });
    const { status, location, cookies } = await visit(`/docs/guide?jwt_token=${token}`, { host });
    expect([status, location]).toEqual([303, "/docs/guide"]);
    const page = await visit("/docs/guide", { host, cookie: kept(cookies) });
    expect([page.status, page.cookies]).toEqual([
      401,
      [`docgraph-token-${siteId}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`],
    ]);
    expect(page.body).toContain("Your sign-in has expired");
    expect(page.body).toContain("https://app.example.com/in?a=b&#38;location=%2Fdocs%2Fguide");
  },
);

test("a redirect never leads to another server", async () => {
  const { host, siteId } = await makeAtHost();
  for (const path of ["//evil.example.com", "///evil.example.com/a", "/%2Fevil.example.com", "/%5Cevil.example.com"]) {
    const { location = "" } = await visit(`${path}?jwt_token=a.b.c`, { host });
    expect(new URL(location, `https://${host}`).host).toBe(host);
  }
  const { location } = await visit(`/published/${siteId}//evil.example.com?jwt_token=a`);
  expect(location).toBe(`/published/${siteId}/evil.example.com`);
});

test("links and cookies of a site with a proxy are those of the proxy", async () => {
  const shareKey = "key-of-the-link-5";
  const proxy = { proxyOrigin: "www.example.com", proxyTarget: "/docs/reference" };
  const { siteId, creator } = await makePublished(app, world, { ...proxy, visibility: "share_link", shareKey });
  const document = `{ site(id: "${siteId}") { urls(shareKey: "${shareKey}") { published } } }`;
  const { site } = await app.as(creator.token).query<{ site: { urls: { published: string } } }>(document);
  expect(site.urls.published).toBe(`https://www.example.com/docs/reference/${shareKey}`);
  const { location, cookies } = await visit(`/published/${siteId}/${shareKey}/docs`);
  expect(location).toBe("https://www.example.com/docs/reference/docs");
  expect(cookies).toEqual([expect.stringContaining("; Path=/docs/reference;")]);
  const { body } = await visit(`/published/${siteId}/docs`, { cookie: kept(cookies) });
  // Relative, so that they lead to the proxy where the page is seen there, and to docgraph where it is seen here.
  expect(body).toContain('href="./docs/guide/setup"');
  expect(body).toMatch(/<link rel="stylesheet" href="\.\/assets\/reader\.[\w-]{10}\.css"/);
  const below = await visit(`/published/${siteId}/docs/guide/setup`, { cookie: kept(cookies) });
  expect(below.body).toContain('href="../../docs/guide/welcome"');
  const [, style = ""] = /href="\.\.\/\.\.(\/assets\/reader[^"]+)"/.exec(below.body) ?? [];
  expect((await visit(`/published/${siteId}${style}`, { accept: "text/css" })).status).toBe(200);
  expect(body).not.toContain(shareKey);
});

test("cookies are for https alone if docgraph is at https", async () => {
  const { app: secure } = await useApp({ publicUrl: "https://gateway.example.com" });
  const shareKey = "key-of-the-link-6";
  const { siteId } = await makePublished(app, world, { visibility: "share_link", shareKey });
  const headers = { accept: ofBrowser };
  const answer = await fetch(`${secure.url}/published/${siteId}/${shareKey}`, { headers, redirect: "manual" });
  expect(answer.headers.get("set-cookie")).toMatch(/; Secure$/);
});

test("keeps the site of a hostname for the configured time", async () => {
  const { app: keeping } = await useApp({ siteAgeMs: 60_000, allowedHosts: ["gateway.example.com"] });
  const { host, siteId } = await makeAtHost();
  const visited = async () => (await visit("/docs/guide/setup", { host, url: keeping.url })).status;
  expect(await visited()).toBe(200);
  const { prisma } = app.database;
  await prisma.site.update({ where: { id: siteId }, data: { hostname: null } });
  expect(await visited()).toBe(200);
  await prisma.site.update({ where: { id: siteId }, data: { published: false } });
  expect(await visited()).toBe(401);
});

test("the assets of a page are served where the page is", async () => {
  const { host } = await makeAtHost();
  const proxied = await makePublished(app, world, { proxyOrigin: "shop.example.com", proxyTarget: "/docs" });
  const styleIn = (body: string) => /<link rel="stylesheet" href="([^"]+)"/.exec(body)?.[1] ?? "";
  const atHost = styleIn((await visit("/docs/guide/setup", { host })).body);
  expect((await visit(atHost, { host, accept: "text/css" })).status).toBe(200);
  const behind = styleIn((await visit(`/published/${proxied.siteId}/docs/guide/setup`)).body);
  expect(behind).toMatch(/^(\.\.\/)*\.{1,2}\/assets\//); // also where the proxy shows the page
  const path = behind.replace(/^[./]+(?=\/assets)/, `/published/${proxied.siteId}`);
  expect((await visit(path, { accept: "text/css" })).status).toBe(200);
});

test("redirects from a slash at the end to the address that the visitor sees", async () => {
  const { host, siteId } = await makeAtHost();
  const proxied = await makePublished(app, world, { proxyOrigin: "wiki.example.com", proxyTarget: "/docs" });
  const redirects = async (path: string, at?: string) => {
    const { status, location } = await visit(path, at === undefined ? {} : { host: at });
    return [status, location];
  };
  expect(await redirects("/docs/guide/setup/?a=b", host)).toEqual([308, "/docs/guide/setup?a=b"]);
  expect(await redirects("//evil.example.com/", host)).toEqual([308, "/evil.example.com"]);
  expect(await redirects("/", host)).toEqual([200, undefined]);
  expect(await redirects(`/published/${siteId}/`)).toEqual([308, `/published/${siteId}`]);
  const root = `/published/${proxied.siteId}`;
  expect(await redirects(`${root}/docs/guide/setup/`)).toEqual([308, "https://wiki.example.com/docs/docs/guide/setup"]);
  expect(await redirects(`${root}/`)).toEqual([200, undefined]);
});
