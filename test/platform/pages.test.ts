// docgraph's own pages: viewers, assets and reference content, and URLs in the start banner and in /v1.
import { isIntrospectionType, parse, validate } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { errorCodes, requestCodes } from "#src/base/errors.ts";
import { schema } from "#src/schema.ts";
import { banner } from "#src/server/process/serve.ts";
import { examples } from "#src/server/pages/start-page.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();
let viewer: Person;
let token: string;
beforeAll(async () => {
  viewer = (await world.space()).admin;
  token = viewer.token;
});

const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, app.url), { redirect: "manual", ...init });
const textOf = async (path: string, init: RequestInit = {}) => (await ask(path, init)).text();
const browser = { headers: { accept: "text/html,*/*;q=0.8" } };

describe("a built-in page", () => {
  test("/ shows the signed-in user without secrets", async () => {
    expect(await textOf("/")).toContain("You are not signed in");
    const { cookie } = await signIn(app, { userId: viewer.id });
    const answer = await ask("/", { headers: { cookie } });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const text = await answer.text();
    expect(text).toContain(viewer.displayName);
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

describe("URLs", () => {
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
    expect(await posted.json()).toEqual({ data: { viewer: { displayName: viewer.displayName } } });
    expect((await ask("/nothing/")).status).toBe(404);
  });
});

test("unknown query parameters of /v1 are named in the response", async () => {
  const { status, headers } = await app.as(token).rest("GET", "/v1/orgs?lmit=3&limit=1&a%0Ab=1");
  expect([status, headers.get("x-docgraph-unknown-parameters")]).toEqual([200, "lmit, a%0Ab"]);
  expect((await app.as(token).rest("GET", "/v1/orgs?limit=3")).headers.has("x-docgraph-unknown-parameters")).toBe(
    false,
  );
});
