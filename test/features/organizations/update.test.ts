// Changing the settings of an organization in GraphQL: each field, its limits, permissions, and side effects.
import { expect, test } from "vitest";
import { addSite } from "#test/features/sites/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const settings = `title emailDomains hostname defaultRole defaultContent { type siteId spaceId } urls { logo } sso ai inviteLinksEnabled`;
const update = `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { ${settings} } } }`;

test("updateOrganization as an admin changes every setting and emits its event", async () => {
  const { organization, admin, site } = await world.site();
  const given = {
    title: "New name",
    emailDomains: ["Example.com", "docs.example.com"],
    hostname: `Docs-${organization.hostname}`,
    defaultRole: "REVIEW",
    opensOn: { siteId: site.id },
    logo: "https://assets.example.com/logo.svg?v=2",
    sso: true,
    ai: false,
    inviteLinksEnabled: false,
  };
  const expected = {
    title: "New name",
    emailDomains: ["example.com", "docs.example.com"],
    hostname: `docs-${organization.hostname}`,
    defaultRole: "REVIEW",
    defaultContent: { type: "SITE", siteId: site.id, spaceId: null },
    urls: { logo: given.logo },
    sso: true,
    ai: false,
    inviteLinksEnabled: false,
  };
  const client = app.as(admin.token);
  const input = { organizationId: organization.id, ...given };
  expect(await client.query(update, { input })).toEqual({ updateOrganization: { organization: expected } });
  expect(await client.query(`{ organization(id: "${organization.id}") { ${settings} } }`)).toEqual({
    organization: expected,
  });
  expect(await app.eventsIn(organization.id)).toMatchObject([
    { type: "organization.updated", subjectId: organization.id, actorId: admin.id },
  ]);
});

test("updateOrganization keeps fields that are not given; without changes it emits no event", async () => {
  const { organization, admin } = await world.organization({
    organization: { defaultRole: "edit", sso: true, emailDomains: ["kept.example.com"] },
  });
  const client = app.as(admin.token);
  const before = await client.query<{ organization: object }>(
    `{ organization(id: "${organization.id}") { ${settings} } }`,
  );
  const input = { organizationId: organization.id };
  expect(await client.query(update, { input })).toEqual({ updateOrganization: before });
  expect(await app.eventsIn(organization.id)).toEqual([]);
  expect(await client.query(update, { input: { ...input, defaultRole: null, emailDomains: [] } })).toEqual({
    updateOrganization: { organization: { ...before.organization, defaultRole: null, emailDomains: [] } },
  });
});

test("updateOrganization changes the default content from a site to a space", async () => {
  const { organization, admin, site, space } = await world.site();
  const open = async (opensOn: object) =>
    app.as(admin.token).query(update, { input: { organizationId: organization.id, opensOn } });
  await open({ siteId: site.id });
  expect(await open({ spaceId: space.id })).toMatchObject({
    updateOrganization: { organization: { defaultContent: { type: "SPACE", siteId: null, spaceId: space.id } } },
  });
});

test("updateOrganization removes the logo, the default content and the use case by null", async () => {
  const { organization, admin, space } = await world.space({ organization: { logoURL: "https://example.com/a.svg" } });
  const as = app.as(admin.token);
  const shown = "organization { urls { logo } defaultContent { spaceId } useCase title }";
  const change = (given: object) =>
    as.query(`mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { ${shown} } }`, {
      input: { organizationId: organization.id, ...given },
    });
  const { title } = organization;
  expect(await change({ opensOn: { spaceId: space.id }, useCase: "NOTES" })).toEqual({
    updateOrganization: {
      organization: {
        urls: { logo: "https://example.com/a.svg" },
        defaultContent: { spaceId: space.id },
        useCase: "NOTES",
        title,
      },
    },
  });
  const empty = { urls: { logo: null }, defaultContent: null, useCase: null, title };
  expect(await change({ logo: null, opensOn: null, useCase: null })).toEqual({
    updateOrganization: { organization: empty },
  });
  // As documented for /v1, where they cannot be removed.
  for (const body of [{ logo: null }, { defaultContent: null }])
    expect((await as.rest("PATCH", `/v1/orgs/${organization.id}`, { body })).status).toBe(400);
});

