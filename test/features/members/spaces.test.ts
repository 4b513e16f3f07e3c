// The spaces of a member, with the member's role on each by every source of a role, and their count.
import { describe, expect, it } from "vitest";
import { effectiveRole, higherRole, isAtLeast, roles } from "#src/access/roles.ts";
import type { Role } from "#src/generated/prisma/enums.ts";
import { addCollection } from "#test/features/collections/factory.ts";
import { addGrant, addPersonIn, type Person } from "#test/features/members/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

interface Spaces {
  node: {
    spaceCount: number;
    spaces: {
      totalCount: number;
      nodes: { permission: string; space: { id: string; title: string; permissions: Record<string, boolean> } }[];
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
    };
  };
}

const document = `query ($member: ID!, $order: SortOrder! = DESC, $first: Int, $after: String, $last: Int, $before: String) {
  node(id: $member) { ... on OrganizationMember {
    spaceCount
    spaces(orderBy: { field: CREATED_AT, direction: $order }, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      nodes { permission space { id title permissions { view access comment edit review admin } } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  } }
}`;

async function spacesOf(member: Person, viewer: Person, page: object = {}) {
  const { node } = await app.as(viewer.token).query<Spaces>(document, { member: member.memberId, ...page });
  return node;
}

/** The role on each space, by its title. */
async function rolesOf(member: Person, viewer: Person) {
  const { spaces } = await spacesOf(member, viewer, { first: 1000 });
  return Object.fromEntries(spaces.nodes.map(({ permission, space }) => [space.title, permission]));
}

