// The rows of all test worlds satisfy the foreign keys, which are not checked in shared databases, and are what the
// triggers would make them that do not run there.
import { expect, test } from "vitest";
import { addMember, addPersonIn } from "#test/features/members/factory.ts";
import { makeFixtures } from "#test/support/access/fixture.ts";
import { makeTenants } from "#test/support/access/tenants.ts";
import { useApp } from "#test/support/app.ts";
import { createWorld } from "#test/support/world.ts";

const { app, world } = await useApp();

test("every test world satisfies the foreign keys", async () => {
  const world = createWorld(app.database);
  await world.everything();
  await expect(makeFixtures(app.database, 2)).resolves.toHaveLength(2);
  await expect(makeTenants(app.database, 2)).resolves.toHaveLength(2);
});

test("members are written with the names that lists are sorted by, as the triggers write them", async () => {
  const { admin, teamOwner, organization, elsewhere } = await world.organization();
  const [angstrom] = await world.insert((rows) => [
    addPersonIn(rows, { organizationId: organization.id, role: "read" }, { displayName: "Ångström ÖIL" }),
    addMember(rows, { organizationId: elsewhere.id, userId: admin.id, role: "read" }),
  ]);
  const { rows } = await app.database.pool.query<{ name: string }>(
    `select "userId" || ' ' || "sortName" as name from "OrganizationMember" where "organizationId" = any($1)
      union all select "userId" || ' ' || "sortName" from "TeamMember" where "organizationId" = any($1)`,
    [[organization.id, elsewhere.id]],
  );
  const names = rows.map(({ name }) => name);
  expect(names).toContain(`${angstrom.id} ångström öil`);
  expect(names.filter((name) => name === `${admin.id} admin`)).toHaveLength(2);
  expect(names.filter((name) => name === `${teamOwner.id} team owner`)).toHaveLength(2);
  expect(names.filter((name) => name.endsWith(" "))).toEqual([]);
});

test("the foreign keys refuse a row without its parent", async () => {
  const { pool } = app.database;
  const insert = `insert into "Team" (id, "organizationId", title) values ('tem_1', 'org_of_nobody', 'A team')`;
  await expect(pool.query(insert)).rejects.toThrow("violates foreign key constraint");
});
