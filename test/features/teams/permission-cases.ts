// Permission cases of a team with their flags.
import type { PermissionCase, Fixture } from "#test/support/access/fixture.ts";
import { nextNumber } from "#test/support/rows.ts";

type Change = readonly [mutation: string, how: string, input: (fixture: Fixture) => object];

const changes: readonly Change[] = [
  ["updateTeam", "", () => ({ title: `Team ${nextNumber()}` })],
  ["updateTeamMembers", "", ({ editor }) => ({ add: [editor.id] })],
  ["updateTeamMembers", "of nobody", () => ({})],
  ["setTeamMember", "", ({ editor }) => ({ userId: editor.id })],
  ["removeTeamMember", "", ({ teamGuest }) => ({ userId: teamGuest.id })],
];

export const permissionCases: readonly PermissionCase[] = [
  {
    mutation: "createTeam",
    input: ({ organization }) => ({ organizationId: organization.id, title: `Team ${nextNumber()}` }),
    allowedBy: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "deleteTeam",
    deletes: "team",
    input: ({ organization, team }) => ({ organizationId: organization.id, teamId: team.id }),
    allowedBy: ["organization.admin"],
    seen: ["organization", "team"],
  },
  ...changes.map(([mutation, how, input]): PermissionCase => ({
    mutation,
    how,
    input: (fixture) => ({ organizationId: fixture.organization.id, teamId: fixture.team.id, ...input(fixture) }),
    allowedBy: ["team.admin"],
    seen: ["organization", "team"],
  })),
];
