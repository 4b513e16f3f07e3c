// Grants in GraphQL are set, replaced, revoked and listed only by admins of a collection or space.
import { describe, expect, test } from "vitest";
import { addGrant, addMember } from "#test/features/members/factory.ts";
import { addTeam } from "#test/features/teams/factory.ts";
import { useApp } from "#test/support/app.ts";
import { type Person, times } from "#test/support/world.ts";

const { app, world } = await useApp();

const set = `mutation ($input: SetGrantInput!) { setGrant(input: $input) { grant { id role user { id } team { id } } } }`;
const remove = `mutation ($input: RemoveGrantInput!) { removeGrant(input: $input) { deletedId } }`;
const list = `query ($id: ID!) { node(id: $id) { ... on Collection { grants { nodes { role user { id } team { id } } totalCount } }
  ... on Space { grants { nodes { role user { id } team { id } } totalCount } } } }`;
const noUser = "usr_00000000000000000000000000";
const noTeam = "tem_00000000000000000000000000";

interface SetAnswer {
  setGrant: { grant: { id: string; role: string } | null };
}

async function outcome({ token }: Person, document: string, input: object): Promise<unknown> {
  const { data, errors } = await app
    .as(token)
    .graphql<{ removeGrant?: { deletedId: string | null } }>(document, { input });
  return errors?.[0]?.extensions.code ?? (data?.removeGrant ? data.removeGrant.deletedId !== null : "ok");
}

async function eventsOf(subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type, organizationId, spaceId, actorId }) => [type, organizationId, spaceId, actorId]);
}

describe("setGrant", () => {
  test("creates a grant, replaces its role in the same row, and emits an event for each", async () => {
    const { organization, space, guest, admin } = await world.space();
    const as = app.as(admin.token);
    const input = { target: { spaceId: space.id }, holder: { userId: guest.id } };
    const first = await as.query<SetAnswer>(set, { input: { ...input, role: "EDIT" } });
    expect(first.setGrant.grant).toMatchObject({ role: "EDIT", user: { id: guest.id }, team: null });
    const see = `{ space(id: "${space.id}") { permissions { edit comment admin } } }`;
    const permissions = { edit: true, comment: true, admin: false };
    expect(await app.as(guest.token).query(see)).toEqual({ space: { permissions } });
    const second = await as.query<SetAnswer>(set, { input: { ...input, role: "READ" } });
    expect(second.setGrant.grant).toMatchObject({ id: first.setGrant.grant?.id, role: "READ" });
    expect(await app.as(guest.token).query(see)).toEqual({
      space: { permissions: { edit: false, comment: false, admin: false } },
    });
    const event = ["grant.set", organization.id, space.id, admin.id];
    expect(await eventsOf(first.setGrant.grant?.id ?? "")).toEqual([event, event]);
  });

  test("applies to everything inside a collection, also for a team", async () => {
    const { collection, space, team, teamGuest, admin } = await world.space();
    const input = { target: { collectionId: collection.id }, holder: { teamId: team.id }, role: "ADMIN" };
    expect((await app.as(admin.token).query<SetAnswer>(set, { input })).setGrant.grant).toMatchObject({
      role: "ADMIN",
      user: null,
      team: { id: team.id },
    });
    expect(await app.as(teamGuest.token).query(`{ space(id: "${space.id}") { permissions { admin } } }`)).toEqual({
      space: { permissions: { admin: true } },
    });
  });

  test.each([
    [{}, "holder"],
    [{ holder: {} }, "holder"],
    [{ holder: { userId: noUser, teamId: noTeam } }, "holder"],
    [{ target: undefined, holder: { userId: noUser } }, "target"],
    [{ target: {}, holder: { userId: noUser } }, "target"],
    [{ target: { spaceId: "one", collectionId: "other" }, holder: { userId: noUser } }, "target"],
  ])("refuses the input %j", async (given, named) => {
    const { admin } = await world.organization();
    const input = { role: "READ", target: { spaceId: "one" }, ...given };
    const { errors } = await app.as(admin.token).graphql(set, { input });
    expect(errors?.[0]?.extensions.code).toBe("INVALID_INPUT");
    expect(errors?.[0]?.message).toMatch(new RegExp(`at "input\\.${named}"|Field "${named}" of required type`));
  });

  test("returns NOT_FOUND for outsiders, disabled members and teams of other organizations", async () => {
    const { space, admin, outsider, disabled } = await world.space();
    const other = await world.organization();
    const otherTeam = await world.insert((rows) => {
      addMember(rows, { organizationId: other.organization.id, userId: admin.id, role: "admin" });
      return addTeam(rows, { organizationId: other.organization.id });
    });
    const answer = async (holder: object) => {
      const { errors } = await app
        .as(admin.token)
        .graphql(set, { input: { target: { spaceId: space.id }, role: "READ", holder } });
      return [errors?.[0]?.extensions.code, errors?.[0]?.message];
    };
    const missing = await answer({ userId: noUser });
    expect(missing[0]).toBe("NOT_FOUND");
    for (const { id } of [outsider, disabled]) expect(await answer({ userId: id })).toEqual(missing);
    expect(await answer({ teamId: otherTeam.id })).toEqual(await answer({ teamId: noTeam }));
    expect((await answer({ teamId: noTeam }))[0]).toBe("NOT_FOUND");
  });

  test("is allowed to a guest who is admin of the item by a grant", async () => {
    const { organization, space, people } = await world.space();
    await world.insert((rows) =>
      addGrant(rows, { organizationId: organization.id, spaceId: space.id, userId: people.guest.id, role: "admin" }),
    );
    const input = { target: { spaceId: space.id }, holder: { userId: people.reader.id }, role: "ADMIN" };
    expect(await outcome(people.guest, set, input)).toBe("ok");
  });

  test("lets an admin by grant lower their own grant, and is refused to them afterwards", async () => {
    const { organization, space, guest } = await world.space();
    await world.insert((rows) =>
      addGrant(rows, { organizationId: organization.id, spaceId: space.id, userId: guest.id, role: "admin" }),
    );
    const input = { target: { spaceId: space.id }, holder: { userId: guest.id }, role: "READ" };
    expect(await app.as(guest.token).query(set, { input })).toEqual({ setGrant: { grant: null } });
    expect(await outcome(guest, set, input)).toBe("FORBIDDEN");
  });

  test("of concurrent calls leaves one grant", async () => {
    const { space, reader, admin } = await world.space();
    const input = { target: { spaceId: space.id }, holder: { userId: reader.id }, role: "EDIT" };
    expect(await Promise.all(times(8, () => outcome(admin, set, input)))).toEqual(times(8, () => "ok"));
    expect(await app.database.prisma.grant.count({ where: { spaceId: space.id } })).toBe(1);
  });
});

