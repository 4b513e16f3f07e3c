// Where invite links are asked for: from the organization; and who made each.
import { found } from "#src/base/errors.ts";
import { pageInviteLinks } from "#src/features/invite-links/reads.ts";
import { InviteLink, InviteLinkConnection } from "#src/features/invite-links/type.ts";
import { findOrganization } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { namedUser } from "#src/features/users/reads.ts";
import { User } from "#src/features/users/type.ts";
import { builder } from "#src/graph/builder.ts";
import { pageArguments } from "#src/graph/connections.ts";
import { wantedRows } from "#src/graph/selection.ts";

builder.objectField(Organization, "inviteLinks", (t) =>
  t.field({
    type: InviteLinkConnection,
    nullable: true,
    description: "Its invite links, newest first, expired ones too. FORBIDDEN for all but its admins.",
    args: pageArguments,
    columns: ["id"],
    resolve: (organization, args, context, info) =>
      pageInviteLinks(context, organization, args, wantedRows(info, "InviteLink")),
  }),
);

builder.objectFields(InviteLink, (t) => ({
  organization: t.field({
    type: Organization,
    description: "The organization.",
    columns: ["organizationId"],
    resolve: async ({ organizationId }, _args, context, info) =>
      found(await findOrganization(context, organizationId, wantedRows(info, "Organization")), "organization"),
  }),
  createdBy: t.field({
    type: User,
    nullable: true,
    description: "Who made it; null when the user is gone.",
    columns: ["createdById"],
    resolve: ({ createdById }, _args, context, info) =>
      createdById === null ? null : namedUser(context, createdById, wantedRows(info, "User")),
  }),
}));
