// The pages of teams over HTTP.
import { expect, test } from "vitest";
import { addTeam } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";
import { readerOf, textOf } from "#test/support/signed-in.ts";

const { app, world } = await useApp();

test("an admin creates a team, which shows a taken name with the field kept", async () => {
  const { organization, admin, reader, guest } = await world.organization();
  const path = `/app/orgs/${organization.id}/teams`;
  const own = await readerOf(app, admin);
  const made = await own.send(path, "team", { title: "Writers <b>" });
  expect([made.status, made.to?.startsWith(`${path}/`)]).toEqual([303, true]);
  expect((await own.read(made.to ?? "")).body).toContain("<h2>Writers &#60;b&#62;</h2>");
  const taken = await own.send(path, "team", { title: "Writers <b>" });
  expect(taken.status).toBe(409);
  expect(taken.body).toContain(`value="Writers &#60;b&#62;"`);
  const { status, body } = await (await readerOf(app, reader)).read(path);
  expect([status, body.includes("Create team")]).toEqual([200, false]);
  expect((await (await readerOf(app, guest)).read(path)).status).toBe(404);
});

test("an owner of a team adds, changes and removes members, and renames it", async () => {
  const { organization, team, teamOwner, reader } = await world.organization();
  const path = `/app/orgs/${organization.id}/teams/${team.id}`;
  const own = await readerOf(app, teamOwner);
  const added = await own.send(path, "add", { email: reader.email, role: "MEMBER" });
  expect([added.status, added.to]).toEqual([303, path]);
  expect(textOf((await own.read(path)).body)).toContain(`Reader ${reader.email}`);
  expect((await own.send(path, "role", { userId: reader.id, role: "OWNER" })).status).toBe(303);
  const { prisma } = app.database;
  expect(await prisma.teamMember.count({ where: { teamId: team.id, role: "owner" } })).toBe(2);
  expect((await own.send(path, "remove", { userId: reader.id })).status).toBe(303);
  expect((await own.read(path)).body).not.toContain(reader.email);
  expect((await own.send(path, "rename", { title: "Renamed" })).status).toBe(303);
  const { body } = await own.read(path);
  expect(body).toContain("<h2>Renamed</h2>");
  expect(body).not.toContain("Delete this team");
  const refused = await own.send(path, "add", { email: "nobody@example.com", role: "MEMBER" });
  expect(refused.status).toBe(400);
  expect(refused.body).toContain(`value="nobody@example.com"`);
});

test("only admins delete a team; others read it, and teams elsewhere are missing", async () => {
  const { organization, elsewhere, team, admin, reader } = await world.organization();
  const foreign = await world.insert((rows) => addTeam(rows, { organizationId: elsewhere.id }));
  const root = `/app/orgs/${organization.id}/teams`;
  const path = `${root}/${team.id}`;
  const other = await readerOf(app, reader);
  const seen = await other.read(path);
  expect([seen.status, seen.body.includes(`name="form"`)]).toEqual([200, false]);
  expect((await other.send(path, "delete")).status).toBe(403);
  expect((await other.send(path, "rename", { title: "Mine" })).status).toBe(403);
  expect((await other.read(`${root}/${foreign.id}`)).status).toBe(404);
  const deleted = await (await readerOf(app, admin)).send(path, "delete");
  expect([deleted.status, deleted.to]).toEqual([303, root]);
  expect((await other.read(path)).status).toBe(404);
});
