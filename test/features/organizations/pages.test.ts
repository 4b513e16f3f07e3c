// The first page of an organization and its settings over HTTP.
import { expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();

/** The names of the tabs of a page. */
const tabsIn = (body: string): string => textOf(/<nav class="app-tabs"[\s\S]*?<\/nav>/.exec(body)?.[0] ?? "");

test("shows spaces, sites and the tabs that the role opens", async () => {
  const { organization, admin, reader, guest, space, site } = await world.site();
  const path = `/app/orgs/${organization.id}`;
  const seen = await (await readerOf(app, reader)).read(path);
  expect(seen.status).toBe(200);
  expect(seen.body).toContain(`href="/app/spaces/${space.id}"`);
  expect(seen.body).toContain(`href="${path}/sites/${site.id}"`);
  expect(tabsIn(seen.body)).toBe("Overview Sites Members Teams Integrations Specifications Translations");
  expect(seen.body).not.toContain("Create space");
  const all = await (await readerOf(app, admin)).read(path);
  expect(tabsIn(all.body)).toBe(
    "Overview Sites Members Invitations Teams Access Integrations Specifications Translations API tokens Single sign-on Audit log Settings",
  );
  expect(all.body).toContain("Create space");
  const little = await (await readerOf(app, guest)).read(path);
  expect([little.status, tabsIn(little.body)]).toEqual([200, "Overview Sites"]);
  expect(little.body).not.toContain("members");
});

test("shows nothing to outsiders, and the public part of an organization with a public site", async () => {
  const [closed, open] = [await world.organization(), await world.site({ site: { visibility: "public" } })];
  const path = `/app/orgs/${closed.organization.id}`;
  expect((await (await readerOf(app, closed.outsider)).read(path)).status).toBe(404);
  expect((await (await readerOf(app, null)).read(path)).status).toBe(401);
  const seen = await (await readerOf(app, open.outsider)).read(`/app/orgs/${open.organization.id}`);
  expect([seen.status, seen.body.includes(`class="app-tabs"`)]).toEqual([200, false]);
});

test("creates a space and leads to it, and refuses that to readers", async () => {
  const { organization, creator, reader } = await world.organization();
  const path = `/app/orgs/${organization.id}`;
  const made = await (await readerOf(app, creator)).send(path, "space", { title: "Handbook <b>" });
  const { id } = await app.database.prisma.space.findFirstOrThrow({ where: { organizationId: organization.id } });
  expect([made.status, made.to]).toEqual([303, `/app/spaces/${id}`]);
  expect((await (await readerOf(app, reader)).read(path)).body).not.toContain("<b>");
  expect((await (await readerOf(app, reader)).send(path, "space", { title: "No" })).status).toBe(403);
});

test("saves settings, and shows refused ones with their fields", async () => {
  const { organization, admin, reader } = await world.organization();
  const path = `/app/orgs/${organization.id}/settings`;
  expect((await (await readerOf(app, reader)).read(path)).status).toBe(404);
  const own = await readerOf(app, admin);
  const { hostname } = organization;
  const saved = await own.send(path, "settings", { title: "Lighthouse", hostname, role: "COMMENT" });
  expect([saved.status, saved.to]).toEqual([303, path]);
  const { body } = await own.read(path);
  expect(body).toContain(`value="Lighthouse"`);
  expect(body).toMatch(/value="COMMENT"\s+selected/);
  expect(body).not.toContain("checked");
  const refused = await own.send(path, "settings", { title: "Tower", hostname: "-", role: "GUEST" });
  expect(refused.status).toBe(400);
  expect(refused.body).toContain(`role="alert"`);
  expect(refused.body).toContain(`value="Tower"`);
});

test("names e-mail domains with the records that verify them", async () => {
  const { organization, admin } = await world.organization();
  const path = `/app/orgs/${organization.id}/settings`;
  const own = await readerOf(app, admin);
  const domain = `d${organization.hostname.replaceAll(/\D/g, "")}.example.org`;
  const saved = await own.send(path, "domains", { domains: ` ${domain}, ` });
  expect([saved.status, saved.to]).toEqual([303, `${path}#domains`]);
  const text = textOf((await own.read(path)).body);
  expect(text).toContain(`${domain} Pending _docgraph.${domain} TXT`);
  expect((await own.send(path, "check", { domain })).status).toBe(303);
  const refused = await own.send(path, "domains", { domains: "gmail.com" });
  expect(refused.status).toBe(400);
  expect(refused.body).toContain(`value="gmail.com"`);
});
