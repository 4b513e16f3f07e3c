// Responses that shared caches may store: public content requested without credentials. All other responses are
// private.
import { beforeAll, describe, expect, test } from "vitest";
import { giveContent } from "#test/features/content/factory.ts";
import { makePublished } from "#test/features/published-sites/scene.ts";
import { addSamlProvider } from "#test/features/saml/factory.ts";
import { signIn } from "#test/features/sessions/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const shareKey = "key-of-the-link";

/** URLs by content. */
const open: Record<string, string> = {};
const closed: Record<string, string> = {};
let credentials: Record<string, Record<string, string>>;

beforeAll(async () => {
  const site = await makePublished(app, world);
  const shared = await makePublished(app, world, { visibility: "share_link", shareKey });
  const { space, reader } = await world.space({ space: { visibility: "public" } });
  const unlisted = await world.space({ space: { visibility: "unlisted" } });
  const linked = await world.space({ space: { visibility: "share_link", shareKey } });
  for (const { revisionId } of [space, unlisted.space, linked.space])
    await giveContent(app.database, revisionId, ["Start"], "Text\n");
  const provider = { entityID: "https://idp.example.com", ssoURL: "https://idp.example.com/sso", certificate: "any" };
  await world.insert((rows) => addSamlProvider(rows, { organizationId: site.organizationId, ...provider }));
  const published = (of: { organizationId: string; siteId: string }) =>
    `/v1/orgs/${of.organizationId}/sites/${of.siteId}/published`;
  Object.assign(open, {
    "a site in /v1": published(site),
    "the page of a site": `/published/${site.siteId}`,
    "a page on a site": `/published/${site.siteId}/docs/guide/setup`,
    "a public space": `/published/${space.id}`,
    "an unlisted space": `/published/${unlisted.space.id}/start`,
  });
  const query = encodeURIComponent(`{ publishedSite(by: { id: "${site.siteId}" }) { siteId } }`);
  Object.assign(closed, {
    "a site by a link, in /v1": `${published(shared)}?shareKey=${shareKey}`,
    "a site by a link": `/published/${shared.siteId}/${shareKey}`,
    "a space by a link": `/published/${linked.space.id}/${shareKey}/start`,
    "an answer of GraphQL": `/graphql?query=${query}`,
    "ways to sign in": `/v1/orgs/${site.organizationId}/sso`,
  });
  const { cookie } = await signIn(app, { userId: reader.id, at: new Date() });
  credentials = {
    "a token": { authorization: `Bearer ${reader.token}` },
    "a session": { cookie, "x-docgraph-csrf": "1" },
    "another cookie": { cookie: "theme=dark" },
    "a token of a visitor": { "x-visitor-token": "of.a.visitor" },
  };
});

const ask = (address: string, headers: Record<string, string> = {}) =>
  fetch(app.url + address, { headers: { accept: "*/*", ...headers }, redirect: "error" });
const isPrivate = /^(private, no-cache|no-store)$/;

describe.each(["a site in /v1", "the page of a site", "a page on a site", "a public space", "an unlisted space"])(
  "%s",
  (name) => {
    test("may be cached for a minute and is revalidated by its ETag", async () => {
      const answer = await ask(open[name] ?? "");
      const { status, headers } = answer;
      expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=60"]);
      expect(headers.get("set-cookie")).toBeNull();
      const again = await ask(open[name] ?? "", { "if-none-match": headers.get("etag") ?? "" });
      expect([again.status, again.headers.get("cache-control")]).toEqual([304, "public, max-age=60"]);
    });

    test("has a Vary header with all headers it depends on", async () => {
      for (const headers of [{}, ...Object.values(credentials), { origin: "https://other.example.com" }]) {
        const vary = (await ask(open[name] ?? "", headers)).headers.get("vary") ?? "";
        expect(vary.split(/, */)).toEqual(
          expect.arrayContaining(["origin", "authorization", "cookie", "x-visitor-token"]),
        );
      }
    });

    test("has `cache-control: private` when the request carries credentials", async () => {
      for (const [which, headers] of Object.entries(credentials)) {
        const answer = await ask(open[name] ?? "", headers);
        expect([which, answer.status]).toEqual([which, 200]);
        expect(answer.headers.get("cache-control")).toMatch(isPrivate);
      }
      expect((await ask(`${open[name]}?at=now`)).headers.get("cache-control")).toMatch(isPrivate);
    });
  },
);

test("responses that need a share key or are not published content are private", async () => {
  for (const [name, address] of Object.entries(closed)) {
    const answer = await ask(address);
    expect([name, answer.status]).toEqual([name, 200]);
    expect(answer.headers.get("cache-control"), name).toMatch(isPrivate);
  }
});

test("responses for missing and unpublished content are private", async () => {
  for (const address of ["/published/sit_none", `${open["a site in /v1"]?.replace(/sit_\w+/, "sit_none")}`]) {
    const answer = await ask(address);
    expect(answer.status).toBeGreaterThan(400);
    expect(answer.headers.get("cache-control")).toMatch(isPrivate);
  }
  const { siteId, organizationId } = await makePublished(app, world, { published: false });
  const answer = await ask(`/v1/orgs/${organizationId}/sites/${siteId}/published`);
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "private, no-cache"]);
});