describe("removeGrant", () => {
  test("removes the grant and reports whether it existed", async () => {
    const { organization, collection, invitedGuest, admin } = await world.space();
    const grant = await app.database.prisma.grant.findFirst({ where: { userId: invitedGuest.id } });
    const input = { target: { collectionId: collection.id }, holder: { userId: invitedGuest.id } };
    expect(await outcome(admin, remove, input)).toBe(true);
    expect(await app.as(invitedGuest.token).refusal(`{ collection(id: "${collection.id}") { id } }`)).toBe("NOT_FOUND");
    expect(await outcome(admin, remove, input)).toBe(false);
    expect(await outcome(admin, remove, { ...input, holder: { userId: noUser } })).toBe(false);
    expect(await eventsOf(grant?.id ?? "")).toEqual([["grant.removed", organization.id, null, admin.id]]);
  });

  test("requires admin, even without a grant", async () => {
    const { space, creator, reader } = await world.space();
    expect(await outcome(creator, remove, { target: { spaceId: space.id }, holder: { userId: reader.id } })).toBe(
      "FORBIDDEN",
    );
  });
});

describe("lists of grants", () => {
  test("are visible to admins of the item only, also by node", async () => {
    const { collection, space, invitedGuest, team, people } = await world.space();
    const { node } = await app.as(people.admin.token).query<{ node: { grants: object } }>(list, { id: collection.id });
    expect(node.grants).toEqual({
      nodes: [
        { role: "COMMENT", user: { id: invitedGuest.id }, team: null },
        { role: "EDIT", user: null, team: { id: team.id } },
      ],
      totalCount: 2,
    });
    const grant = await app.database.prisma.grant.findFirst({ where: { userId: invitedGuest.id } });
    const one = `{ node(id: "${grant?.id}") { id } }`;
    expect(await app.as(people.admin.token).query(one)).toEqual({ node: { id: grant?.id } });
    for (const [name, { token }] of Object.entries(people).filter(([who]) => who !== "admin")) {
      expect([name, await app.as(token).query(one)]).toEqual([name, { node: null }]);
      const { data, errors } = await app.as(token).graphql<{ node: { grants: null } | null }>(list, { id: space.id });
      const isSeen = !["guest", "outsider", "disabled"].includes(name);
      expect([name, data?.node, errors?.[0]?.extensions.code]).toEqual(
        isSeen ? [name, { grants: null }, "FORBIDDEN"] : [name, null, undefined],
      );
    }
  });

  test("take the same number of statements for 2 grants and for 20", async () => {
    const { organization, collection, admin } = await world.collection();
    const counts = [];
    for (const more of [0, 18]) {
      await world.insert((rows) =>
        times(more, () => {
          const team = addTeam(rows, { organizationId: organization.id });
          addGrant(rows, {
            organizationId: organization.id,
            collectionId: collection.id,
            teamId: team.id,
            role: "read",
          });
        }),
      );
      counts.push(await app.as(admin.token).statements(list, { id: collection.id }));
    }
    expect(counts[0]).toBe(counts[1]);
  });
});
