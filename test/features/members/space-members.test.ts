// The users with access to a space, with their role and every source of it.
import { describe, expect, test } from "vitest";
import { addCollection } from "#test/features/collections/factory.ts";
import { addGrant } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

interface Source {
  kind: string;
  role: string;
  collection: { id: string } | null;
  team: { id: string } | null;
  grant: { id: string } | null;
}
interface Member {
  role: string;
  user: { id: string };
  sources: Source[];
}
interface Answer {
  space: { members: { totalCount: number; nodes: Member[] } | null };
}

const document = `query ($id: ID!, $first: Int, $search: String, $role: Role) { space(id: $id) { members(first: $first, search: $search, role: $role) { totalCount
  nodes { role user { id } sources { kind role collection { id } team { id } grant { id } } } } } }`;

async function membersOf(space: { id: string }, viewer: Person, given: object = {}) {
  const { members } = (await app.as(viewer.token).query<Answer>(document, { id: space.id, ...given })).space;
  if (!members) throw new Error("The members are not visible.");
  return members;
}

describe("Space.members", () => {
  test("lists every user with a role on the space, for members of the organization", async () => {
    const { people, space, reader, outsider, guest, disabled } = await world.space();
    const { totalCount, nodes } = await membersOf(space, reader);
    const expected = Object.values(people).filter(({ id }) => ![outsider.id, guest.id, disabled.id].includes(id));
    expect(nodes.map(({ user }) => user.id)).toEqual(expected.map(({ id }) => id));
    expect(totalCount).toBe(expected.length);
    expect((await membersOf(space, reader, { first: 2 })).nodes).toHaveLength(2);
    expect((await membersOf(space, reader, { search: "GUEST" })).totalCount).toBe(2);
    for (const viewer of [people.invitedGuest, people.teamGuest])
      expect(await app.as(viewer.token).refusal(document, { id: space.id })).toBe("FORBIDDEN");
  });

  test("lists the users with one role, in GraphQL and in /v1", async () => {
    const { space, reader } = await world.space();
    const { nodes } = await membersOf(space, reader);
    for (const role of ["READ", "COMMENT", "EDIT", "REVIEW", "CREATE", "ADMIN"]) {
      const expected = nodes.filter((member) => member.role === role).map(({ user }) => user.id);
      const found = await app.as(reader.token).query<Answer>(document, { id: space.id, role });
      expect(
        found.space.members?.nodes.map(({ user }) => user.id),
        role,
      ).toEqual(expected);
      expect(found.space.members?.totalCount).toBe(expected.length);
      const { body } = await app
        .as(reader.token)
        .rest<{ items: { user: { id: string } }[] }>(
          "GET",
          `/v1/spaces/${space.id}/permissions/aggregate?role=${role.toLowerCase()}`,
        );
      expect(
        body.items.map(({ user }) => user.id),
        role,
      ).toEqual(expected);
    }
    expect(new Set(nodes.map(({ role }) => role)).size).toBeGreaterThan(2);
  });

  test("returns the same role as the space returns to each user", async () => {
    const { people, organization, collection, reader } = await world.space();
    const organizationId = organization.id;
    const inside = await world.insert((rows) => {
      const inner = addCollection(rows, { organizationId, parent: collection, defaultLevel: "comment" });
      addGrant(rows, { organizationId, collectionId: inner.id, userId: people.guest.id, role: "create" });
      return addSpace(rows, { organizationId, parent: inner });
    });
    for (const { role, user } of (await membersOf(inside, reader)).nodes) {
      const person = Object.values(people).find(({ id }) => id === user.id);
      const own = await app.as(person?.token ?? "").query(`{ space(id: "${inside.id}") { viewerRole } }`);
      expect(own, person?.displayName).toEqual({ space: { viewerRole: role } });
    }
  });

  test("lists every source of a role, highest first", async () => {
    const { organization, collection, team, admin, editor, teamOwner, teamGuest, invitedGuest } = await world.space();
    const organizationId = organization.id;
    const { inner, inside, own } = await world.insert((rows) => {
      const inner = addCollection(rows, { organizationId, parent: collection, defaultLevel: "comment" });
      const inside = addSpace(rows, { organizationId, parent: inner });
      const grant = { organizationId, spaceId: inside.id, userId: teamOwner.id, role: "review" } as const;
      return { inner, inside, own: addGrant(rows, grant) };
    });
    const { nodes } = await membersOf(inside, admin);
    const of = (person: Person) => {
      const { role, sources } = nodes.find(({ user }) => user.id === person.id) ?? { role: "", sources: [] };
      return [
        role,
        ...sources.map(({ kind, role: given, ...from }) => [kind, given, from.collection?.id, from.team?.id]),
      ];
    };
    expect(of(admin)).toEqual(["ADMIN", ["ORGANIZATION_ADMIN", "ADMIN", undefined, undefined]]);
    const level = ["COLLECTION_DEFAULT_LEVEL", "COMMENT", inner.id, undefined];
    expect(of(editor)).toEqual(["COMMENT", level]);
    const byTeam = ["TEAM_GRANT", "EDIT", collection.id, team.id];
    expect(of(teamOwner)).toEqual(["REVIEW", ["USER_GRANT", "REVIEW", undefined, undefined], byTeam, level]);
    expect(of(teamGuest)).toEqual(["EDIT", byTeam]);
    expect(of(invitedGuest)).toEqual(["COMMENT", ["USER_GRANT", "COMMENT", collection.id, undefined]]);
    const grantOf = (members: Member[]) => members.find(({ user }) => user.id === teamOwner.id)?.sources[0]?.grant;
    expect(grantOf(nodes)).toEqual({ id: own.id });
    expect(grantOf((await membersOf(inside, editor)).nodes)).toBeNull();
  });

  test("includes the level of the space itself, or else the role in the organization", async () => {
    const { organization, reader, editor } = await world.organization();
    const [levelled, plain] = await world.insert((rows) => [
      addSpace(rows, { organizationId: organization.id, defaultLevel: "edit" }),
      addSpace(rows, { organizationId: organization.id }),
    ]);
    const kindFor = async (space: { id: string } | undefined) =>
      (await membersOf(space ?? { id: "" }, editor)).nodes.find(({ user }) => user.id === reader.id);
    const nothing = { collection: null, team: null, grant: null };
    expect(await kindFor(levelled)).toMatchObject({
      role: "EDIT",
      sources: [{ kind: "SPACE_DEFAULT_LEVEL", role: "EDIT", ...nothing }],
    });
    expect(await kindFor(plain)).toMatchObject({
      role: "READ",
      sources: [{ kind: "ORGANIZATION_ROLE", role: "READ", ...nothing }],
    });
  });
});

