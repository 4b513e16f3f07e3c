// The fields that list grants on collections, spaces, organizations, teams and members, and the relations of grants.
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
import { Grant, GrantHolderKind } from "#src/features/grants/type.ts";
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

const ofHolders = {
  args: builder.args((t) => ({
    holders: t.field({ type: GrantHolderKind, description: "Only grants to users, or only those to teams." }),
  })),
};

builder.prismaObjectField(Collection, "grants", (t) =>
  t.list(
    grantsOfCollection,
    "Roles granted on it, without those on ancestor collections, oldest first. FORBIDDEN unless you are an admin of it.",
    ofHolders,
  ),
);

builder.prismaObjectField(Space, "grants", (t) =>
  t.list(
    grantsOfSpace,
    "Roles granted on it, without those on ancestor collections, oldest first. FORBIDDEN unless you are an admin of it.",
    ofHolders,
  ),
);

builder.prismaObjectField(Organization, "grants", (t) =>
  t.list(
    grantsOfOrganization,
    "Roles granted on collections and spaces of the organization, oldest first. FORBIDDEN unless you are an admin of it.",
    {
      args: {
        userIds: t.arg.idList({ description: "Only grants to these users." }),
        teamIds: t.arg.idList({ description: "Only grants to these teams." }),
        role: t.arg({ type: Role, description: "Only grants of this role." }),
      },
    },
  ),
);

builder.prismaObjectField(Team, "grants", (t) =>
  t.list(
    grantsOfTeam,
    "Roles granted to the team on collections and spaces that the viewer administers, oldest first.",
  ),
);

builder.prismaObjectField(OrganizationMember, "grants", (t) =>
  t.list(
    grantsOfMember,
    "Roles granted directly to the member on collections and spaces that the viewer administers, oldest first.",
  ),
);

builder.objectField(SpaceRoleSource, "grant", (t) =>
  t.rowOrNull(
    grants,
    "grantId",
    "The grant; null for other sources, and for viewers who do not administer its collection or space.",
  ),
);

builder.prismaObjectFields(Grant, (t) => ({
  organization: t.row(organizations, "organizationId", "The organization."),
  space: t.rowOrNull(spaces, "spaceId", "The space; null for a grant on a collection."),
  collection: t.rowOrNull(collections, "collectionId", "The collection; null for a grant on a space."),
  user: t.rowOrNull(namedUsers, "userId", "The user who has the role; null for a grant to a team."),
  team: t.rowOrNull(
    teams,
    "teamId",
    "The team that has the role; null for a grant to a user, and for guests, who do not see teams.",
  ),
}));
