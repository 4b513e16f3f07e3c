// The /v1 operations that change teams: bodies, statuses and responses; their effects are tested in GraphQL.
import { expect, it } from "vitest";
import { newId } from "#src/base/ids.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

interface Answer {
  id: string;
  error?: { code: number; details?: { path: string; message: string }[] };
  items: { organization: { id: string }; team: { role: string } }[];
}

const call = async (person: Person, method: string, path: string, body?: unknown) =>
  app.as(person.token).rest<Answer>(method, path, body === undefined ? {} : { body });

it("POST of a team in /v1 returns 201 with it, 409 for a taken title, 400 for an invalid body", async () => {
  const { organization, admin, guest } = await world.organization();
  const path = `/v1/orgs/${organization.id}/teams`;
  const made = await call(admin, "PUT", path, { title: "Writers", members: [guest.id] });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    object: "team",
    id: made.body.id,
    title: "Writers",
    members: 1,
    spaces: 0,
    createdAt: expect.stringMatching(/Z$/),
    permissions: { admin: true, view: true },
  });
  expect((await call(admin, "PUT", path, { title: "Writers" })).status).toBe(409);
  const bad = [{}, { title: "" }, { title: "x".repeat(65) }, { title: 1 }, { title: "x", members: "y" }];
  for (const body of [...bad, { title: "x", members: [null] }, { title: "x", members: [newId("User")] }])
    expect((await call(admin, "PUT", path, body)).status, JSON.stringify(body)).toBe(400);
});

it("PUT of a team in /v1 returns 200 with it, and requires the title", async () => {
  const { organization, teamOwner, team } = await world.organization();
  const path = `/v1/orgs/${organization.id}/teams/${team.id}`;
  const renamed = await call(teamOwner, "PATCH", path, { title: "Renamed" });
  expect([renamed.status, renamed.body]).toMatchObject([200, { id: team.id, title: "Renamed", members: 2 }]);
  for (const body of [{}, { title: null }, { title: "" }, { name: "x" }])
    expect((await call(teamOwner, "PATCH", path, body)).status).toBe(400);
});

it("DELETE of a team in /v1 returns 205, and 204 if it does not exist", async () => {
  const { organization, admin, team } = await world.organization();
  const path = `/v1/orgs/${organization.id}/teams/${team.id}`;
  const gone = await call(admin, "DELETE", path);
  expect([gone.status, gone.body]).toEqual([205, undefined]);
  const again = await call(admin, "DELETE", path);
  expect([again.status, again.body]).toEqual([204, undefined]);
});

it("PUT of a team's members in /v1 returns 204, or 400 with the invalid users", async () => {
  const { organization, teamOwner, teamGuest, reader, editor, team, outsider } = await world.organization();
  const path = `/v1/orgs/${organization.id}/teams/${team.id}/members`;
  const body = {
    add: [reader.id],
    remove: [teamGuest.email],
    memberships: { [editor.email]: { role: "owner" }, [reader.id]: { role: "member" } },
  };
  const changed = await call(teamOwner, "PUT", path, body);
  expect([changed.status, changed.body]).toEqual([204, undefined]);
  const { body: list } = await call(teamOwner, "GET", path);
  const roles = Object.fromEntries(list.items.map((item) => [item.organization.id, item.team.role]));
  expect(roles).toEqual({ [teamOwner.id]: "owner", [reader.id]: "member", [editor.id]: "owner" });

  const unknown = { add: [editor.id, outsider.id], memberships: { "a/b@example.com": { role: "owner" } } };
  const refused = await call(teamOwner, "PUT", path, unknown);
  expect([refused.status, refused.body.error?.details?.map((detail) => detail.path)]).toEqual([
    400,
    ["/add/1", "/memberships/a~1b@example.com"],
  ]);
  for (const empty of [undefined, {}]) expect((await call(teamOwner, "PUT", path, empty)).status).toBe(204);
  const roleless = { memberships: { [editor.id]: {} } };
  const wrong = [roleless, { memberships: { [editor.id]: { role: "OWNER" } } }, { memberships: [] }, { add: {} }];
  for (const body of [...wrong, { add: [1] }, { remove: null }, { members: [] }])
    expect((await call(teamOwner, "PUT", path, body)).status, JSON.stringify(body)).toBe(400);
});

it("PUT and DELETE of one team member in /v1 return 204 and 205, and 204 for a user who is not in the team", async () => {
  const { organization, teamOwner, reader, team, outsider } = await world.organization();
  const members = `/v1/orgs/${organization.id}/teams/${team.id}/members`;
  const path = `${members}/${reader.id}`;
  const roleNow = async () => {
    const { body } = await call(teamOwner, "GET", members);
    return body.items.find((item) => item.organization.id === reader.id)?.team.role;
  };
  expect((await call(teamOwner, "PUT", path)).status).toBe(204);
  expect(await roleNow()).toBe("member");
  expect((await call(teamOwner, "PUT", path, { role: "owner" })).status).toBe(204);
  expect((await call(teamOwner, "PUT", path, {})).status).toBe(204);
  expect(await roleNow()).toBe("owner");
  for (const body of [{ role: "admin" }, { role: null }, { title: "x" }])
    expect((await call(teamOwner, "PUT", path, body)).status).toBe(400);
  expect((await call(teamOwner, "DELETE", path)).status).toBe(205);
  expect((await call(teamOwner, "DELETE", path)).status).toBe(204);
  expect((await call(teamOwner, "DELETE", `${members}/${outsider.id}`)).status).toBe(204);
});

it("GET of a team's members in /v1 returns both memberships, in pages", async () => {
  const { organization, reader, guest, team, teamOwner, teamGuest } = await world.organization();
  const path = `/v1/orgs/${organization.id}/teams/${team.id}/members`;
  const { status, body } = await call(reader, "GET", path);
  const organizationOf = (id: string) => expect.objectContaining({ object: "member", id, teams: 1 });
  expect(status).toBe(200);
  expect(body).toEqual({
    count: 2,
    items: [
      { organization: organizationOf(teamOwner.id), team: { role: "owner" }, permissions: { view: true } },
      { organization: organizationOf(teamGuest.id), team: { role: "member" }, permissions: { view: true } },
    ],
  });
  const first = await app.as(reader.token).rest<Answer & { next: { page: string } }>("GET", `${path}?limit=1`);
  const rest = await call(reader, "GET", `${path}?limit=1&page=${encodeURIComponent(first.body.next.page)}`);
  expect(rest.body).toMatchObject({ count: 2, items: [{ organization: { id: teamGuest.id } }] });
  expect((await call(guest, "GET", path)).status).toBe(403);
});
