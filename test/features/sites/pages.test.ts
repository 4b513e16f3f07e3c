// The pages of sites in the application, over HTTP: a site is made, published and deleted by their forms, and people
// see what they may do.
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { sitePages } from "#src/features/sites/pages/index.ts";
import { addSectionGroup, addSection, addSiteSpace, schemaOf } from "#test/features/sites/factory.ts";
import { alertsIn, formsIn, siteFor } from "#test/features/sites/site-pages.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";
import { times } from "#test/support/world.ts";

/** The values of all TXT records. */
let zone: readonly string[] = [];

const { app, world } = await useApp({ readTxtRecords: async () => zone });
const { prisma } = app.database;

test("a site is made from a space, looked at, published and unpublished", async () => {
  const { organization, space, admin } = await world.space();
  const own = await readerOf(app, admin);
  const list = `/app/orgs/${organization.id}/sites`;
  expect(textOf((await own.read(list)).body)).toContain("This organization has no sites yet.");
  const ofSpace = await own.read(`${list}?space=${space.id}`);
  expect(textOf(ofSpace.body)).toContain("No site shows this space yet.");
  expect(ofSpace.body).toMatch(new RegExp(`value="${space.id}"\\s+selected`));
  const made = await own.send(list, "site", { title: "Docs <b>", spaceId: space.id, visibility: "UNLISTED" });
  expect([made.status, made.to?.startsWith(`${list}/sit_`)]).toEqual([303, true]);
  const path = made.to ?? "";
  const siteId = path.split("/").at(-1) ?? "";
  const draft = textOf((await own.read(path)).body);
  expect(draft).toContain("Not published");
  expect(draft).toContain("Once published, for: Anyone who knows the address.");
  expect((await own.read(`/published/${siteId}`)).status).toBe(200);
  const visitor = await readerOf(app, null);
  expect((await visitor.read(`/published/${siteId}`)).status).not.toBe(200);
  expect(await own.send(path, "publish")).toMatchObject({ status: 303, to: path });
  expect((await visitor.read(`/published/${siteId}`)).status).toBe(200);
  const published = await own.read(path);
  expect(published.body).toContain(`<a class="open" href="${app.url}/published/${siteId}">`);
  expect(textOf(published.body)).toMatch(/Published since .* by Admin\. Changes/);
  expect(textOf((await own.read(list)).body)).toContain("Docs &#60;b&#62; Published");
  expect(await own.send(path, "unpublish")).toMatchObject({ status: 303, to: path });
  expect((await visitor.read(`/published/${siteId}`)).status).not.toBe(200);
});

test("a space is placed on a site that exists, or a site gets a new one; a refused title is kept", async () => {
  const { organization, space, site, own } = await siteFor(app, world, "admin");
  const list = `/app/orgs/${organization.id}/sites`;
  const placed = await own.send(`${list}?space=${space.id}`, "place", { siteId: site.id });
  expect([placed.status, placed.to]).toEqual([303, expect.stringMatching(new RegExp(`${site.id}/structure#ssp_`))]);
  const made = await own.send(list, "site", { title: "Empty", spaceId: "new", visibility: "PUBLIC" });
  expect((await own.read(made.to ?? "")).body).toContain("/app/spaces/spc_");
  const without = await own.send(list, "site", { title: "Nothing", spaceId: "", visibility: "PUBLIC" });
  expect(textOf((await own.read(without.to ?? "")).body)).toContain("Choose the spaces that it shows.");
  const refused = await own.send(list, "site", { title: "x", spaceId: "", visibility: "SHARE_LINK" });
  expect([refused.status, alertsIn(refused.body).length]).toEqual([400, 1]);
  expect(refused.body).toMatch(/name="title"[^>]*value="x"/);
  expect(refused.body).toMatch(/value="SHARE_LINK"\s+selected/);
  const elsewhere = await own.read(`${list}?space=spc_01j00000000000000000000000`);
  expect([elsewhere.status, textOf(elsewhere.body).includes("no sites yet")]).toEqual([200, true]);
});

