// Members in GraphQL: the list with its filters, orders and pages, the single member, counts and teams.
import { describe, expect, it } from "vitest";
import { addMember, addPersonIn } from "#test/features/members/factory.ts";
import { addTeam, addTeamMember } from "#test/features/teams/factory.ts";
import { addUser } from "#test/features/users/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

interface Members {
  organization: {
    members: {
      totalCount: number;
      nodes: { userId: string; user: { displayName: string } }[];
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
    };
  };
}

const listDocument = `query (
  $id: ID!, $order: SortOrder! = DESC, $role: OrganizationMemberRoleFilter, $search: String,
  $sort: OrganizationMemberOrderField! = JOINED_AT, $first: Int, $after: String, $last: Int, $before: String
) {
  organization(id: $id) {
    members(orderBy: { field: $sort, direction: $order }, role: $role, search: $search, first: $first, after: $after, last: $last, before: $before) {
      totalCount
      nodes { userId user { displayName } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

const newestFirst = [
  "Disabled",
  "Team guest",
  "Team owner",
  "Invited guest",
  "Guest",
  "Reader",
  "Commenter",
  "Editor",
  "Reviewer",
  "Creator",
  "Admin",
];

/** Names on a page of the members of a new organization, with their page info. */
async function list(token: string, variables: Record<string, unknown>) {
  const { organization } = await app.as(token).query<Members>(listDocument, variables);
  const { nodes, ...page } = organization.members;
  return { names: nodes.map(({ user }) => user.displayName), ...page };
}

describe("Organization.members", () => {
  it("lists all members, including guests and disabled ones, newest first", async () => {
    const { organization, reader } = await world.organization();
    const { names, totalCount, pageInfo } = await list(reader.token, { id: organization.id });
    expect(names).toEqual(newestFirst);
    expect(totalCount).toBe(newestFirst.length);
    expect(pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  it("can be filtered by role, or for guests", async () => {
    const { organization, reader } = await world.organization();
    const by = async (role: string) => (await list(reader.token, { id: organization.id, role })).names;
    expect(await by("READ")).toEqual(["Team owner", "Reader"]);
    expect(await by("ADMIN")).toEqual(["Disabled", "Admin"]);
    expect(await by("GUEST")).toEqual(["Team guest", "Invited guest", "Guest"]);
  });

  it("searches names and e-mail addresses for the literal text, case-insensitively", async () => {
    const { organization, reader } = await world.organization();
    await world.insert((rows) =>
      ["Ågot 100%", "snake_case", "back\\slash"].map((displayName, index) =>
        addPersonIn(
          rows,
          { organizationId: organization.id, role: "read" },
          { displayName, email: `odd${index}@${organization.id.slice(-10)}.test` },
        ),
      ),
    );
    const by = async (search: string) => (await list(reader.token, { id: organization.id, search })).names;
    expect(await by("åGOT")).toEqual(["Ågot 100%"]);
    expect(await by("0%")).toEqual(["Ågot 100%"]);
    expect(await by("e_c")).toEqual(["snake_case"]);
    expect(await by("\\")).toEqual(["back\\slash"]);
    expect(await by("ODD1@")).toEqual(["snake_case"]);
    expect(await by("GUEST")).toEqual(["Team guest", "Invited guest", "Guest"]);
    expect(await by("nobody of this name")).toEqual([]);
  });

  it("sorts by name case-insensitively, in both directions", async () => {
    const { organization, reader } = await world.organization();
    await world.insert((rows) =>
      addPersonIn(rows, { organizationId: organization.id, role: "read" }, { displayName: "aardvark" }),
    );
    const sorted = ["aardvark", ...newestFirst].toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    const by = async (order: string) =>
      (await list(reader.token, { id: organization.id, sort: "DISPLAY_NAME", order })).names;
    expect(await by("ASC")).toEqual(sorted);
    expect(await by("DESC")).toEqual(sorted.toReversed());
  });

  it("lists active members only when sorted by the time last seen", async () => {
    const { organization, reader } = await world.organization();
    const seen = (displayName: string, day: number, disabled = false) => ({
      displayName,
      lastSeenAt: new Date(Date.UTC(2026, 2, day)),
      disabled,
    });
    await world.insert((rows) =>
      [seen("Early", 1), seen("Late", 3), seen("Gone", 2, true)].map(({ displayName, ...given }) =>
        addPersonIn(rows, { organizationId: organization.id, role: "edit", ...given }, { displayName }),
      ),
    );
    const by = (order: string) => list(reader.token, { id: organization.id, sort: "LAST_SEEN_AT", order });
    expect(await by("DESC")).toMatchObject({ names: ["Late", "Early"], totalCount: 2 });
    expect(await by("ASC")).toMatchObject({ names: ["Early", "Late"], totalCount: 2 });
  });

  it.each(["JOINED_AT", "DISPLAY_NAME", "LAST_SEEN_AT"])("is paginated forward and backward by %s", async (sort) => {
    const { organization, reader } = await world.organization();
    await world.insert((rows) =>
      times(7, (index) =>
        addPersonIn(
          rows,
          {
            organizationId: organization.id,
            role: "read",
            // two and two equal, so that the id decides
            lastSeenAt: new Date(Date.UTC(2026, 2, 1 + (index >> 1))),
            joinedAt: new Date(Date.UTC(2026, 3, 1 + (index >> 1))),
          },
          { displayName: `Twin ${index >> 1}` },
        ),
      ),
    );
    const some = { id: organization.id, sort, search: "twin" };
    const read = async (page: object) =>
      (await app.as(reader.token).query<Members>(listDocument, { ...some, ...page })).organization.members;
    const whole = (await read({})).nodes.map(({ userId }) => userId);
    expect(whole).toHaveLength(7);

    const forward: string[] = [];
    for (let after: string | null = null; ;) {
      const { nodes, pageInfo, totalCount } = await read({ first: 3, after });
      expect(totalCount).toBe(7);
      expect(pageInfo.hasPreviousPage).toBe(after !== null);
      forward.push(...nodes.map(({ userId }) => userId));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(forward).toEqual(whole);

    const backward: string[] = [];
    for (let before: string | null = null; ;) {
      const { nodes, pageInfo } = await read({ last: 3, before });
      expect(pageInfo.hasNextPage).toBe(before !== null);
      backward.unshift(...nodes.map(({ userId }) => userId));
      if (!pageInfo.hasPreviousPage) break;
      before = pageInfo.startCursor;
    }
    expect(backward).toEqual(whole);
  });

  it("refuses a cursor of another order and a page that is too large", async () => {
    const { organization, reader } = await world.organization();
    const { pageInfo } = await list(reader.token, { id: organization.id, first: 1 });
    const refusal = (page: object) => app.as(reader.token).refusal(listDocument, { id: organization.id, ...page });
    expect(await refusal({ first: 1, after: pageInfo.endCursor, sort: "DISPLAY_NAME" })).toBe("INVALID_INPUT");
    expect(await refusal({ first: 1001 })).toBe("INVALID_INPUT");
    expect(await refusal({ role: "OWNER" })).toBe("INVALID_INPUT");
    expect(await refusal({ search: "\0" })).toBe("INVALID_INPUT");
  });
});

describe("OrganizationMember", () => {
  it("returns everything about a membership", async () => {
    const { organization, admin, team } = await world.organization();
    const lastSeenAt = new Date("2026-02-03T04:05:06.007Z");
    const { user, member } = await world.insert((rows) => {
      const user = addUser(rows, { displayName: "Somebody" });
      const given = {
        organizationId: organization.id,
        userId: user.id,
        role: "review",
        sso: true,
        lastSeenAt,
      } as const;
      addTeamMember(rows, team, user, "owner");
      addTeamMember(rows, addTeam(rows, { organizationId: organization.id }), user);
      return { user, member: addMember(rows, given) };
    });
    const fields = `object id userId organizationId role disabled joinedAt lastSeenAt sso spaceCount teamCount
      user { id displayName } organization { id }`;
    const expected = {
      object: "member",
      id: member.id,
      userId: user.id,
      organizationId: organization.id,
      role: "REVIEW",
      disabled: false,
      joinedAt: new Date(member.joinedAt).toISOString(),
      lastSeenAt: lastSeenAt.toISOString(),
      sso: true,
      spaceCount: 0,
      teamCount: 2,
      user: { id: user.id, displayName: "Somebody" },
      organization: { id: organization.id },
    };
    const answer = await app.as(admin.token).query(
      `query ($organization: ID!, $user: ID!, $member: ID!) {
        organization(id: $organization) { member(userId: $user) { ${fields} } }
        node(id: $member) { ... on OrganizationMember { ${fields} } }
      }`,
      { organization: organization.id, user: user.id, member: member.id },
    );
    expect(answer).toEqual({ organization: { member: expected }, node: expected });
  });

  it("is NOT_FOUND for a user outside the organization, and the rest of the response is returned", async () => {
    const { organization, admin, outsider } = await world.organization();
    const { data, errors } = await app
      .as(admin.token)
      .graphql(`{ organization(id: "${organization.id}") { id member(userId: "${outsider.id}") { id } } }`);
    expect(data).toEqual({ organization: { id: organization.id, member: null } });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(["NOT_FOUND"]);
  });

  it("lists the member's teams with the role there, filtered by title", async () => {
    const { organization, reader, editor } = await world.organization();
    await world.insert((rows) =>
      ["Alpha 100%", "beta", "Gamma"].map((title, index) =>
        addTeamMember(
          rows,
          addTeam(rows, { organizationId: organization.id, title }),
          editor,
          index === 1 ? "owner" : "member",
        ),
      ),
    );
    interface Teams {
      organization: { member: { teams: { totalCount: number; nodes: { team: { title: string } }[] } } };
    }
    const teams = async (title: string | null) => {
      const { organization: found } = await app.as(reader.token).query<Teams>(
        `query ($organization: ID!, $user: ID!, $title: String) { organization(id: $organization) { member(userId: $user) {
          teams(title: $title) { totalCount nodes { team { title } member { role member { userId } team { title } } } }
        } } }`,
        { organization: organization.id, user: editor.id, title },
      );
      return found.member.teams;
    };
    const item = (title: string, role: string) => ({
      team: { title },
      member: { role, member: { userId: editor.id }, team: { title } },
    });
    expect(await teams(null)).toEqual({
      totalCount: 3,
      nodes: [item("Alpha 100%", "MEMBER"), item("beta", "OWNER"), item("Gamma", "MEMBER")],
    });
    expect(await teams("BET")).toEqual({ totalCount: 1, nodes: [item("beta", "OWNER")] });
    expect((await teams("0%")).nodes).toHaveLength(1);
    expect((await teams("_")).nodes).toEqual([]);
  });
});
