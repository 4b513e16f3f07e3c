// Where invite links are asked for: from the organization; and who made each.
import { inviteLinksOfOrganization } from "#src/features/invite-links/reads.ts";
import { InviteLink } from "#src/features/invite-links/type.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.prismaObjectField(Organization, "inviteLinks", (t) =>
  t.list(
    inviteLinksOfOrganization,
    "Its invite links, newest first, expired ones too. FORBIDDEN for all but its admins.",
  ),
);

builder.prismaObjectFields(InviteLink, (t) => ({
  organization: t.row(organizations, "organizationId", "The organization."),
  createdBy: t.rowOrNull(namedUsers, "createdById", "Who made it; null when the user is gone."),
}));
