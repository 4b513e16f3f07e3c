// The rows of all test worlds satisfy the foreign keys, which are not checked in shared databases.
import { expect, test } from "vitest";
import { makeFixtures } from "#test/support/access/fixture.ts";
import { makeTenants } from "#test/support/access/tenants.ts";
import { useApp } from "#test/support/app.ts";
import { createWorld } from "#test/support/world.ts";

const { app } = await useApp();

test("every test world satisfies the foreign keys", async () => {
  const world = createWorld(app.database);
  await world.everything();
  await expect(makeFixtures(app.database, 2)).resolves.toHaveLength(2);
  await expect(makeTenants(app.database, 2)).resolves.toHaveLength(2);
});

test("the foreign keys refuse a row without its parent", async () => {
  const { pool } = app.database;
  const insert = `insert into "Team" (id, "organizationId", title) values ('tem_1', 'org_of_nobody', 'A team')`;
  await expect(pool.query(insert)).rejects.toThrow("violates foreign key constraint");
});
