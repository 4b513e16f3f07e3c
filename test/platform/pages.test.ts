// docgraph's own pages: access, content security policy, reference content, and that all their links and all URLs in
// responses resolve.
import { isIntrospectionType, parse, validate } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { errorCodes, requestCodes } from "#src/base/errors.ts";
import { seedDemo } from "#src/demo/seed.ts";
import { schema } from "#src/schema.ts";
import { banner } from "#src/server/process/serve.ts";
import { examples } from "#src/server/pages/start-page.ts";
import { processSpecs } from "#test/features/openapi/processing.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { isFullSize } from "#test/support/runs.ts";
import { useApp } from "#test/support/app.ts";

// On its own database: the demo is made once in a database.
const { app } = await useApp({ own: true });
let token: string;
beforeAll(async () => {
  ({ token } = await seedDemo(app));
  await processSpecs(app);
});

const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, app.url), { redirect: "manual", ...init });
const textOf = async (path: string, init: RequestInit = {}) => (await ask(path, init)).text();
const pages = ["/", "/graphql", "/docs", "/docs?q=token", "/reference", "/reference/graphql", "/reference/rest"];
const browser = { headers: { accept: "text/html,*/*;q=0.8" } };

describe("a built-in page", () => {
  test.each([...pages, "/reference/settings"])("%s runs only its own scripts and accepts only GET", async (path) => {
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

  test("/ shows the signed-in user without secrets", async () => {
    expect(await textOf("/")).toContain("You are not signed in");
    const { id: userId } = await app.database.prisma.user.findUniqueOrThrow({
      where: { email: "mara.lindqvist@example.com" },
    });
    const { cookie } = await signIn(app, { userId });
    const answer = await ask("/", { headers: { cookie } });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const text = await answer.text();
    expect(text).toContain("Mara Lindqvist");
    expect(text).not.toContain(cookie.split("=")[1]);
    expect(await textOf("/", { headers: { authorization: "Bearer dg_wrong" } })).toContain("You are not signed in");
  });

  test("its assets are cached until they change", async () => {
    const css = await ask("/assets/site.css", { headers: { "accept-encoding": "gzip" } });
    expect([css.status, css.headers.get("content-type"), css.headers.get("content-encoding")]).toEqual([
      200,
      "text/css; charset=utf-8",
      "gzip",
    ]);
    const etag = css.headers.get("etag") ?? "";
    expect((await ask("/assets/site.css", { headers: { "if-none-match": etag } })).status).toBe(304);
    for (const path of ["/assets/../wire.ts", "/assets/%2e%2e/wire.ts", "/assets/constructor", "/assets/"])
      expect((await ask(path)).status, path).toBe(404);
  });
});

test("the examples of the home page are valid against the schema", () => {
  for (const { document } of examples) expect(validate(schema, parse(document))).toEqual([]);
});

/** The targets of links into GraphiQL's explorer: a type or a field. */
const isInSchema = (place: string): boolean => {
  const [type = "", field] = place.split(".");
  const found = schema.getType(type);
  return found !== undefined && (field === undefined || ("getFields" in found && field in found.getFields()));
};

describe("the reference of GraphQL", () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];

  test("lists every operation and type with its description and a link to the explorer", async () => {
    const text = await textOf("/reference/graphql");
    const operations = roots.flatMap((root) =>
      Object.values(root?.getFields() ?? {})
        .filter(({ deprecationReason }) => deprecationReason == null)
        .map(({ name, description }) => ({ name, description, place: `${root?.name}.${name}` })),
    );
    const types = Object.values(schema.getTypeMap())
      .filter((type) => !isIntrospectionType(type) && !roots.some((root) => root === type))
      .map(({ name, description }) => ({ name, description, place: name }));
    expect(Math.min(operations.length, types.length)).toBeGreaterThan(100);
    const entries = text.split('<li id="').slice(1);
    expect(entries).toHaveLength(operations.length + types.length);
    const listed = new Map(entries.map((entry) => [entry.slice(0, entry.indexOf('"')), entry]));
    for (const { name, description, place } of [...operations, ...types]) {
      expect(listed.get(name)).toContain(`<a href="/graphql#docs=${place}">${name}</a>`);
      expect(listed.get(name)).toContain(description?.split(/[`'"&<\n]/)[0] ?? "");
    }
  });

  test("redirects former pages of types to their entries", async () => {
    const text = await textOf("/reference/graphql");
    for (const [path, location] of [
      ["Space", "/reference/graphql#Space"],
      ["CreateCommentInput", "/reference/graphql#CreateCommentInput"],
      ["Mutation", "/reference/graphql"], // browsers keep the anchor
    ] as const) {
      const answer = await ask(`/reference/graphql/${path}`);
      expect([answer.status, answer.headers.get("location")]).toEqual([308, location]);
      const [, anchor] = location.split("#");
      if (anchor !== undefined) expect(text).toContain(`<li id="${anchor}">`);
    }
    for (const name of ["Spac", "constructor", "%3Cscript%3E"])
      expect((await ask(`/reference/graphql/${name}`, browser)).status).toBe(404);
    expect((await ask("/reference/graphql?q=space", browser)).status).toBe(200); // the former search URL
  });
});

test("the reference of errors lists every code with its status and what to do", async () => {
  const text = await textOf("/reference/errors");
  for (const [code, { status, remedy }] of Object.entries({ ...errorCodes, ...requestCodes })) {
    const row = new RegExp(`<tr id="${code}">[\\s\\S]*?</tr>`).exec(text)?.[0] ?? "";
    expect(row).toContain(`>${status}</td>`);
    expect(remedy).toMatch(/^[A-Z`].*\.$/);
    expect(row).toContain(remedy.split(/[`'"&<]/)[0]);
  }
});

describe("links and URLs", () => {
  test("of all pages resolve, including anchors", { timeout: 120_000 }, async () => {
    const seen = new Map<string, Set<string>>();
    const links: [from: string, to: URL][] = [["the start", new URL("/", app.url)]];
    for (let link = links.pop(); link; link = links.pop()) {
      const [from, to] = link;
      let anchors = seen.get(to.pathname + to.search);
      if (!anchors) {
        const answer = await ask(to.pathname + to.search, browser);
        expect(answer.status, `${to.href} on ${from}`).toBe(200);
        const isPage = answer.headers.get("content-type")?.startsWith("text/html") ?? false;
        const text = await answer.text();
        anchors = new Set(isPage ? [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id) : []);
        seen.set(to.pathname + to.search, anchors);
        const found = isPage ? text.matchAll(/\s(?:href|src)="((?:https?:\/\/127|[/#])[^"]*)"/g) : [];
        for (const [, address = ""] of found) {
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
  });

  test("of the start banner respond", async () => {
    const facts = { url: app.url, data: "here", demoToken: token, demoTokenFile: "here", isEmpty: false, warnings: [] };
    const onTerminal = banner({ ...facts, isTerminal: true });
    expect(onTerminal.split(token)).toHaveLength(3); // alone, and in the curl command
    const printed = [...onTerminal.matchAll(/(?:https?|ws):\/\/[^\s"]+/g)].map(([address]) => address);
    expect(printed.length).toBeGreaterThan(3);
    for (const address of new Set(printed.map((one) => one.replace(/^ws/, "http"))))
      expect((await ask(address, browser)).status, address).toBe(200);
  });

  test("/v1 is a public index", async () => {
    const { status, body } = await app.as(null).rest<Record<string, unknown>>("GET", "/v1");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: expect.any(String) as string,
      version: "1.0.0",
      entries: { listOrganizations: "/v1/orgs" },
    });
    const { entries, name: _name, version: _version, build: _build, ...links } = body;
    for (const path of [...Object.values(links), ...Object.values(entries as object)])
      expect(
        (await ask(String(path), { headers: { ...browser.headers, authorization: `Bearer ${token}` } })).status,
        String(path),
      ).toBe(200);
  });

  test("with a trailing slash redirect to the URL without it", async () => {
    for (const path of ["/graphql/", "/v1/", "/v1/orgs/", "/README.md/", "/reference/rest/"]) {
      const answer = await ask(`${path}?limit=1`, { method: "GET" });
      expect([answer.status, answer.headers.get("location")], path).toEqual([308, `${path.slice(0, -1)}?limit=1`]);
    }
    const posted = await fetch(`${app.url}/graphql/`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ query: "{ viewer { displayName } }" }),
    });
    expect(await posted.json()).toEqual({ data: { viewer: { displayName: "Mara Lindqvist" } } });
    expect((await ask("/nothing/")).status).toBe(404);
  });

  interface Described {
    readonly parameters?: readonly { readonly in?: string; readonly required?: boolean }[];
  }

  test("in responses of /v1 lead to their resources", { timeout: 60_000 }, async () => {
    const as = app.as(token);
    const { paths } = (await as.rest<{ paths: Record<string, { get?: Described }> }>("GET", "/v1/openapi.json")).body;
    const organizations = (await as.rest<{ items: { id: string }[] }>("GET", "/v1/orgs")).body.items;
    const below: Record<string, string[]> = { organizationId: organizations.map(({ id }) => id), spaceId: [] };
    const addresses = new Set<string>();
    const read = async (path: string) => {
      const { status, body } = await as.rest("GET", path);
      expect([200, 403], path).toContain(status); // admins of the other organization read more
      const text = JSON.stringify(body);
      for (const [, address = ""] of text.matchAll(/"(?:location|app|public|published)":"(http[^"]+)"/g))
        addresses.add(address);
      for (const [, id = ""] of text.matchAll(/"id":"(spc_\w+)"/g)) below["spaceId"]?.push(id);
    };
    const isAskable = ({ parameters = [] }: Described) => !parameters.some((one) => one.in === "query" && one.required);
    for (const name of ["organizationId", "spaceId"])
      for (const [path, { get }] of Object.entries(paths)) {
        if (!get || !isAskable(get) || path.split("{").length !== 2 || !path.includes(`{${name}}`)) continue;
        const ids = [...new Set(below[name])];
        // Making a PDF takes long, and all of their answers are alike.
        for (const id of path.endsWith("/pdf") && !isFullSize ? ids.slice(0, 1) : ids)
          await read(path.replace(/\{\w+\}/, id));
      }
    const own = [...addresses].filter((address) => address.startsWith(app.url));
    expect(own.length).toBeGreaterThan(20);
    for (const address of inKinds(own))
      expect((await fetch(address, { headers: { authorization: `Bearer ${token}` } })).status, address).toBe(200);
  });
});

/** All addresses at full size; otherwise three of each kind: those that differ only in ids and names. */
function inKinds(addresses: readonly string[]): readonly string[] {
  if (isFullSize) return addresses;
  const kindOf = (address: string) => new URL(address).pathname.replaceAll(/[a-z]{3}_\w+|(?<=\/published\/).*/g, "…");
  return [...Map.groupBy(addresses, kindOf).values()].flatMap((alike) => alike.slice(0, 3));
}

test("unknown query parameters of /v1 are named in the response", async () => {
  const { status, headers } = await app.as(token).rest("GET", "/v1/orgs?lmit=3&limit=1&a%0Ab=1");
  expect([status, headers.get("x-docgraph-unknown-parameters")]).toEqual([200, "lmit, a%0Ab"]);
  expect((await app.as(token).rest("GET", "/v1/orgs?limit=3")).headers.has("x-docgraph-unknown-parameters")).toBe(
    false,
  );
});
