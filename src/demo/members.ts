// What the people of the demo are in its organizations: members of every role, guests, a disabled one, and teams.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { OrganizationName, Organizations } from "#src/demo/organizations.ts";
import type { People, PersonName } from "#src/demo/people.ts";
import type { Rows } from "#src/demo/rows.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

interface Membership {
  readonly role: Role | null;
  readonly joined: number;
  readonly seen?: number;
  readonly disabled?: true;
  readonly sso?: true;
}

/** Mara is in both organizations. Ines is a guest with a grant, Leo one without, Otto one in a team with grants. */
const memberships: Record<OrganizationName, Partial<Record<PersonName, Membership>>> = {
  harbour: {
    mara: { role: "admin", joined: 0, seen: 247, sso: true },
    jonas: { role: "create", joined: 1, seen: 246, sso: true },
    priya: { role: "review", joined: 1, seen: 247, sso: true },
    tomas: { role: "edit", joined: 3, seen: 245 },
    elif: { role: "edit", joined: 14, seen: 247 },
    noor: { role: "comment", joined: 30, seen: 231 },
    sam: { role: "read", joined: 42 },
    ines: { role: null, joined: 120, seen: 240 },
    leo: { role: null, joined: 150 },
    otto: { role: null, joined: 160, seen: 236 },
    dana: { role: "edit", joined: 2, seen: 90, disabled: true },
  },
  opentide: {
    ravi: { role: "admin", joined: 60, seen: 244 },
    mara: { role: "edit", joined: 61, seen: 229 },
    june: { role: "comment", joined: 75, seen: 243 },
  },
};

const teams = {
  writers: { in: "harbour", title: "Technical writers", owners: ["elif"], members: ["tomas", "priya"] },
  field: { in: "harbour", title: "Field engineers", owners: ["jonas"], members: ["noor", "sam", "otto"] },
  maintainers: { in: "opentide", title: "Maintainers", owners: ["ravi"], members: ["mara"] },
} satisfies Record<string, { in: OrganizationName; title: string; owners: PersonName[]; members: PersonName[] }>;

export type TeamName = keyof typeof teams;
/** Ids of the teams. */
export type Teams = Record<TeamName, string>;

/** Makes the people members of the organizations. */
export function addMembers(rows: Rows, people: People, organizations: Organizations): void {
  for (const [organization, members] of Object.entries(memberships)) {
    for (const [person, { joined, seen, ...membership }] of Object.entries(members)) {
      rows.add("OrganizationMember", {
        id: newId("OrganizationMember"),
        organizationId: organizations[organization as OrganizationName].id, // Object.entries widens the key
        userId: people[person as PersonName], // the same
        joinedAt: at(joined),
        lastSeenAt: seen === undefined ? null : at(seen, "16:20"),
        ...membership,
      });
    }
  }
}

/** Adds the teams with their owners and members, who must be members of the organization. */
export function addTeams(rows: Rows, people: People, organizations: Organizations): Teams {
  const ids: Teams = { writers: newId("Team"), field: newId("Team"), maintainers: newId("Team") };
  for (const [name, team] of Object.entries(teams)) {
    const organizationId = organizations[team.in].id;
    const teamId = ids[name as TeamName]; // Object.entries widens the key
    rows.add("Team", { id: teamId, organizationId, title: team.title, createdAt: at(62) });
    const join = (person: PersonName, role: "owner" | "member") =>
      rows.add("TeamMember", {
        id: newId("TeamMember"),
        teamId,
        organizationId,
        userId: people[person],
        role,
        createdAt: at(role === "owner" ? 62 : 165),
      });
    for (const person of team.owners) join(person, "owner");
    for (const person of team.members) join(person, "member");
  }
  return ids;
}
