// E-mail domains of organizations: verified by DNS, and counting for one organization only.
import { expect, test } from "vitest";
import { checkDueEmailDomains } from "#src/features/organizations/commands/email-domains.ts";
import { addPerson } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { nextNumber } from "#test/support/rows.ts";
import { useApp } from "#test/support/app.ts";

let now = Date.now();
const clock = { now: () => new Date(now) };
const hour = 3_600_000;

/** The TXT records of the DNS by name; null for a name without a DNS response. */
const zone = new Map<string, readonly string[] | null>();
let looks = 0;
const readTxtRecords = async (name: string) => {
  looks += 1;
  const records = zone.get(name) ?? [];
  if (zone.get(name) === null) throw new Error("The DNS gives no answer.");
  return records;
};
// Has its own database: the clock decides which domains of the whole database are checked.
const { app, world } = await useApp({ own: true, clock, readTxtRecords });
const runJob = () => checkDueEmailDomains({ database: app.database, clock, readTxtRecords });

interface Claim {
  readonly domain: string;
  readonly state: string;
  readonly record: { readonly name: string; readonly type: string; readonly value: string };
  readonly verifiedAt: string | null;
  readonly keptUntil: string | null;
}
const claims = `emailDomainClaims { domain state record { name type value } claimedAt checkedAt verifiedAt keptUntil }`;

/** An organization that has named a domain, with views and operations of its users. */
async function naming(domain: string) {
  const made = await world.organization();
  const organizationId = made.organization.id;
  const update = (emailDomains: readonly string[]) =>
    app
      .as(made.admin.token)
      .query(
        `mutation ($input: UpdateOrganizationInput!) { updateOrganization(input: $input) { organization { id } } }`,
        { input: { organizationId, emailDomains } },
      );
  await update([domain]);
  const seenBy = async (token: string) =>
    (
      await app
        .as(token)
        .query<{ organization: { emailDomainClaims: Claim[] | null } }>(
          `query ($id: ID!) { organization(id: $id) { ${claims} } }`,
          { id: organizationId },
        )
    ).organization.emailDomainClaims;
  const seen = async () => (await seenBy(made.admin.token))?.[0];
  const check = (asked = domain, token = made.admin.token) =>
    app
      .as(token)
      .graphql<{ checkEmailDomain: { organization: { emailDomainClaims: Claim[] } } }>(
        `mutation ($input: CheckEmailDomainInput!) { checkEmailDomain(input: $input) { organization { ${claims} } } }`,
        { input: { organizationId, domain: asked } },
      );
  const record = (await seen())?.record ?? { name: "", value: "" };
  return { ...made, organizationId, domain, update, seenBy, seen, check, record };
}

const newDomain = () => `company-${nextNumber()}.example.com`;

test("an e-mail domain shows admins the record to publish, counts once it is found, and is audited", async () => {
  const { organizationId, domain, admin, reader, ...of } = await naming(newDomain());
  expect(await of.seen()).toEqual({
    domain,
    state: "PENDING",
    record: { name: `_docgraph.${domain}`, type: "TXT", value: `docgraph-organization=${organizationId}` },
    claimedAt: clock.now().toISOString(),
    checkedAt: null,
    verifiedAt: null,
    keptUntil: null,
  });
  expect(await of.seenBy(reader.token)).toBeNull();
  expect((await of.check()).data?.checkEmailDomain.organization.emailDomainClaims[0]).toMatchObject({
    state: "PENDING",
    checkedAt: clock.now().toISOString(),
  });
  zone.set(of.record.name, ["another", of.record.value]);
  expect((await of.check(domain.toUpperCase())).data?.checkEmailDomain.organization.emailDomainClaims).toMatchObject([
    { state: "VERIFIED", verifiedAt: clock.now().toISOString() },
  ]);
  const event = { type: "organization.emailDomainChecked", payload: { domain, state: "verified" } };
  expect(await app.eventsOf(organizationId)).toContainEqual(expect.objectContaining(event));
  const where = { organizationId, type: event.type, actorId: admin.id };
  expect(await app.database.prisma.auditEntry.count({ where })).toBe(1);
});

test("an e-mail domain is checked by the job, and counts for three days without its record", async () => {
  const { seen, record } = await naming(newDomain());
  await runJob();
  zone.set(record.name, [record.value]);
  now += 6 * 60_000;
  await runJob();
  expect(await seen()).toMatchObject({ state: "VERIFIED" });
  const before = looks;
  await runJob();
  expect(looks).toBe(before); // none is due
  zone.set(record.name, null);
  now += 7 * hour;
  expect(await runJob()).toBe(1);
  expect(await seen()).toMatchObject({ state: "VERIFIED" }); // a missing response is not evidence against it
  zone.delete(record.name);
  now += 2 * hour;
  await runJob();
  expect(await seen()).toMatchObject({ state: "MISSING", keptUntil: new Date(now + 72 * hour).toISOString() });
  now += 73 * hour;
  await runJob();
  expect(await seen()).toMatchObject({ state: "PENDING", verifiedAt: null });
});

