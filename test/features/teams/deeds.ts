// What everybody tries with a team, and the flags that stand for it.
import type { Deed, Stage } from "#test/support/access/stage.ts";
import { nextNumber } from "#test/support/rows.ts";

export const deeds: readonly Deed[] = [
  {
    mutation: "createTeam",
    input: ({ organization }) => ({ organizationId: organization.id, title: `Team ${nextNumber()}` }),
    stands: ["organization.admin"],
    seen: ["organization"],
  },
  {
    mutation: "deleteTeam",
    deletes: "team",
    input: ({ organization, team }) => ({ organizationId: organization.id, teamId: team.id }),
    stands: ["organization.admin"],
    seen: ["organization", "team"],
  },
  ...Object.entries({
    updateTeam: () => ({ title: `Team ${nextNumber()}` }),
    updateTeamMembers: ({ editor }: Stage) => ({ add: [editor.id] }),
    setTeamMember: ({ editor }: Stage) => ({ userId: editor.id }),
    removeTeamMember: ({ teamGuest }: Stage) => ({ userId: teamGuest.id }),
  }).map(([mutation, input]): Deed => ({
    mutation,
    input: (stage) => ({ organizationId: stage.organization.id, teamId: stage.team.id, ...input(stage) }),
    stands: ["team.admin"],
    seen: ["organization", "team"],
  })),
];
