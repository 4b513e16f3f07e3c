// Rights revoked while a mutation waits for a lock: every mutation responds as to people who never had them, and writes
// nothing. At the small size one case of every mutation waits for the first revocation that refuses it, and a part of
// all cases for each other.
import { afterAll, expect, test } from "vitest";
import type { Database } from "#src/db/connection/database.ts";
import { useApp } from "#test/support/app.ts";
import { act, expected, permissionCases } from "#test/support/access/permission-cases.ts";
import { lockHolder } from "#test/support/locks.ts";
import { ask, type PermissionCase, makeFixtures, type Name, type Fixture } from "#test/support/access/fixture.ts";
import { sized, someOf } from "#test/support/runs.ts";
import { uncheckedPool } from "#test/support/unchecked-pool.ts";

const together = sized(10, 20); // each needs a session of PostgreSQL, whose first statements are slow
// Rights are checked again after any wait, and each mutation has its own connection to wait on.
// On its own database: locks all tables.
const { app } = await useApp({ own: true, rightsAge: 0, limits: { poolSize: together + 5 } });
const as = (token: string) => app.as(token);
const worlds = await uncheckedPool(app.databaseUrl);
afterAll(() => worlds.pool.end());

/** A person, and the SQL by which they lose rights: $1 is their id, $2 the organization's. */
interface Revocation {
  readonly name: Name;
  readonly sql: string;
}

const revocations: Readonly<Record<string, Revocation>> = {
  "the role in the organization is lowered": {
    name: "admin",
    sql: `update "OrganizationMember" set role = 'read' where "userId" = $1`,
  },
  "a grant is removed": {
    name: "guestAdmin",
    sql: `delete from "Grant" where "userId" = $1`,
  },
  "the content is closed to members": {
    name: "creator",
    sql: `with closed as (update "Space" set visibility = 'private', "openToMembers" = false, "defaultLevel" = null
        where "organizationId" = $2)
      update "Collection" set "defaultLevel" = 'read' where "organizationId" = $2`,
  },
  "the membership is removed": {
    name: "reader",
    sql: `delete from "OrganizationMember" where "userId" = $1 and "organizationId" = $2`,
  },
  "the team is no longer owned": {
    name: "teamOwner",
    sql: `update "TeamMember" set role = 'member' where "userId" = $1`,
  },
};

const revoke = async (
  { sql, name }: Revocation,
  fixtures: readonly Fixture[],
  run: (text: string) => Promise<unknown>,
) => {
  for (const { people, organization } of fixtures)
    await run(sql.replaceAll("$1", `'${people[name].id}'`).replaceAll("$2", `'${organization.id}'`));
};

/** The locks that every mutation waits for. */
async function everyTable({ vital }: Database): Promise<string> {
  const text = "select string_agg(format('%I', tablename), ', ') as all from pg_tables where schemaname = 'public'";
  const [row] = await vital.query<{ all: string }>({ text, values: [] });
  return `lock table ${row?.all} in exclusive mode`;
}

/** The outcomes of permission cases whose rights are revoked while they wait, each on a fixture of its own. */
async function whileTheyWait(chosen: readonly PermissionCase[], revocation: Revocation, fixtures: readonly Fixture[]) {
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold(await everyTable(app.database));
  let settled = 0;
  const outcomes = chosen.map((permissionCase, index) =>
    act(as, fixtures[index] as Fixture, permissionCase, revocation.name).finally(() => (settled += 1)),
  );
  while (settled + (await locks.waiting()) < chosen.length) await locks.hold("select pg_sleep(0.01)");
  await revoke(revocation, fixtures, (text) => locks.hold(text));
  await locks.release();
  return Promise.all(outcomes);
}

/** The people of these fixtures whose changes were committed. */
async function writers(name: Name, fixtures: readonly Fixture[]): Promise<Set<string | null>> {
  const actorId = { in: fixtures.map(({ people }) => people[name].id) };
  const events = await app.database.prisma.outboxEvent.findMany({ where: { actorId }, select: { actorId: true } });
  return new Set(events.map((event) => event.actorId));
}

/** Mutations that no revocation refuses: they depend only on the identity of the user. */
const ownMatters = [
  "acceptInvitation",
  "createApiToken",
  "createOrganization",
  "declineInvitation",
  "revokeApiToken",
  "revokeSession",
  "rotateApiToken",
  "updateViewer",
  "useInviteLink",
];

/** Mutations whose case changes nothing, and so writes nothing. */
const unchanged = [
  "checkEmailDomain",
  "checkSiteHostname",
  "disableIntegrationDevMode",
  "repairLinks",
  "unpublishSite",
];

/** How a case sets what is already set: it writes nothing, with the right and without it. */
const noChange = /^(in its place|to its present position|without changes)$/;

const refused = new Set<string>();

test.each(Object.entries(revocations))(
  "writes nothing when %s before the mutation gets its lock",
  async (_how, revocation) => {
    const { name } = revocation;
    const [fixture] = (await makeFixtures(worlds, 1)) as [Fixture];
    const flags = await ask(as, fixture, name);
    await revoke(revocation, [fixture], (text) => app.database.prisma.$executeRawUnsafe(text));
    const flagsAfter = await ask(as, fixture, name);
    const lost = permissionCases.filter(
      (permissionCase) =>
        expected(permissionCase, name, flags) === "done" && expected(permissionCase, name, flagsAfter) !== "done",
    );
    const byMutation = Map.groupBy(lost, ({ mutation }) => mutation);
    const firsts = new Set([...byMutation.values()].map((cases) => cases.find(({ how = "" }) => !noChange.test(how))));
    const chosen = someOf(lost, (one) => firsts.has(one) && !refused.has(one.mutation));
    const wrong: string[] = [];
    for (let at = 0; at < chosen.length; at += together) {
      const some = chosen.slice(at, at + together);
      const fixtures = await makeFixtures(worlds, some.length);
      for (const [index, { prepare }] of some.entries()) await prepare?.(fixtures[index] as Fixture, app.database);
      const outcomes = await whileTheyWait(some, revocation, fixtures);
      const wrote = await writers(name, fixtures);
      for (const [index, { mutation, how = "" }] of some.entries()) {
        if (wrote.has(fixtures[index]?.people[name].id ?? "")) wrong.push(`${mutation} ${how}: ${outcomes[index]}`);
        else if (outcomes[index] !== "done") refused.add(mutation);
      }
    }
    expect(wrong).toEqual([]);
  },
  240_000,
); // some hundred mutations, on a machine that may be busy

test("every mutation is refused by one of the revocations unless it needs no revocable right", () => {
  const all = new Set(permissionCases.map(({ mutation }) => mutation));
  const others = [...ownMatters, ...unchanged].toSorted();
  expect([...all].filter((mutation) => !refused.has(mutation)).toSorted()).toEqual(others);
});
