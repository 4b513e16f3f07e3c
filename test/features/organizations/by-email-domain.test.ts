// Finding organizations by e-mail domain: the viewer's own, and a preview of the one for which the domain
// of their address counts.
import { expect, test } from "vitest";
import { addMember, addPerson } from "#test/features/members/factory.ts";
import { addOrganization, verifyDomain } from "#test/features/organizations/factory.ts";
import { useApp } from "#test/support/app.ts";
import { nextNumber } from "#test/support/rows.ts";

const { app, world } = await useApp();

/**
 * Two organizations with one domain, which counts for the second one, which also has another domain; and users with
 * addresses there and at other domains.
 */
async function company() {
  const domain = `company-${nextNumber()}.example.com`;
  const made = await world.insert((rows) => {
    const second = addOrganization(rows, { title: "B", emailDomains: [`other-${domain}`, domain] });
    const first = addOrganization(rows, { title: "A", emailDomains: [domain], defaultRole: "read" });
    const colleague = addPerson(rows, { email: `colleague@${domain}` });
    const member = addPerson(rows, { email: `member@${domain}` });
    const leaver = addPerson(rows, { email: `leaver@${domain}` });
    const guest = addPerson(rows);
    addMember(rows, { organizationId: first.id, userId: member.id, role: "read" });
    addMember(rows, { organizationId: second.id, userId: leaver.id, role: "read", disabled: true });
    addMember(rows, { organizationId: second.id, userId: guest.id, role: null });
    return { domain, first, second, colleague, member, leaver, guest, stranger: addPerson(rows) };
  });
  await verifyDomain(app.database, made.second.id, domain);
  return made;
}

const find = `query ($domain: String!) { organizationsByEmailDomain(domain: $domain) { __typename id title ... on Organization { type } } }`;
const preview = (of: { id: string; title: string }) => ({
  __typename: "OrganizationPreview",
  id: of.id,
  title: of.title,
});
const whole = (of: { id: string; title: string }) => ({
  ...preview(of),
  __typename: "Organization",
  type: "BUSINESS",
});

test("users find their organizations by e-mail domain in full, and the one of their address as a preview", async () => {
  const { domain, first, second, ...people } = await company();
  const foundBy = async (name: keyof typeof people, asked = domain) =>
    (await app.as(people[name].token).query<{ organizationsByEmailDomain: object[] }>(find, { domain: asked }))
      .organizationsByEmailDomain;
  expect(await foundBy("member")).toEqual([whole(first), preview(second)]);
  expect(await foundBy("colleague", domain.toUpperCase())).toEqual([preview(second)]);
  expect(await foundBy("leaver")).toEqual([]);
  expect(await foundBy("guest")).toEqual([whole(second)]);
  expect(await foundBy("stranger")).toEqual([]);
  expect(await foundBy("colleague", `other-${domain}`)).toEqual([]);
  expect(await foundBy("guest", `other-${domain}`)).toEqual([whole(second)]);
  expect(await foundBy("member", "nobody.example.com")).toEqual([]);
  expect(await foundBy("member", "no domain")).toEqual([]);
});

test("a preview of an organization gives no access", async () => {
  const { domain, second, colleague } = await company();
  const client = app.as(colleague.token);
  expect(await client.query(`{ node(id: "${second.id}") { id } }`)).toEqual({ node: null });
  const { organizationsByEmailDomain: found } = await client.query<{ organizationsByEmailDomain: object[] }>(
    `query ($domain: String!) { organizationsByEmailDomain(domain: $domain) { id permissions { view admin listMembers } } }`,
    { domain },
  );
  expect(found[0]).toEqual({ id: second.id, permissions: { view: false, admin: false, listMembers: false } });
});

test("/v1 returns full organizations by e-mail domain like by id, previews with their fields, or an empty list", async () => {
  const { domain, first, second, member } = await company();
  const client = app.as(member.token);
  const { body: own } = await client.rest("GET", `/v1/orgs/${first.id}`);
  const { status, body } = await client.rest<{ organizations: object[] }>("GET", `/v1/email-domains/${domain}/orgs`);
  expect(status).toBe(200);
  expect(body.organizations).toEqual([
    own,
    {
      object: "organization",
      id: second.id,
      title: second.title,
      hostname: second.hostname,
      urls: { location: `${app.url}/app/orgs/${second.id}`, app: `${app.url}/app/orgs/${second.id}` },
      permissions: expect.objectContaining({ view: false, listMembers: false }),
    },
  ]);
  expect((await client.rest("GET", "/v1/email-domains/none.example.com/orgs")).body).toEqual({ organizations: [] });
  expect((await app.as(null).rest("GET", `/v1/email-domains/${domain}/orgs`)).status).toBe(401);
});

test("organizations by e-mail domain take one statement for any number", async () => {
  const { domain, member } = await company();
  const one = await app.as(member.token).statements(find, { domain: "nobody.example.com" });
  expect(await app.as(member.token).statements(find, { domain })).toBe(one);
});