describe("Organization.grants", () => {
  test("lists grants in it with their item and the viewer's permissions, for admins", async () => {
    const { organization, collection, space, team, invitedGuest, editor, admin, reader } = await world.space();
    const organizationId = organization.id;
    await world.insert((rows) =>
      addGrant(rows, { organizationId, spaceId: space.id, userId: editor.id, role: "admin" }),
    );
    const all = `{ organization(id: "${organizationId}") { grants { totalCount nodes { role organization { id } user { id } team { id }
      space { id } collection { id } permissions { view update remove } } } } }`;
    const grant = { organization: { id: organizationId }, user: null, team: null, space: null, collection: null };
    const permissions = { view: true, update: true, remove: true };
    const here = { ...grant, collection: { id: collection.id }, permissions };
    const onSpace = { ...grant, role: "ADMIN", user: { id: editor.id }, space: { id: space.id }, permissions };
    expect(await app.as(admin.token).query(all)).toEqual({
      organization: {
        grants: {
          totalCount: 3,
          nodes: [
            { ...here, role: "COMMENT", user: { id: invitedGuest.id } },
            { ...here, role: "EDIT", team: { id: team.id } },
            onSpace,
          ],
        },
      },
    });
    const find = async (given: string) => {
      const document = `{ organization(id: "${organizationId}") { grants(${given}) { nodes { role } } } }`;
      const found = await app
        .as(admin.token)
        .query<{ organization: { grants: { nodes: { role: string }[] } } }>(document);
      return found.organization.grants.nodes.map(({ role }) => role);
    };
    expect(await find(`userIds: ["${editor.id}", "${reader.id}"]`)).toEqual(["ADMIN"]);
    expect(await find(`teamIds: ["${team.id}"]`)).toEqual(["EDIT"]);
    expect(await find(`teamIds: ["${team.id}"], role: ADMIN`)).toEqual([]);
    const own = `{ node(id: "${invitedGuest.memberId}") { ... on OrganizationMember { grants { totalCount nodes { role } } } } }`;
    expect(await app.as(admin.token).query(own)).toEqual({
      node: { grants: { totalCount: 1, nodes: [{ role: "COMMENT" }] } },
    });
    for (const viewer of [reader, invitedGuest])
      expect(await app.as(viewer.token).query(own)).toEqual({ node: { grants: { totalCount: 0, nodes: [] } } });
    for (const viewer of [reader, invitedGuest, editor])
      expect(await app.as(viewer.token).refusal(all)).toBe("FORBIDDEN");
  });
});
