// The /v1 operations on teams: mapping of parameters and responses; their effects are tested in GraphQL.
import { expect, it } from "vitest";
import { addTeam } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

interface List {
  items: { id: string }[];
  count: number;
  next?: { page: string };
}

it("GET of a team in /v1 returns the team", async () => {
  const { organization, team, teamOwner } = await world.space();
  const path = `/v1/orgs/${organization.id}/teams/${team.id}`;
  const { status, body } = await app.as(teamOwner.token).rest("GET", path);
  expect(status).toBe(200);
  expect(body).toEqual({
    object: "team",
    id: team.id,
    title: team.title,
    members: 2,
    spaces: 1,
    createdAt: new Date(team.createdAt).toISOString(),
    permissions: { admin: true, view: true },
  });
});

it("GET of teams in /v1 is 403 for guests", async () => {
  const { organization, team, guest } = await world.organization();
  const teams = `/v1/orgs/${organization.id}/teams`;
  for (const path of [teams, `${teams}/${team.id}`])
    expect((await app.as(guest.token).rest("GET", path)).status, path).toBe(403);
});

it("GET of teams in /v1 filters by owner and title, in pages", async () => {
  const { organization, team, reader, admin, teamOwner } = await world.organization();
  const other = await world.insert((rows) => addTeam(rows, { organizationId: organization.id, title: "Zebra" }));
  const list = async (query: string) => {
    const path = `/v1/orgs/${organization.id}/teams?${query}`;
    const { status, body } = await app.as(reader.token).rest<List>("GET", path);
    expect(status).toBe(200);
    return { ids: body.items.map(({ id }) => id), ...body };
  };
  expect((await list("")).ids).toEqual([team.id, other.id]);
  expect((await list("title=zeb")).ids).toEqual([other.id]);
  expect((await list(`owner=${teamOwner.id}`)).ids).toEqual([team.id]);
  expect((await list(`owner=${admin.id}`)).count).toBe(2);
  const first = await list("limit=1");
  const rest = await list(`limit=1&page=${encodeURIComponent(first.next?.page ?? "")}`);
  expect([first.ids, rest.ids, rest.next]).toEqual([[team.id], [other.id], undefined]);
});
