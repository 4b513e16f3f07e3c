// Who sees memberships: members of the organization all of them, guests only their own, others none.
import { describe, expect, it } from "vitest";
import { addMember } from "#test/features/members/factory.ts";
import { useApp } from "#test/support/app.ts";
import type { People } from "#test/support/world.ts";

const { app, world } = await useApp();

const memberKinds = ["admin", "creator", "reviewer", "editor", "commenter", "reader", "teamOwner"] as const;
const guestKinds = ["guest", "invitedGuest", "teamGuest"] as const;
const strangerKinds = ["disabled", "outsider"] as const;

type Kind = keyof People;
const nodeDocument = `query ($id: ID!) { node(id: $id) { id } }`;
const listDocument = `query ($id: ID!) { organization(id: $id) { id permissions { listMembers } members { totalCount } } }`;
const oneDocument = `query ($id: ID!, $user: ID!) { organization(id: $id) { id member(userId: $user) { userId } } }`;

describe("a membership", () => {
  it.each(memberKinds)("is seen by the %s, of everybody", async (kind: Kind) => {
    const { people, reader, guest, disabled, organization, outsider } = await world.organization();
    const client = app.as(people[kind].token);
    for (const { memberId } of [reader, guest, disabled])
      expect(await client.query(nodeDocument, { id: memberId })).toEqual({ node: { id: memberId } });
    expect(await client.query(nodeDocument, { id: outsider.memberId })).toEqual({ node: null });
    expect(await client.query(listDocument, { id: organization.id })).toEqual({
      organization: { id: organization.id, permissions: { listMembers: true }, members: { totalCount: 11 } },
    });
    const one = { id: organization.id, user: guest.id };
    expect(await client.query(oneDocument, one)).toMatchObject({ organization: { member: { userId: guest.id } } });
  });

  it.each(guestKinds)("is seen by the %s only when it is theirs, and no list", async (kind: Kind) => {
    const { people, reader, organization } = await world.organization();
    const self = people[kind];
    const client = app.as(self.token);
    expect(await client.query(nodeDocument, { id: self.memberId })).toEqual({ node: { id: self.memberId } });
    expect(await client.query(nodeDocument, { id: reader.memberId })).toEqual({ node: null });
    const refused = { message: expect.stringContaining("Guests"), extensions: { code: "FORBIDDEN" } };
    const list = await client.graphql(listDocument, { id: organization.id });
    expect(list.errors).toMatchObject([refused]);
    expect(list.data).toEqual({
      organization: { id: organization.id, permissions: { listMembers: false }, members: null },
    });
    expect(await client.query(oneDocument, { id: organization.id, user: self.id })).toEqual({
      organization: { id: organization.id, member: { userId: self.id } },
    });
    const one = await client.graphql(oneDocument, { id: organization.id, user: reader.id });
    expect(one.errors).toMatchObject([refused]);
    expect(one.data).toEqual({ organization: { id: organization.id, member: null } });
  });

  it.each(strangerKinds)("is not seen by the %s", async (kind: Kind) => {
    const { people, disabled, organization } = await world.organization();
    const client = app.as(people[kind].token);
    expect(await client.query(nodeDocument, { id: disabled.memberId })).toEqual({ node: null });
    expect(await client.refusal(listDocument, { id: organization.id })).toBe("NOT_FOUND");
  });

  it("refuses a list without taking away the lists of other organizations", async () => {
    const { organization, elsewhere, guest } = await world.organization();
    await world.insert((rows) => addMember(rows, { organizationId: elsewhere.id, userId: guest.id, role: "read" }));
    const document = `{ organizations { nodes { id members { totalCount } teams { totalCount } } } }`;
    const { data, errors } = await app.as(guest.token).graphql<{ organizations: { nodes: object[] } }>(document);
    expect(data?.organizations.nodes).toHaveLength(2);
    expect(data?.organizations.nodes).toContainEqual({ id: organization.id, members: null, teams: null });
    expect(data?.organizations.nodes).toContainEqual({
      id: elsewhere.id,
      members: { totalCount: 2 },
      teams: { totalCount: 0 },
    });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
  });

  it("shows a guest no team, and in the count neither", async () => {
    const { teamGuest, reader } = await world.organization();
    const document = `query ($id: ID!) { node(id: $id) { ... on OrganizationMember { teamCount teams { totalCount nodes { team { id } } } } } }`;
    const ask = (token: string) => app.as(token).query(document, { id: teamGuest.memberId });
    expect(await ask(teamGuest.token)).toEqual({ node: { teamCount: 0, teams: { totalCount: 0, nodes: [] } } });
    expect(await ask(reader.token)).toMatchObject({ node: { teamCount: 1, teams: { totalCount: 1 } } });
  });
});
