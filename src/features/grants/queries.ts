// Where grants are asked for: from collections, spaces, organizations, teams and members of spaces; and what each is
// about.
import { collections } from "#src/features/collections/reads.ts";
import { Collection } from "#src/features/collections/type.ts";
import {
  grants,
  grantsOfCollection,
  grantsOfMember,
  grantsOfOrganization,
  grantsOfSpace,
  grantsOfTeam,
} from "#src/features/grants/reads.ts";
import { Grant } from "#src/features/grants/type.ts";
import { OrganizationMember, SpaceRoleSource } from "#src/features/members/type.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { teams } from "#src/features/teams/reads.ts";
import { Team } from "#src/features/teams/type.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.prismaObjectField(Collection, "grants", (t) =>
  t.list(
    grantsOfCollection,
    "The roles granted on it, oldest first; not those on collections around it. FORBIDDEN for all but its admins.",
  ),
);

builder.prismaObjectField(Space, "grants", (t) =>
  t.list(
    grantsOfSpace,
    "The roles granted on it, oldest first; not those on collections around it. FORBIDDEN for all but its admins.",
  ),
);

builder.prismaObjectField(Organization, "grants", (t) =>
  t.list(
    grantsOfOrganization,
    "The roles granted on collections and spaces in it, oldest first. FORBIDDEN for all but its admins.",
    {
      args: {
        userIds: t.arg.idList({ description: "Only those that one of the users of these ids holds." }),
        teamIds: t.arg.idList({ description: "Only those that one of the teams of these ids holds." }),
        role: t.arg({ type: Role, description: "Only those of this role." }),
      },
    },
  ),
);

builder.prismaObjectField(Team, "grants", (t) =>
  t.list(
    grantsOfTeam,
    "The roles granted to it, oldest first: those on collections and spaces of which the viewer is an admin.",
  ),
);

builder.prismaObjectField(OrganizationMember, "grants", (t) =>
  t.list(
    grantsOfMember,
    "The roles granted to them in person, oldest first: those on collections and spaces of which the viewer is an admin.",
  ),
);

builder.objectField(SpaceRoleSource, "grant", (t) =>
  t.rowOrNull(
    grants,
    "grantId",
    "The grant; null where it is none, and for all but admins of the collection or space that it is on.",
  ),
);

builder.prismaObjectFields(Grant, (t) => ({
  organization: t.row(organizations, "organizationId", "The organization."),
  space: t.rowOrNull(spaces, "spaceId", "The space that it is on; null when it is on a collection."),
  collection: t.rowOrNull(collections, "collectionId", "The collection that it is on; null when it is on a space."),
  user: t.rowOrNull(namedUsers, "userId", "Who holds it; null when a team does."),
  team: t.rowOrNull(teams, "teamId", "The team that holds it; null when a user does, and for guests, who see no team."),
}));
