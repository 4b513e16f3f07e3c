// Writes of the public client by its own methods: the look of a site, and invitations of several addresses at once.
import { describe, expect, test } from "vitest";
import { addSite } from "#test/features/sites/factory.ts";
import { publicClient } from "#test/public-client/client.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp({ quotas: { invitations: 4 } });

const orgsOf = ({ token }: Person) => publicClient(app.url, token).orgs;
const refused = (code: number) => ({ code }) as const;

describe("PUT the look of a site", () => {
  async function withSite() {
    const { organization, ...people } = await world.space();
    const site = await world.insert((rows) =>
      addSite(rows, { organizationId: organization.id, title: "Docs", visibility: "share_link" }),
    );
    const put = (person: Person, body: unknown, organizationId = organization.id) =>
      orgsOf(person).updateSiteCustomizationById(organizationId, site.id, body);
    const get = async () => (await orgsOf(people.admin).getSiteCustomizationById(organization.id, site.id)).data;
    return { ...people, put, get };
  }

  test("keeps what docgraph has of it, and resets what the body omits", async () => {
    const { admin, put, get } = await withSite();
    const links = [{ title: "Shop", url: "https://shop.example.com/" }];
    const logo = { light: "https://cdn.example.com/logo.svg" };
    const { data } = await put(admin, {
      title: "Manual",
      styling: { primaryColor: { light: "#2563eb", dark: "#ffffff" }, font: "serif" },
      header: { logo, links },
      footer: { text: "Made by hand" },
    });
    expect(data).toMatchObject({
      title: "Manual",
      styling: { primaryColor: { light: "#2563eb" }, font: "serif" },
      header: { logo, links },
      footer: { text: "Made by hand" },
    });
    expect(await get()).toEqual(data);
    const to = { kind: "url", url: "https://shop.example.com/" };
    expect((await put(admin, { header: { links: [{ title: "Shop", to, links: [] }] } })).data).toEqual({
      title: "Docs",
      styling: { font: "system", fontFamily: "system-ui, sans-serif" },
      header: { links },
    });
    await put(admin, {});
    expect(await get()).toMatchObject({ title: "Docs", header: { links: [] } });
  });

  test("accepts the response of GET", async () => {
    const { admin, put, get } = await withSite();
    await put(admin, { title: "Manual", styling: { primaryColor: { light: "#2563eb" } } });
    const before = await get();
    expect((await put(admin, before)).data).toEqual(before);
  });

  test("refuses members without the right, other organizations, and what docgraph does not have", async () => {
    const { admin, editor, outsider, elsewhere, put, get } = await withSite();
    await put(admin, { title: "Manual" });
    await expect(put(editor, { title: "Mine" })).rejects.toMatchObject(refused(403));
    await expect(put(outsider, { title: "Mine" })).rejects.toMatchObject(refused(404));
    await expect(put(admin, { title: "Mine" }, elsewhere.id)).rejects.toMatchObject(refused(404));
    for (const body of [
      { styling: { corners: "rounded" } },
      { styling: { font: "unknown" } },
      { styling: { primaryColor: { light: "blue-ish" } } },
      { styling: null },
      { header: { links: [{ title: "Shop" }] } },
      { header: { links: [{ title: "Shop", url: "javascript:alert(1)" }] } },
      { header: { links: [{ title: "Shop", to: { kind: "page", url: "https://example.com/" } }] } },
      { header: { links: [{ title: "Shop", url: "https://example.com/", links: [{}] }] } },
      { footer: { text: "a".repeat(501) } },
      { favicon: {} },
    ])
      await expect(put(admin, body), JSON.stringify(body)).rejects.toMatchObject(refused(400));
    expect(await get()).toMatchObject({ title: "Manual" });
  });

  test("names the property that is not valid by its place in the body", async () => {
    const { organization, admin } = await world.space();
    const site = await world.insert((rows) => addSite(rows, { organizationId: organization.id }));
    const path = `/v1/orgs/${organization.id}/sites/${site.id}/customization`;
    const { body } = await app.as(admin.token).rest("PUT", path, {
      body: { header: { links: [{ title: "Shop", url: "ftp://example.com/" }] } },
    });
    expect(body).toMatchObject({ error: { details: [{ path: "/header/links/0/url" }] } });
  });
});

describe("POST invitations of several addresses", () => {
  const invitationsOf = async (organizationId: string) =>
    (await app.database.prisma.invitation.findMany({ where: { organizationId }, orderBy: { email: "asc" } })).map(
      ({ email, role }) => [email, role],
    );

  test("invites each with a role of its own or that of all, once", async () => {
    const { organization, admin } = await world.space();
    const emails = ["A@example.com", { email: "b@example.com", role: "edit" }, { email: "c@example.com", role: null }];
    const invite = () => orgsOf(admin).inviteUsersToOrganization(organization.id, { emails, role: "read" });
    expect((await invite()).data).toEqual({ users: [], invited: 3 });
    const expected = [
      ["a@example.com", "read"],
      ["b@example.com", "edit"],
      ["c@example.com", null],
    ];
    expect(await invitationsOf(organization.id)).toEqual(expected);
    expect((await invite()).data).toEqual({ users: [], invited: 3 });
    expect(await invitationsOf(organization.id)).toEqual(expected);
    const events = await app.database.prisma.outboxEvent.findMany({ where: { organizationId: organization.id } });
    expect(events.filter(({ type }) => type === "invitation.created")).toHaveLength(3);
  });

  test("invites nobody if one is refused", async () => {
    const { organization, admin, editor, outsider, reader, elsewhere } = await world.space();
    const invite = (person: Person, body: object, organizationId = organization.id) =>
      orgsOf(person).inviteUsersToOrganization(organizationId, body);
    const emails = ["new@example.com"];
    await expect(invite(admin, { emails: [...emails, reader.email] })).rejects.toMatchObject(refused(409));
    await expect(invite(editor, { emails })).rejects.toMatchObject(refused(403));
    await expect(invite(outsider, { emails })).rejects.toMatchObject(refused(404));
    await expect(invite(admin, { emails }, elsewhere.id)).rejects.toMatchObject(refused(404));
    for (const bad of [
      {},
      { emails: [] },
      { emails: [...emails, "not an address"] },
      { emails: [...emails, { role: "read" }] },
      { emails: [...emails, 1] },
      { emails: [{ email: "new@example.com", role: "owner" }] },
      { emails: Array.from({ length: 51 }, (_, index) => `n${index}@example.com`) },
      { emails, sso: true },
    ])
      await expect(invite(admin, bad), JSON.stringify(bad)).rejects.toMatchObject(refused(400));
    const twice = ["new@example.com", { email: "NEW@example.com", role: "admin" }];
    await expect(invite(admin, { emails: twice, role: "read" })).rejects.toMatchObject(refused(409));
    expect(await invitationsOf(organization.id)).toEqual([]);
    expect((await invite(admin, { emails: [...emails, "NEW@example.com"] })).data).toEqual({ users: [], invited: 1 });
  });

  test("counts open invitations as single ones do: above the quota none of them is made", async () => {
    const { organization, admin } = await world.space();
    const invite = (...emails: string[]) => orgsOf(admin).inviteUsersToOrganization(organization.id, { emails });
    await invite("a@example.com", "b@example.com");
    await expect(invite("c@example.com", "d@example.com", "e@example.com")).rejects.toMatchObject(refused(409));
    expect(await invitationsOf(organization.id)).toHaveLength(2);
    await invite("c@example.com", "d@example.com");
    expect(await invitationsOf(organization.id)).toHaveLength(4);
  });
});