test("the look is saved and shows the contrast that readers get", async () => {
  const { path, own, site } = await siteFor(app, world, "admin");
  const page = `${path}/look`;
  expect(textOf((await own.read(page)).body)).toContain("The site has the usual colour.");
  const look = {
    siteTitle: site.title,
    title: site.title,
    font: "SERIF",
    primaryColor: "#ffcc00",
    shownColor: "#0b6b5c",
    logoLight: "",
    logoDark: "https://example.com/dark.png",
    linkTitle: ["Status", "", "Blog"],
    linkUrl: ["https://example.com/status", "", "https://example.com/blog"],
    footer: "Made with care <3",
  };
  expect(await own.send(page, "look", look)).toMatchObject({ status: 303, to: page });
  const { body, headers } = await own.read(page);
  expect(textOf(body)).toMatch(/On light pages: #\w{6} , contrast 4\.\d\. That of #ffcc00 would be 1\.5/);
  expect(textOf(body)).toMatch(/On dark pages: #ffcc00 , contrast \d+\.\d\./);
  expect(body).toContain("Made with care &#60;3");
  expect(headers.get("content-security-policy")).toMatch(/style-src 'self' 'sha256-/);
  const stored = await prisma.site.findUniqueOrThrow({ where: { id: site.id } });
  expect(stored.customization).toEqual({
    font: "serif",
    primaryColor: "#ffcc00",
    logo: { dark: "https://example.com/dark.png" },
    headerLinks: [
      { title: "Status", url: "https://example.com/status" },
      { title: "Blog", url: "https://example.com/blog" },
    ],
    footer: "Made with care <3",
  });
  const wrong = await own.send(page, "look", { ...look, hasColor: "on", linkUrl: ["javascript:alert(1)", "", ""] });
  expect([wrong.status, alertsIn(wrong.body).length]).toEqual([400, 1]);
  expect(wrong.body).toContain(`value="javascript:alert(1)"`);
  const empty = { siteTitle: site.title, font: "SYSTEM", shownColor: "#ffcc00", primaryColor: "#ffcc00" };
  expect((await own.send(page, "look", empty)).status).toBe(303);
  expect((await prisma.site.findUniqueOrThrow({ where: { id: site.id } })).customization).toEqual({ font: "system" });
});

test("the audience, the secret link, keys and the sign-in address of visitors are set; a key is shown once", async () => {
  const { path, own, site } = await siteFor(app, world, "admin");
  const page = `${path}/visitors`;
  expect((await own.send(page, "visibility", { visibility: "SHARE_LINK" })).status).toBe(303);
  const linkIn = async () => /<span class="address">([^<]*)<\/span>/.exec((await own.read(page)).body)?.[1];
  const link = await linkIn();
  expect(link).toContain(`/published/${site.id}/`);
  expect(await own.send(page, "newLink")).toMatchObject({ status: 303, to: `${page}#link` });
  expect(await linkIn()).not.toBe(link);
  const made = await own.send(page, "newKey", { overlap: "0" });
  const key = /<code>([\w-]{43})<\/code>/.exec(made.body)?.[1];
  expect([made.status, made.headers.get("cache-control"), key === undefined]).toEqual([200, "no-store", false]);
  expect(made.body).not.toContain("live.");
  const { body } = await own.read(page);
  expect([body.includes(key ?? ""), textOf(body).includes("Current key")]).toEqual([false, true]);
  await own.send(page, "newKey", { overlap: "86400" });
  const [, former] = await prisma.siteSigningKey.findMany({
    where: { siteId: site.id },
    orderBy: { createdAt: "desc" },
  });
  expect(await own.send(page, "endKey", { id: former?.id ?? "" })).toMatchObject({ status: 303, to: `${page}#keys` });
  expect((await own.send(page, "endKey", { id: former?.id ?? "" })).status).toBe(404);
  expect(await prisma.siteSigningKey.count({ where: { siteId: site.id } })).toBe(1);
  await own.send(page, "newKey", { overlap: "0" });
  expect(await prisma.siteSigningKey.count({ where: { siteId: site.id, expiresAt: null } })).toBe(1);
  for (const form of ["signIn", "jwks"]) {
    expect((await own.send(page, form, { url: "https://example.com/in" })).status).toBe(303);
    const refused = await own.send(page, form, { url: "javascript:x" });
    expect([form, refused.status, alertsIn(refused.body).length]).toEqual([form, 400, 1]);
  }
  expect((await own.send(page, "signIn", { url: "" })).status).toBe(303);
  const stored = await prisma.site.findUniqueOrThrow({ where: { id: site.id } });
  expect([stored.signInUrl, stored.jwksUrl]).toEqual([null, "https://example.com/in"]);
  expect((await own.send(page, "newKey", { overlap: "x" })).status).toBe(400);
});

test("conditions are checked with sample claims, and a wrong schema says where it is wrong", async () => {
  const { path, own, site, section, siteSpace } = await siteFor(app, world, "admin");
  const page = `${path}/adaptive`;
  const schema = JSON.stringify(schemaOf("customer", "unsigned.beta", 'a&b"<'));
  expect(await own.send(page, "schema", { schema })).toMatchObject({ status: 303, to: page });
  const conditionOf = (condition: string) => ({ data: { condition } });
  await prisma.siteSection.update({ where: { id: section.id }, ...conditionOf("visitor.claims.customer") });
  const ofBeta = "!visitor.claims.unsigned.beta";
  await prisma.siteSpace.update({ where: { id: siteSpace.id }, ...conditionOf(ofBeta) });
  const outcomes = async (search: string) =>
    [...(await own.read(page + search)).body.matchAll(/<span class="badge (?:live)?">(Shown|Hidden)/g)].map(
      ([, outcome]) => outcome,
    );
  expect(await outcomes("")).toEqual(["Hidden", "Hidden"]);
  expect(await outcomes("?claim.customer=true&claim.unsigned.beta=false")).toEqual(["Shown", "Shown"]);
  expect(await outcomes("?claim.customer=false&claim.unsigned.beta=true")).toEqual(["Hidden", "Hidden"]);
  expect(await outcomes("?claim.__proto__=true&claim.=true&claim=x&claim.unsigned=true")).toEqual(["Hidden", "Hidden"]);
  expect((await own.read(page)).body).toContain(`name="claim.a&#38;b&#34;&#60;"`);
  for (const [text, said] of [
    ["{ nope", "not valid JSON"],
    ["[]", "not a valid adaptive schema"],
    [
      JSON.stringify({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }),
      "/properties/a",
    ],
    [JSON.stringify(schemaOf("other")), "section"],
  ] as const) {
    const refused = await own.send(page, "schema", { schema: text });
    expect([text, refused.status >= 400 && refused.status < 500]).toEqual([text, true]);
    expect(textOf(refused.body)).toContain(said);
    expect(refused.body).toContain(`>${text.replaceAll(/["']/g, (sign) => `&#${sign.charCodeAt(0)};`)}</textarea>`);
  }
  expect((await own.send(page, "switch", { enabled: "" })).status).toBe(303);
  expect(textOf((await own.read(page)).body)).toContain("Adaptive content is off");
  expect((await prisma.site.findUniqueOrThrow({ where: { id: site.id } })).adaptiveContentEnabled).toBe(false);
});

test("a hostname shows its DNS record, and is given up again; settings are saved, and the site is deleted", async () => {
  const { path, own, site, organization } = await siteFor(app, world, "admin");
  const address = `${path}/address`;
  const hostname = `docs-${site.id.slice(-6)}.example.com`.toLowerCase();
  expect((await own.send(address, "hostname", { hostname: hostname.toUpperCase() })).status).toBe(303);
  const { hostnameProof } = await prisma.site.findUniqueOrThrow({ where: { id: site.id } });
  const claimed = textOf((await own.read(address)).body);
  expect(claimed).toContain(`Name _docgraph.${hostname} Type TXT Value docgraph-site=${hostnameProof}`);
  expect(claimed).toContain("Waiting for the record");
  const found = async (...values: string[]) => {
    zone = values;
    return textOf((await own.send(address, "check")).body);
  };
  expect(await found()).toContain(`The DNS has no TXT record at _docgraph.${hostname} yet.`);
  expect(await found("other=1")).toMatch(/The DNS has other TXT records at .* other=1/);
  expect(await found(`docgraph-site=${hostnameProof}`)).toContain(
    "The record was found: the hostname serves the site.",
  );
  const wrong = await own.send(address, "hostname", { hostname: "no host" });
  expect([wrong.status, wrong.body.includes(`value="no host"`)]).toEqual([400, true]);
  expect((await own.send(address, "release")).status).toBe(303);
  expect((await own.send(address, "names", { basename: "manual", proxy: "example.com/docs" })).status).toBe(303);
  expect((await own.read(address)).body).toContain(`value="example.com/docs"`);
  const settings = { title: "Handbook", emoji: "📘", light: "", dark: "", agents: "on" };
  expect((await own.send(`${path}/settings`, "settings", settings)).status).toBe(303);
  const { title, basename, agentsContext, icon, claimedHostname } = await prisma.site.findUniqueOrThrow({
    where: { id: site.id },
  });
  expect({ title, basename, agentsContext, icon, claimedHostname }).toEqual({
    title: "Handbook",
    basename: "manual",
    agentsContext: "included",
    icon: { emoji: "📘" },
    claimedHostname: null,
  });
  const deleted = await own.send(`${path}/settings`, "delete");
  expect([deleted.status, deleted.to]).toEqual([303, `/app/orgs/${organization.id}/sites`]);
  expect((await own.read(path)).status).toBe(404);
});

test("people see what they may do, and a form that is refused says why", async () => {
  const made = await siteFor(app, world, "reader");
  const { path, own, organization, site } = made;
  const tabs = ["", "/structure", "/look", "/visitors", "/adaptive", "/address", "/settings"];
  const statuses = async (reader: typeof own) =>
    Promise.all(tabs.map(async (tab) => (await reader.read(path + tab)).status));
  expect(await statuses(own)).toEqual([200, 200, 404, 404, 404, 404, 404]);
  for (const tab of tabs.slice(0, 2)) expect(formsIn((await own.read(path + tab)).body)).toEqual([]);
  expect(formsIn((await own.read(`/app/orgs/${organization.id}/sites`)).body)).toEqual([]);
  for (const [tab, form] of [
    ["", "publish"],
    ["/structure", "editGroup"],
    ["/look", "look"],
    ["/visitors", "newKey"],
    ["/adaptive", "switch"],
    ["/address", "release"],
    ["/settings", "delete"],
  ] as const) {
    const refused = await own.send(path + tab, form, { id: made.sectionGroup.id, title: "Mine", font: "SERIF" });
    expect([form, refused.status, alertsIn(refused.body)]).toEqual([
      form,
      403,
      [expect.stringContaining("Only admins")],
    ]);
  }
  expect(await statuses(await readerOf(app, made.creator))).toEqual(tabs.map(() => 200));
  for (const outside of [made.outsider, made.guest]) {
    const reader = await readerOf(app, outside);
    const answer = await reader.read(path);
    const shown = outside === made.guest ? [200, null] : [307, `${app.url}/published/${site.id}`];
    expect([answer.status, answer.to]).toEqual(shown);
    expect(answer.body).not.toContain("live.");
  }
  await prisma.site.update({ where: { id: site.id }, data: { published: false } });
  for (const outside of [made.outsider, made.guest])
    expect((await (await readerOf(app, outside)).read(path)).status).toBe(404);
  expect((await own.send(path, "publish", {}, { origin: "https://example.com" })).status).toBe(403);
});

test("each page takes as many statements for 50 entries as for 2, and at most 40 kB with its styles and scripts", async () => {
  const counts: number[][] = [];
  for (const size of [2, 50]) {
    const { organization, site, section, space, admin, path } = await siteFor(app, world, "admin");
    await world.insert((rows) => {
      const { id: organizationId } = organization;
      times(size, () => addSpace(rows, { organizationId }));
      times(Math.ceil(size / 5), () => addSectionGroup(rows, { siteId: site.id }));
      times(Math.ceil(size / 5), () => addSection(rows, { siteId: site.id, condition: "visitor.claims.customer" }));
      times(size, () => addSiteSpace(rows, { siteId: site.id, sectionId: section.id, spaceId: space.id }));
    });
    const as = app.as(admin.token);
    const variables = { org: organization.id, site: site.id, claims: {}, space: "", hasSpace: false };
    const lowest = async (query: string) => {
      const each: number[] = [];
      // The lowest of three: on a busy machine, questions of one level may reach the database in two statements.
      for (let time = 0; time < 3; time++) each.push(await as.statements(query, variables));
      return Math.min(...each);
    };
    const each: number[] = [];
    for (const { query } of sitePages) each.push(await lowest(query));
    counts.push(each);
    const own = await readerOf(app, admin);
    for (const tab of ["", "/structure", "/adaptive"]) {
      const { body } = await own.read(path + tab);
      const assets = [...body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, address]) => app.url + address);
      const loaded = await Promise.all(assets.map(async (address) => (await fetch(address)).bytes()));
      const sizes = [Buffer.from(body), ...loaded].map((bytes) => gzipSync(bytes).length);
      expect([tab, assets.length >= 5, sizes.reduce((sum, size) => sum + size) < 40_000]).toEqual([tab, true, true]);
    }
  }
  expect(counts[0]).toEqual(counts[1]);
});

test("the pages of an organization, of a space and at home lead to sites", async () => {
  const { organization, space, site, path, own } = await siteFor(app, world, "admin");
  const list = `/app/orgs/${organization.id}/sites`;
  expect((await own.read(`/app/orgs/${organization.id}`)).body).toContain(`href="${list}"`);
  expect((await own.read(`/app/spaces/${space.id}`)).body).toContain(`href="${list}?space=${space.id}"`);
  const home = (await own.read("/app")).body;
  expect([home.includes(`href="${path}"`), textOf(home).includes(site.title)]).toEqual([true, true]);
  const other = await world.space();
  const ofOther = (await (await readerOf(app, other.admin)).read("/app")).body;
  expect(ofOther).toContain(`href="/app/orgs/${other.organization.id}/sites#new"`);
});
