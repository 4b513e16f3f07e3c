// Stored counts of members equal the counted rows, whatever happens concurrently.
import { beforeAll, expect, test } from "vitest";
import { sumUpMemberCounts } from "#src/features/members/commands.ts";
import { addInvitation } from "#test/features/invitations/factory.ts";
import { addPerson, addPersonIn } from "#test/features/members/factory.ts";
import { addOrganization } from "#test/features/organizations/factory.ts";
import { addUser } from "#test/features/users/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
const { pool } = app.database;

let client: Client;
let organizationId: string;

beforeAll(async () => {
  const admin = await world.insert((rows) => {
    ({ id: organizationId } = addOrganization(rows));
    return addPersonIn(rows, { organizationId, role: "admin" });
  });
  client = app.as(admin.token);
});

const filters = [
  ["", "true"],
  ["role: READ", "role = 'read'"],
  ["role: ADMIN", "role = 'admin'"],
  ["role: GUEST", "role is null"],
  ["disabled: true", "disabled"],
  ["disabled: false, role: EDIT", "not disabled and role = 'edit'"],
  ["orderBy: { field: LAST_SEEN_AT }", `not disabled and "lastSeenAt" is not null`],
] as const;

/** The gateway's count for each filter. */
async function readCounts(): Promise<number[]> {
  const fields = filters.map(([filter], at) => `f${at}: members(first: 1${filter && `, ${filter}`}) { totalCount }`);
  const { organization } = await client.query<{ organization: Record<string, { totalCount: number }> }>(
    `{ organization(id: "${organizationId}") { ${fields.join(" ")} } }`,
  );
  return filters.map((_, at) => organization[`f${at}`]?.totalCount ?? Number.NaN);
}

/** The counted rows. */
async function countMembers(): Promise<number[]> {
  const counts = filters.map(([, condition]) => `count(*) filter (where ${condition})::int`);
  const { rows } = await pool.query<{ counts: number[] }>(
    `select array[${counts.join(", ")}] as counts from "OrganizationMember" where "organizationId" = $1`,
    [organizationId],
  );
  return rows[0]?.counts ?? [];
}

/** The number of stored rows of the organization. */
async function kept(): Promise<number> {
  const { rows } = await pool.query(`select from "MemberCount" where "organizationId" = $1`, [organizationId]);
  return rows.length;
}

/** The number of member kinds in it. */
async function kinds(): Promise<number> {
  const { rows } = await pool.query(
    `select distinct role, disabled, "lastSeenAt" is null from "OrganizationMember" where "organizationId" = $1`,
    [organizationId],
  );
  return rows.length;
}

const invite = `mutation ($input: CreateInvitationInput!) { createInvitation(input: $input) { invitation { id } } }`;
const accept = `mutation ($id: ID!) { acceptInvitation(input: { invitationId: $id }) { organization { id } } }`;
const update = `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { role } } }`;
const remove = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { deletedId } }`;

async function join(at: number): Promise<string> {
  const email = `counted${at}@example.com`;
  const [person, { id }] = await world.insert((rows) => [
    addPerson(rows, { email }),
    addInvitation(rows, { organizationId, email, role: at % 5 === 0 ? null : "read" }),
  ]);
  await app.as(person.token).query(accept, { id });
  return person.id;
}

test("member counts are right while people join, change and leave concurrently and counts are summed up", async () => {
  const sumUp = () => sumUpMemberCounts(app.database);
  await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      const userId = await join(at);
      if (at % 2 === 0)
        await client.query(update, { input: { organizationId, userId, role: at % 4 === 0 ? "EDIT" : null } });
      if (at % 3 === 0) await client.query(update, { input: { organizationId, userId, disabled: true } });
      if (at % 7 === 0) await sumUp();
      if (at % 6 === 5) await client.query(remove, { input: { organizationId, userId } });
    }),
  );
  const expected = await countMembers();
  expect(expected[0]).toBe(26);
  expect(await readCounts()).toEqual(expected);
  await Promise.all([sumUp(), sumUp(), join(100), sumUp()]);
  await sumUp();
  expect(await kept()).toBe(await kinds());
  expect(await readCounts()).toEqual(await countMembers());
});

test("rolled back, repeated and refused changes do not change member counts", async () => {
  const before = await readCounts();
  const userId = await join(200);
  const again = { organizationId, email: "counted200@example.com" };
  expect(await client.refusal(invite, { input: again })).toBe("CONFLICT");
  await client.query(update, { input: { organizationId, userId, role: null } });
  await client.query(update, { input: { organizationId, userId, role: null } });
  const connection = await pool.connect();
  try {
    await connection.query("begin");
    await connection.query(`delete from "OrganizationMember" where "userId" = $1`, [userId]);
    await connection.query("rollback");
  } finally {
    connection.release();
  }
  expect(await readCounts()).toEqual(await countMembers());
  await client.query(remove, { input: { organizationId, userId } });
  await client.query(remove, { input: { organizationId, userId } });
  expect(await readCounts()).toEqual(before);
});

test("member counts are right for many changes in one statement, and for members seen for the first time", async () => {
  const { id: prefix } = await world.insert((rows) => addUser(rows));
  await pool.query(
    `with people as (insert into "User" (id, email, "displayName")
       select $1 || n, $1 || n || '@example.com', 'N' from generate_series(1, 500) n returning id)
     insert into "OrganizationMember" (id, "organizationId", "userId", role)
       select 'mem_' || md5(id), $2, id, 'edit' from people`,
    [prefix, organizationId],
  );
  await pool.query(`update "OrganizationMember" set "lastSeenAt" = now() where "userId" like $1 || '1%'`, [prefix]);
  expect(await readCounts()).toEqual(await countMembers());
  await pool.query(`delete from "User" where id like $1 || '2%'`, [prefix]); // cascades to their memberships
  expect(await readCounts()).toEqual(await countMembers());
});

test("member counts of a deleted organization are deleted", async () => {
  const organizationId = await world.insert((rows) => {
    const organization = addOrganization(rows);
    addPersonIn(rows, { organizationId: organization.id, role: "admin" });
    return organization.id;
  });
  const rowsOf = async () =>
    (await pool.query(`select from "MemberCount" where "organizationId" = $1`, [organizationId])).rowCount;
  expect(await rowsOf()).toBe(1);
  await pool.query(`delete from "Organization" where id = $1`, [organizationId]);
  expect(await rowsOf()).toBe(0);
});
