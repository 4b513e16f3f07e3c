// The six visibilities of a space for a visitor with a token for a published site that contains the space.
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { jwt } from "#test/features/sites/tokens.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const kinds = ["public", "unlisted", "share_link", "visitor_auth", "in_collection", "private"] as const;
type Kind = (typeof kinds)[number];

async function makeScene() {
  const { organization, collection, admin, people } = await world.collection();
  const organizationId = organization.id;
  const made = await world.insert((rows) => {
    const site = addSite(rows, { organizationId, visibility: "visitor_auth", adaptiveContentEnabled: true });
    const place = (visibility: Kind, condition: string | null = null) => {
      const space = addSpace(rows, { organizationId, parent: collection, visibility });
      addSiteSpace(rows, { siteId: site.id, spaceId: space.id, condition });
      return space.id;
    };
    const entries = kinds.map((kind) => [kind, place(kind)] as const);
    const forCustomers = place("visitor_auth", "visitor.claims.customer == true");
    const forTrials = place("visitor_auth", "visitor.claims.unsigned.trial");
    const elsewhere = addSpace(rows, { organizationId, parent: collection, visibility: "visitor_auth" }).id;
    // Has an entry for each kind.
    const ofKind = Object.fromEntries(entries) as Record<Kind, string>;
    return { siteId: site.id, ofKind, forCustomers, forTrials, elsewhere };
  });
  const rotate = `mutation { rotateSiteSigningKey(input: { siteId: "${made.siteId}" }) { signingKey } }`;
  const { rotateSiteSigningKey: key } = await app
    .as(admin.token)
    .query<{ rotateSiteSigningKey: { signingKey: string } }>(rotate);
  return { ...made, signingKey: key.signingKey, people };
}
let scene: Awaited<ReturnType<typeof makeScene>>;
beforeAll(async () => void (scene = await makeScene()));

const tokenOf = (claims: object = {}) => {
  const exp = Math.floor(Date.now() / 1000) + 600;
  return jwt({ alg: "HS256" }, { aud: scene.siteId, exp, ...claims }, scene.signingKey);
};

/** The REST status, and whether GraphQL finds the space with its content and as a node. */
async function read(id: string, visitorToken: string | null) {
  const headers: Record<string, string> = visitorToken === null ? {} : { "x-visitor-token": visitorToken };
  const { token } = scene.people.outsider;
  const { status } = await app.as(token).rest("GET", `/v1/spaces/${id}`, { headers });
  const query = `{ space(id: "${id}") { id content { id } changeRequests { totalCount } } node(id: "${id}") { id } }`;
  const answer = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const { data } = (await answer.json()) as {
    data: { space: { content: object; changeRequests: object | null } | null; node: object | null };
  };
  const found = data.space !== null && data.node !== null;
  return { status, found, changeRequests: data.space?.changeRequests ?? null };
}

const hidden = { status: 404, found: false, changeRequests: null };

describe("a space on a published site for a visitor with a token", () => {
  test.each(kinds)("follows its visibility: %s", async (kind) => {
    const isOpen = kind === "public" || kind === "unlisted";
    const id = scene.ofKind[kind];
    expect((await read(id, null)).found).toBe(isOpen);
    expect((await read(id, tokenOf())).found).toBe(isOpen || kind === "visitor_auth");
    expect((await read(id, tokenOf())).status).toBe(isOpen || kind === "visitor_auth" ? 200 : 404);
    expect((await read(id, tokenOf({ exp: 1 }))).found).toBe(isOpen);
  });
});

test("a condition shows a space to visitors whose claims satisfy it", async () => {
  expect(await read(scene.forCustomers, tokenOf())).toEqual(hidden);
  expect(await read(scene.forCustomers, tokenOf({ customer: "true" }))).toEqual(hidden);
  expect((await read(scene.forCustomers, tokenOf({ customer: true }))).status).toBe(200);
});

test("visitors' unsigned claims count as passed on by their token, and do not override signed claims", async () => {
  expect((await read(scene.forTrials, tokenOf({ unsigned: { trial: true } }))).status).toBe(200);
  for (const claims of [{ trial: true }, { unsigned: true }, { unsigned: { trial: "true" } }])
    expect(await read(scene.forTrials, tokenOf(claims))).toEqual(hidden);
  expect(await read(scene.forCustomers, tokenOf({ unsigned: { customer: true } }))).toEqual(hidden);
});

test("a visitor token gives no access to content that its site does not show, or after the site is unpublished", async () => {
  expect(await read(scene.elsewhere, tokenOf({ customer: true }))).toEqual(hidden);
  const publish = (published: boolean) =>
    app.database.prisma.site.update({ where: { id: scene.siteId }, data: { published } });
  await publish(false);
  expect(await read(scene.ofKind.visitor_auth, tokenOf())).toEqual(hidden);
  await publish(true);
  expect((await read(scene.ofKind.visitor_auth, tokenOf())).status).toBe(200);
});

test("a visitor token for an unknown site is ignored", async () => {
  for (const aud of ["\0", "\ud800", 5, null, {}, ["\0", scene.siteId], [["x"]]])
    expect(await read(scene.ofKind.visitor_auth, jwt({ alg: "HS256" }, { aud }, "a key")), JSON.stringify(aud)).toEqual(
      hidden,
    );
});

test("a visitor token gives no access to a space that is only on a share-link site, which needs its key", async () => {
  const site = { where: { id: scene.siteId } };
  const become = (visibility: "share_link" | "visitor_auth", shareKey: string | null) =>
    app.database.prisma.site.update({ ...site, data: { visibility, shareKey } });
  await become("share_link", `key of ${scene.siteId}`);
  expect(await read(scene.ofKind.visitor_auth, tokenOf())).toEqual(hidden);
  await become("visitor_auth", null);
  expect((await read(scene.ofKind.visitor_auth, tokenOf())).status).toBe(200);
});

test("the three-line visitor token of the documentation opens a space", async () => {
  const page = readFileSync(new URL("../../../src/docs/visitors.md", import.meta.url), "utf8");
  const [, program = ""] = /^```js\n([^]*?)```/m.exec(page) ?? [];
  const body = program.replace('import { SignJWT } from "jose";', 'const { SignJWT } = await import("jose");');
  expect(body.trim().split("\n").length).toBeLessThanOrEqual(4);
  const text = `${body.replace('import("jose")', `import("${import.meta.resolve("jose")}")`)}\nexport default token;`;
  const given = `const siteId = ${JSON.stringify(scene.siteId)}; const signingKey = ${JSON.stringify(scene.signingKey)};`;
  const module = (await import(`data:text/javascript,${encodeURIComponent(`${given}\n${text}`)}`)) as {
    default: string;
  };
  expect((await read(scene.forCustomers, module.default)).status).toBe(200);
});