describe("OrganizationMember.spaces", () => {
  it("returns the member's own role on the space to any viewer", async () => {
    const { space, ...people } = await world.space();
    const { admin, creator, reader, teamOwner, invitedGuest, teamGuest, guest } = people;
    for (const viewer of [admin, reader]) {
      expect(await rolesOf(admin, viewer)).toEqual({ [space.title]: "ADMIN" });
      expect(await rolesOf(creator, viewer)).toEqual({ [space.title]: "CREATE" });
      expect(await rolesOf(reader, viewer)).toEqual({ [space.title]: "READ" });
      expect(await rolesOf(teamOwner, viewer)).toEqual({ [space.title]: "EDIT" });
      expect(await rolesOf(invitedGuest, viewer)).toEqual({ [space.title]: "COMMENT" });
      expect(await rolesOf(teamGuest, viewer)).toEqual({ [space.title]: "EDIT" });
      expect(await rolesOf(guest, viewer)).toEqual({});
    }
  });

  it("equals the role rules and the member's own flags, for every role, level and grant", async () => {
    const { organization, admin } = await world.organization();
    const organizationId = organization.id;
    const memberRoles = [...roles, null];
    const levels = [null, "read", "review"] as const;
    const grants = [null, "comment", "create"] as const;
    const { people, cases } = await world.insert((rows) => {
      const team = addTeam(rows, { organizationId });
      const people = memberRoles.map((role) => ({ role, person: addPersonIn(rows, { organizationId, role }) }));
      for (const { person } of people) addTeamMember(rows, team, person);
      const cases = levels.flatMap((outer) =>
        levels.flatMap((own) =>
          grants.flatMap((byTeam) =>
            grants.map((byUser) => {
              // A grant to the team on the outer collection, and one to each user on the space.
              const around = addCollection(rows, { organizationId, defaultLevel: outer });
              const inner = addCollection(rows, { organizationId, parent: around });
              const title = [outer, own, byTeam, byUser].join(" ");
              const space = addSpace(rows, { organizationId, parent: inner, defaultLevel: own, title });
              if (byTeam) addGrant(rows, { organizationId, collectionId: around.id, teamId: team.id, role: byTeam });
              for (const { person } of byUser ? people : [])
                addGrant(rows, { organizationId, spaceId: space.id, userId: person.id, role: byUser as Role });
              return { title, level: own ?? outer, granted: higherRole(byTeam, byUser) };
            }),
          ),
        ),
      );
      return { people, cases };
    });
    for (const { role, person } of people) {
      const expected = cases.flatMap(({ title, level, granted }) => {
        const effective = effectiveRole({ member: role, level, granted, isClosed: false });
        return effective === null ? [] : [[title, effective.toUpperCase()]];
      });
      expect(await rolesOf(person, admin), `as ${role}`).toEqual(Object.fromEntries(expected));
      const { spaces, spaceCount } = await spacesOf(person, person, { first: 1000 });
      expect([spaces.totalCount, spaceCount]).toEqual([expected.length, expected.length]);
      for (const { permission, space } of spaces.nodes) {
        // The names differ in case only.
        const has = (needed: Role) => isAtLeast(permission.toLowerCase() as Role, needed);
        expect(space.permissions, `${space.title} as ${role}`).toEqual({
          view: true,
          access: has("read"),
          comment: has("comment"),
          edit: has("edit"),
          review: has("review"),
          admin: has("admin"),
        });
      }
    }
  });

  it("omits deleted spaces, spaces of other organizations, and all spaces of a disabled member", async () => {
    const { organization, space, elsewhere, team, admin, reader, invitedGuest, teamGuest, disabled } =
      await world.space();
    await world.insert((rows) => {
      const organizationId = organization.id;
      const deleted = addSpace(rows, { organizationId, deletedAt: new Date() });
      const foreign = addSpace(rows, { organizationId: elsewhere.id, visibility: "public" });
      addGrant(rows, { organizationId, spaceId: deleted.id, userId: invitedGuest.id, role: "edit" });
      addGrant(rows, { organizationId, spaceId: deleted.id, teamId: team.id, role: "edit" });
      return foreign;
    });
    for (const member of [reader, invitedGuest, teamGuest]) {
      const { spaces, spaceCount } = await spacesOf(member, admin);
      expect(spaces.nodes.map(({ space: { id } }) => id)).toEqual([space.id]);
      expect([spaces.totalCount, spaceCount]).toEqual([1, 1]);
    }
    const { spaces, spaceCount } = await spacesOf(disabled, admin);
    expect([spaces.nodes.length, spaces.totalCount, spaceCount]).toEqual([0, 0, 0]);
  });

  it("counts a space once that is granted in several ways", async () => {
    const { organization, collection, space, team, admin, teamGuest } = await world.space();
    await world.insert((rows) => {
      const organizationId = organization.id;
      addGrant(rows, { organizationId, spaceId: space.id, userId: teamGuest.id, role: "review" });
      addGrant(rows, { organizationId, collectionId: collection.id, userId: teamGuest.id, role: "read" });
      addGrant(rows, { organizationId, spaceId: space.id, teamId: team.id, role: "read" });
    });
    const { spaces, spaceCount } = await spacesOf(teamGuest, admin);
    expect(spaces.nodes.map(({ permission }) => permission)).toEqual(["REVIEW"]);
    expect([spaces.totalCount, spaceCount]).toEqual([1, 1]);
  });

  it.each(["ASC", "DESC"])("is paginated in both directions by creation time, %s", async (order) => {
    const { organization, collection, editor, invitedGuest } = await world.collection();
    const added = await world.insert((rows) =>
      times(7, () => addSpace(rows, { organizationId: organization.id, parent: collection }).id),
    );
    const whole = order === "ASC" ? added : added.toReversed();
    for (const member of [editor, invitedGuest]) {
      const read = async (page: object) => (await spacesOf(member, editor, { order, ...page })).spaces;
      const idsOf = ({ nodes }: Spaces["node"]["spaces"]) => nodes.map(({ space }) => space.id);
      const first = await read({ first: 4 });
      const second = await read({ first: 4, after: first.pageInfo.endCursor });
      expect([...idsOf(first), ...idsOf(second)]).toEqual(whole);
      expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
      expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
      const last = await read({ last: 4 });
      const before = await read({ last: 4, before: last.pageInfo.startCursor });
      expect([...idsOf(before), ...idsOf(last)]).toEqual(whole);
    }
  });
});
