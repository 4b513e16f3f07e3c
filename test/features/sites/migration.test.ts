// The migration that gives the groups and sections of a site one order: what stood in two keeps the order then seen.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { addSection, addSectionGroup, addSite, addSiteSpace } from "#test/features/sites/factory.ts";
import { faultsOf, rowsOn } from "#test/features/sites/standing.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

test("groups come where their first section was, and site spaces in the order of their sections", async () => {
  const { organization } = await world.organization();
  const organizationId = organization.id;
  const siteId = await world.insert((rows) => {
    const { id } = addSite(rows, { organizationId });
    const spaceId = addSpace(rows, { organizationId }).id;
    const group = (title: string, position: string) => addSectionGroup(rows, { siteId: id, title, position }).id;
    const [early, late] = [group("early", "a0"), group("late", "a1")];
    group("empty", "Zz");
    // Their order: of the late group, of none, of the early group twice, with one of the late group between.
    const section = (path: string, position: string, sectionGroupId: string | null = null) =>
      addSection(rows, { siteId: id, path, position, sectionGroupId }).id;
    const ofLate = section("late-1", "a0", late);
    section("alone", "a1");
    const ofEarly = section("early-1", "a2", early);
    section("late-2", "a3", late);
    section("early-2", "a4", early);
    const place = (path: string, position: string, sectionId: string) =>
      addSiteSpace(rows, { siteId: id, spaceId, path, position, sectionId });
    place("second", "a0", ofEarly);
    place("third", "a1", ofEarly);
    place("first", "a2", ofLate);
    return id;
  });
  const file = new URL("../../../prisma/migrations/20261122152244_site_structure/migration.sql", import.meta.url);
  const [, script = ""] = readFileSync(file, "utf8").split("-- One order of the groups");
  await app.database.pool.query(`-- One order of the groups${script}`);
  const rows = await rowsOn(app, siteId);
  expect(faultsOf(rows)).toEqual([]);
  const shown = rows.map(({ kind, path }) => (kind === "group" ? "group" : path));
  expect(shown.slice(0, 5)).toEqual(["group", "late-1", "late-2", "alone", "group"]);
  expect(shown.slice(5)).toEqual(["early-1", "early-2", "group", "first", "second", "third"]);
});
