// Visibility of specifications and their versions in every list and lookup; and the URLs that need no token.
import { describe, expect, test } from "vitest";
import { addProcessedSpec, keepDocument, smallDocument } from "#test/features/openapi/factory.ts";
import { useApp } from "#test/support/app.ts";

let now = new Date("2026-03-02T23:59:00Z");
// Has its own database: the clock decides which sources of the whole database are due.
const { app, world } = await useApp({ own: true, clock: { now: () => now } });
await keepDocument(app.files, smallDocument);

const made = await world.organization();
const organizationId = made.organization.id;
const { secret, open } = await world.insert((rows) => ({
  secret: addProcessedSpec(rows, { organizationId, slug: "secret" }),
  open: addProcessedSpec(rows, { organizationId, slug: "open", visibility: "public" }),
}));

const members = ["admin", "creator", "reviewer", "editor", "commenter", "reader", "teamOwner"] as const;
const others = ["guest", "invitedGuest", "teamGuest", "disabled", "outsider"] as const;

/** Ways to a specification and its version; each returns both ids. */
const ways: Readonly<Record<string, (of: typeof open) => string>> = {
  node: ({ spec, version }) => `{ spec: node(id: "${spec.id}") { id } version: node(id: "${version.id}") { id } }`,
  slug: ({ spec }) =>
    `{ openApiSpec(organizationId: "${organizationId}", slug: "${spec.slug}") { id lastVersion { id } } }`,
  "slug, and version by id": ({ spec, version }) =>
    `{ openApiSpec(organizationId: "${organizationId}", slug: "${spec.slug}") { id version(id: "${version.id}") { id } } }`,
  "the specification of a version": ({ version }) =>
    `{ node(id: "${version.id}") { ... on OpenApiSpecVersion { id spec { id versions { nodes { id } } } } } }`,
};

describe.each(Object.keys(ways))("specifications read by %s", (way) => {
  const idsSeen = async (name: (typeof members)[number] | (typeof others)[number], of: typeof open) => {
    const { data } = await app.as(made.people[name].token).graphql(ways[way]?.(of) ?? "");
    return [of.spec.id, of.version.id].filter((id) => JSON.stringify(data ?? null).includes(id)).length;
  };
  test.each(members)("are visible to %s, private and public", async (name) => {
    expect([await idsSeen(name, secret), await idsSeen(name, open)]).toEqual([2, 2]);
  });
  test.each(others)("are visible to %s only if public", async (name) => {
    expect([await idsSeen(name, secret), await idsSeen(name, open)]).toEqual([0, 2]);
  });
});

test("lists of specifications contain all for members and the public ones for guests", async () => {
  const list = `{ organization(id: "${organizationId}") { openApiSpecs { totalCount nodes { slug permissions { view edit } } } } }`;
  const listed = async (name: "creator" | "reader" | "guest") =>
    (await app.as(made[name].token).query(list))["organization"];
  const of = (slug: string, edit: boolean) => ({ slug, permissions: { view: true, edit } });
  const both = (edit: boolean) => ({ openApiSpecs: { totalCount: 2, nodes: [of("secret", edit), of("open", edit)] } });
  expect(await listed("creator")).toEqual(both(true));
  expect(await listed("reader")).toEqual(both(false));
  expect(await listed("guest")).toEqual({ openApiSpecs: { totalCount: 1, nodes: [of("open", false)] } });
});

test("a public specification and its content are visible in /v1 to everyone who is signed in", async () => {
  const path = (slug: string) => `/v1/orgs/${organizationId}/openapi/${slug}/versions/latest/content`;
  const status = async (name: "reader" | "outsider", slug: string) =>
    (await app.as(made.people[name].token).rest("GET", path(slug))).status;
  expect([await status("reader", "secret"), await status("reader", "open")]).toEqual([200, 200]);
  expect([await status("outsider", "secret"), await status("outsider", "open")]).toEqual([404, 200]);
});

const urls = `{ url content { url urls { source public } } files { url } spec { urls { published } } }`;
interface Urls {
  readonly node: {
    readonly url: string;
    readonly content: {
      readonly url: string;
      readonly urls: { readonly source: string; readonly public: string | null };
    };
    readonly files: readonly { readonly url: string }[];
    readonly spec: { readonly urls: { readonly published: string | null } };
  };
}
const urlsOf = async ({ version }: typeof open) =>
  (await app.as(made.admin.token).query<Urls>(`{ node(id: "${version.id}") { ... on OpenApiSpecVersion ${urls} } }`))
    .node;

test("the URLs of a public specification are open to everyone as long as it is public", async () => {
  const { url, content, files, spec } = await urlsOf(open);
  expect(content.urls).toEqual({ source: url, public: url });
  const addresses = [url, files[0]?.url ?? "", spec.urls.published ?? ""];
  const statuses = async () => Promise.all(addresses.map(async (address) => (await fetch(address)).status));
  expect(addresses.some((address) => address.includes("?"))).toBe(false);
  expect(await (await fetch(url)).json()).toEqual(smallDocument);
  expect(await statuses()).toEqual([200, 200, 200]);
  const answer = await fetch(url);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "access-control-allow-origin": "*",
    "cache-control": "no-cache",
  });
  const known = await fetch(url, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } });
  expect(known.status).toBe(304);
  const update = `mutation ($input: UpdateOpenApiSpecInput!) { updateOpenApiSpec(input: $input) { openApiSpec { visibility } } }`;
  const change = (visibility: string) =>
    app.as(made.admin.token).query(update, { input: { organizationId, slug: "open", visibility } });
  await change("PRIVATE");
  expect(await statuses()).toEqual([404, 404, 404]);
  await change("PUBLIC");
  expect(await statuses()).toEqual([200, 200, 200]);
});

test("the URLs of a private specification are signed individually and valid until the end of the next day", async () => {
  const { url, content, files, spec } = await urlsOf(secret);
  const status = async (address: string) => (await fetch(address)).status;
  const file = files[0]?.url ?? "";
  expect([content.url, spec.urls.published]).toEqual([url, null]);
  expect(content.urls).toEqual({ source: url, public: null });
  expect([await status(url), await status(file)]).toEqual([200, 200]);
  const [path = "", query = ""] = url.split("?");
  const [filePath = ""] = file.split("?");
  const later = query.replace(/expires=\d+/, "expires=9999999999");
  const wrong = [
    path,
    `${path}?${later}`,
    `${filePath}?${query}`,
    `${url}x`,
    url.replace(secret.version.id, open.spec.id),
  ];
  const latest = `${app.url}/openapi/${secret.spec.id}/openapi.json?${query}`;
  expect(await Promise.all([...wrong.slice(0, 4), latest].map(status))).toEqual([404, 404, 404, 404, 404]);
  expect(await status(wrong[4] ?? "")).toBe(200); // that of the public one needs no signature
  now = new Date("2026-03-03T23:59:59Z");
  expect([await status(url), (await urlsOf(secret)).url === url]).toEqual([200, false]);
  now = new Date("2026-03-04T00:00:00Z");
  expect(await status(url)).toBe(404);
});

test("other paths below the URLs of specifications return 404", async () => {
  const { id } = open.version;
  for (const path of [
    "",
    `${id}`,
    `${id}/x`,
    `${id}/files/x`,
    `${id}/files/%E0%A4%A`,
    "spc_x/openapi.json",
    `${id}/openapi.json/`,
  ])
    expect((await fetch(`${app.url}/openapi/${path}`)).status).toBe(404);
  expect((await fetch(`${app.url}/openapi/${id}/openapi.json`, { method: "POST" })).status).toBe(405);
});
