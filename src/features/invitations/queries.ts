// Where invitations are asked for: `invitations`, and those of an organization; and who made each, and for what.
import { invitationsOfOrganization, invitationsOfViewer } from "#src/features/invitations/reads.ts";
import { Invitation } from "#src/features/invitations/type.ts";
import { publishers } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

builder.queryField("invitations", (t) =>
  t.list(
    invitationsOfViewer,
    "The invitations to the viewer's e-mail address that they can accept, newest first. None for sessions by single sign-on and tokens of one organization.",
  ),
);

builder.prismaObjectField(Organization, "invitations", (t) =>
  t.list(
    invitationsOfOrganization,
    "Its invitations that nobody has accepted, declined or withdrawn, newest first, expired ones too. FORBIDDEN for all but its admins.",
  ),
);

builder.prismaObjectFields(Invitation, (t) => ({
  organization: t.field({
    type: OrganizationProfile,
    description: "The organization, as those are shown it who are not in it.",
    select: { organizationId: true },
    resolve: ({ organizationId }, _args, { reader }, info) =>
      reader.found(publishers, organizationId, projectionOf(info)),
  }),
  createdBy: t.rowOrNull(namedUsers, "createdById", "Who has invited; null when the user is gone."),
}));