test("an e-mail domain counts for one organization, whatever records exist", async () => {
  const domain = newDomain();
  const [first, second] = [await naming(domain), await naming(domain)];
  zone.set(first.record.name, [first.record.value, second.record.value]);
  expect((await first.check()).errors).toBeUndefined();
  expect((await second.check()).errors).toMatchObject([{ extensions: { code: "CONFLICT" } }]);
  expect([(await first.seen())?.state, (await second.seen())?.state]).toEqual(["VERIFIED", "PENDING"]);
  await first.update([]);
  expect((await second.check()).errors).toBeUndefined();
  expect(await second.seen()).toMatchObject({ state: "VERIFIED" });
  await first.update([domain]); // it starts again
  expect(await first.seen()).toMatchObject({ state: "PENDING" });
  const both = await Promise.all([naming(newDomain()), naming(newDomain())]);
  for (const { record } of both) zone.set(record.name, [record.value]);
  await Promise.all(both.map(({ check }) => check()));
  for (const { seen } of both) expect(await seen()).toMatchObject({ state: "VERIFIED" });
});

test("checking an e-mail domain is refused for a domain that is not named, and without a DNS response", async () => {
  const { check, record, seen } = await naming(newDomain());
  const codeOf = async (...asked: Parameters<typeof check>) => (await check(...asked)).errors?.[0]?.extensions.code;
  expect(await codeOf("other.example.com")).toBe("NOT_FOUND");
  zone.set(record.name, null);
  expect(await codeOf()).toBe("UNAVAILABLE");
  expect(await seen()).toMatchObject({ state: "PENDING", checkedAt: null });
});

const colleagues = (domain: string) =>
  world.insert((rows) => addPerson(rows, { email: `ann-${nextNumber()}@${domain}` }));

test("an e-mail domain shows a preview to users of the domain only while it counts", async () => {
  const { organizationId, domain, check, record, reader } = await naming(newDomain());
  const ann = await colleagues(domain);
  const found = async (token: string) =>
    (
      await app.as(token).rest<{ organizations: { id: string }[] }>("GET", `/v1/email-domains/${domain}/orgs`)
    ).body.organizations.map(({ id }) => id);
  const page = async () =>
    (await fetch(`${app.url}/app/orgs/${organizationId}`, { headers: { authorization: `Bearer ${ann.token}` } }))
      .status;
  expect([await found(ann.token), await page()]).toEqual([[], 404]);
  expect(await found(reader.token)).toEqual([organizationId]); // members find it by the domain that it has named
  zone.set(record.name, [record.value]);
  await check();
  expect([await found(ann.token), await page()]).toEqual([[organizationId], 200]);
});

test.each([
  ["intranet.invalid", /reserved/],
  ["company.test", /reserved/],
  ["company.example", /reserved/],
  ["my.localhost", /reserved/],
  ["office.local", /reserved/],
  ["gmail.com", /public mail domain/],
  ["Outlook.com", /public mail domain/],
])("the e-mail domain %s is refused in both inputs", async (domain, reason) => {
  const { admin, organization } = await world.organization();
  for (const [name, input] of [
    ["createOrganization", { title: "Club" }],
    ["updateOrganization", { organizationId: organization.id }],
  ] as const) {
    const { errors } = await app
      .as(admin.token)
      .graphql(
        `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { organization { id } } }`,
        { input: { ...input, emailDomains: ["company.example.com", domain] } },
      );
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path: "emailDomains.1" }] });
    expect(errors?.[0]?.message).toMatch(reason);
  }
});

test("e-mail domains of a new organization are claimed, and claims of several are read in as many statements", async () => {
  const { admin } = await world.organization();
  const domain = newDomain();
  const { createOrganization: made } = await app.as(admin.token).query<{
    createOrganization: { organization: { emailDomainClaims: Claim[] } };
  }>(`mutation { createOrganization(input: { title: "Club", emailDomains: ["${domain}", "b.${domain}"] }) { organization { ${claims} } } }`);
  expect(made.organization.emailDomainClaims.map((claim) => claim.domain)).toEqual([`b.${domain}`, domain]);
  const list = (first: number) => `{ organizations(first: ${first}) { nodes { ${claims} } } }`;
  const client = app.as(admin.token);
  expect(await client.statements(list(2))).toBe(await client.statements(list(1)));
});

test("an e-mail domain is verified for one organization, even by two processes concurrently", async () => {
  const [one, other] = await world.insert((rows) => [addOrganization(rows), addOrganization(rows)]);
  const row = { domain: "twice.example.com", verifiedDomain: "twice.example.com" };
  await app.database.prisma.emailDomain.create({ data: { ...row, organizationId: one?.id ?? "" } });
  await expect(
    app.database.prisma.emailDomain.create({ data: { ...row, organizationId: other?.id ?? "" } }),
  ).rejects.toMatchObject({ code: "P2002" });
});
