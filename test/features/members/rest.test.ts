// The /v1 operations on members: mapping of parameters and responses; their effects are tested in GraphQL.
import { expect, it } from "vitest";
import { addPersonIn } from "#test/features/members/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

type Body = Record<string, unknown>;

interface List {
  items: (Body & { user: Body; space: Body; team: Body })[];
  count: number;
  next?: { page: string };
}

it("GET of a member in /v1 uses the id of the user", async () => {
  const { organization, reader, teamGuest } = await world.organization();
  const path = `/v1/orgs/${organization.id}/members/${teamGuest.id}`;
  const { status, body } = await app.as(reader.token).rest(`GET`, path);
  expect(status).toBe(200);
  expect(body).toEqual({
    object: "member",
    id: teamGuest.id,
    role: null,
    user: {
      object: "user",
      id: teamGuest.id,
      displayName: teamGuest.displayName,
      email: teamGuest.email,
      urls: { location: expect.stringContaining(`/app/users/${teamGuest.id}`) },
    },
    disabled: false,
    joinedAt: expect.stringMatching(/Z$/),
    sso: false,
    spaces: 0,
    teams: 1,
    sites: 0,
  });
});

it("GET of another member in /v1 is 403 for a guest", async () => {
  const { organization, reader, guest } = await world.organization();
  const get = async (token: string, userId: string) =>
    (await app.as(token).rest("GET", `/v1/orgs/${organization.id}/members/${userId}`)).status;
  expect(await get(guest.token, reader.id)).toBe(403);
  expect(await get(guest.token, guest.id)).toBe(200);
});

it("GET of members in /v1 filters by role and search, sorts, and is paginated", async () => {
  const { organization, reader } = await world.organization();
  const { early, late } = await world.insert((rows) => {
    const person = (displayName: string, day: number) =>
      addPersonIn(
        rows,
        { organizationId: organization.id, role: "edit", lastSeenAt: new Date(Date.UTC(2026, 2, day)) },
        { displayName },
      );
    return { early: person("Zoe Early", 1), late: person("Adam Late", 2) };
  });
  const list = async (query: string) => {
    const { status, body } = await app
      .as(reader.token)
      .rest<List>("GET", `/v1/orgs/${organization.id}/members?${query}`);
    expect(status).toBe(200);
    return { ids: body.items.map(({ id }) => id), ...body };
  };
  expect((await list("role=guest")).count).toBe(3);
  expect((await list("role=edit&sort=joinedAt")).ids.slice(0, 2)).toEqual([late.id, early.id]);
  expect((await list("sort=lastSeenAt")).ids).toEqual([late.id, early.id]);
  expect((await list("sort=lastSeenAt&order=asc")).ids).toEqual([early.id, late.id]);
  expect((await list("sort=displayName&search=a&order=asc")).ids[0]).toBe(late.id);
  expect((await list("search=ZOE")).ids).toEqual([early.id]);
  const first = await list("sort=lastSeenAt&limit=1");
  const rest = await list(`sort=lastSeenAt&limit=1&page=${encodeURIComponent(first.next?.page ?? "")}`);
  expect([first.ids, rest.ids, first.count, rest.next]).toEqual([[late.id], [early.id], 2, undefined]);
});

it("GET of members in /v1 refuses values that are not in the contract", async () => {
  const { organization, reader } = await world.organization();
  const bad = ["role=GUEST", "role=owner", "sort=JOINED_AT", "order=DESC", "limit=0", "limit=1001"];
  const get = (query: string) => app.as(reader.token).rest("GET", `/v1/orgs/${organization.id}/members?${query}`);
  const statuses = await Promise.all(bad.map(async (query) => [query, (await get(query)).status]));
  expect(statuses).toEqual(bad.map((query) => [query, 400]));
});

it("GET of a member's spaces in /v1 returns the role on each", async () => {
  const { organization, space, reader, teamGuest } = await world.space();
  const path = `/v1/orgs/${organization.id}/members/${teamGuest.id}/spaces`;
  const { status, body } = await app.as(reader.token).rest<List>("GET", `${path}?order=asc`);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    count: 1,
    items: [{ permission: "edit", space: { object: "space", id: space.id, permissions: { edit: false } } }],
  });
});

it("GET of a member's teams in /v1 returns the role in each", async () => {
  const { organization, team, reader, teamOwner } = await world.organization();
  const path = `/v1/orgs/${organization.id}/members/${teamOwner.id}/teams`;
  const { body } = await app.as(reader.token).rest<List>("GET", `${path}?title=TEAM`);
  expect(body).toEqual({
    count: 1,
    items: [
      {
        team: {
          object: "team",
          id: team.id,
          title: team.title,
          members: 2,
          spaces: 0,
          createdAt: expect.stringMatching(/Z$/),
          permissions: { admin: false, view: true },
        },
        member: { role: "owner" },
      },
    ],
  });
  expect((await app.as(reader.token).rest<List>("GET", `${path}?title=nothing`)).body).toEqual({ count: 0, items: [] });
});
