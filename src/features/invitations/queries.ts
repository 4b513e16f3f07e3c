// The query `invitations`, the field `invitations` of organizations, and the relations of invitations.
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
    "Open invitations to the viewer's e-mail address, newest first. Empty for single sign-on sessions and for tokens of one organization.",
  ),
);

builder.prismaObjectField(Organization, "invitations", (t) =>
  t.list(
    invitationsOfOrganization,
    "Invitations that were not accepted, declined or withdrawn, including expired ones, newest first. FORBIDDEN unless you are an admin of the organization.",
  ),
);

builder.prismaObjectFields(Invitation, (t) => ({
  organization: t.field({
    type: OrganizationProfile,
    description: "Public profile of the organization.",
    select: { organizationId: true },
    resolve: ({ organizationId }, _args, { reader }, info) =>
      reader.found(publishers, organizationId, projectionOf(info)),
  }),
  createdBy: t.rowOrNull(namedUsers, "createdById", "User who created the invitation; null if deleted."),
}));
