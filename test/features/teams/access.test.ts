// Who sees teams: members of the organization that are not guests.
import { describe, expect, it } from "vitest";
import { useApp } from "#test/support/app.ts";
import type { People } from "#test/support/world.ts";

const { app, world } = await useApp();

const nodeDocument = `query ($team: ID!) { node(id: $team) { id } }`;
const listDocument = `query ($id: ID!) { organization(id: $id) { permissions { listTeams } teams { totalCount } } }`;
const oneDocument = `query ($id: ID!, $team: ID!) { organization(id: $id) { team(id: $team) { id } } }`;

describe("a team", () => {
  it.each<keyof People>(["admin", "creator", "reviewer", "editor", "commenter", "reader", "teamOwner"])(
    "is seen by the %s",
    async (kind) => {
      const { organization, people, team } = await world.organization();
      const client = app.as(people[kind].token);
      expect(await client.query(nodeDocument, { team: team.id })).toEqual({ node: { id: team.id } });
      const ids = { id: organization.id, team: team.id };
      expect(await client.query(oneDocument, ids)).toEqual({ organization: { team: { id: team.id } } });
      expect(await client.query(listDocument, { id: organization.id })).toEqual({
        organization: { permissions: { listTeams: true }, teams: { totalCount: 1 } },
      });
    },
  );

  it.each<keyof People>(["guest", "invitedGuest", "teamGuest"])("is refused to the %s", async (kind) => {
    const { organization, people, team } = await world.organization();
    const client = app.as(people[kind].token);
    expect(await client.query(nodeDocument, { team: team.id })).toEqual({ node: null });
    expect(await client.refusal(oneDocument, { id: organization.id, team: team.id })).toBe("FORBIDDEN");
    const list = await client.graphql(listDocument, { id: organization.id });
    expect(list.errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
    expect(list.data).toEqual({ organization: { permissions: { listTeams: false }, teams: null } });
  });

  it.each<keyof People>(["disabled", "outsider"])("is not there for the %s", async (kind) => {
    const { organization, people, team } = await world.organization();
    const client = app.as(people[kind].token);
    expect(await client.query(nodeDocument, { team: team.id })).toEqual({ node: null });
    expect(await client.refusal(listDocument, { id: organization.id })).toBe("NOT_FOUND");
  });
});