test("updateOrganization removes the kind of community when a community becomes a business", async () => {
  const { organization, admin } = await world.organization({ organization: { type: "community" } });
  const document = `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { type communityType } } }`;
  const change = (given: object) =>
    app.as(admin.token).query(document, { input: { organizationId: organization.id, ...given } });
  expect(await change({ communityType: "NON_PROFIT" })).toEqual({
    updateOrganization: { organization: { type: "COMMUNITY", communityType: "NON_PROFIT" } },
  });
  expect(await change({ type: "BUSINESS" })).toEqual({
    updateOrganization: { organization: { type: "BUSINESS", communityType: null } },
  });
});

test("updateOrganization refuses default content that is foreign, deleted or missing with the same error", async () => {
  const { organization, admin, elsewhere } = await world.organization();
  const rows = await world.insert((all) => ({
    site: addSite(all, { organizationId: elsewhere.id, visibility: "public", published: true }),
    space: addSpace(all, { organizationId: elsewhere.id, visibility: "public" }),
    gone: addSpace(all, { organizationId: organization.id, deletedAt: new Date() }),
  }));
  const refusalOf = async (opensOn: object) => {
    const input = { organizationId: organization.id, opensOn };
    return (await app.as(admin.token).graphql(update, { input })).errors?.[0];
  };
  const noSpace = await refusalOf({ spaceId: "spc_none" });
  expect(noSpace?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: "opensOn/spaceId" }] });
  for (const spaceId of [rows.space.id, rows.gone.id, rows.site.id])
    expect(await refusalOf({ spaceId })).toEqual(noSpace);
  const noSite = await refusalOf({ siteId: "sit_none" });
  expect(noSite?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: "opensOn/siteId" }] });
  for (const siteId of [rows.site.id, rows.space.id]) expect(await refusalOf({ siteId })).toEqual(noSite);
});

test.each([
  [{ title: null }, ["title"]],
  [{ title: "" }, ["title"]],
  [{ title: "x".repeat(256) }, ["title"]],
  [{ hostname: null }, ["hostname"]],
  [{ hostname: "https://docs.example.com" }, ["hostname"]],
  [{ hostname: "docs.example.com." }, ["hostname"]],
  [{ emailDomains: null }, ["emailDomains"]],
  [{ emailDomains: ["example"] }, ["emailDomains.0"]],
  [
    { emailDomains: ["a.example.com", "b@example.com", "", "A.example.com"] },
    [1, 2, 3].map((i) => `emailDomains.${i}`),
  ],
  [{ emailDomains: ["1.2.3.4"] }, ["emailDomains.0"]],
  [{ emailDomains: times(101, (index) => `d${index}.example.com`) }, ["emailDomains"]],
  [{ logo: "logo.svg" }, ["logo"]],
  [{ logo: "javascript:alert(1)" }, ["logo"]],
  [{ logo: "https://" }, ["logo"]],
  [{ logo: "https://user:word@example.com/logo.svg" }, ["logo"]],
  [{ logo: "https://example.com/a logo.svg" }, ["logo"]],
  [{ logo: `https://example.com/${"x".repeat(2048)}` }, ["logo"]],
  [{ sso: null }, ["sso"]],
  [{ ai: null }, ["ai"]],
  [{ inviteLinksEnabled: null }, ["inviteLinksEnabled"]],
  [{ type: null }, ["type"]],
  [{ communityType: "EDUCATION" }, ["communityType"]],
  [{ type: "BUSINESS", communityType: "EDUCATION" }, ["communityType"]],
])("updateOrganization refuses %j and changes no other field", async (given, paths) => {
  const { organization, admin } = await world.organization();
  const input = { organizationId: organization.id, title: "Changed", ...given };
  const { errors } = await app.as(admin.token).graphql(update, { input });
  expect(errors?.[0]?.extensions.code).toBe("INVALID_INPUT");
  expect(errors?.[0]?.extensions.details?.map(({ path }) => path)).toEqual(paths);
  expect(await app.as(admin.token).query(`{ organization(id: "${organization.id}") { title } }`)).toEqual({
    organization: { title: organization.title },
  });
});

test("updateOrganization with the host name of another organization is a CONFLICT, with its own it is not", async () => {
  const { organization, elsewhere, admin } = await world.organization();
  const change = (hostname: string) => ({ input: { organizationId: organization.id, hostname } });
  expect(await app.as(admin.token).refusal(update, change(elsewhere.hostname.toUpperCase()))).toBe("CONFLICT");
  await app.as(admin.token).query(update, change(organization.hostname));
});
