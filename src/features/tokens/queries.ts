// Where API tokens are asked for: `apiTokens`, and those of an organization.
import { Organization } from "#src/features/organizations/type/organization.ts";
import { serviceTokensOfOrganization, tokensOfViewer } from "#src/features/tokens/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";

builder.queryField("apiTokens", (t) =>
  t.list(tokensOfViewer, "The viewer's API tokens that are not revoked, newest first."),
);

builder.prismaObjectField(Organization, "serviceTokens", (t) =>
  t.list(
    serviceTokensOfOrganization,
    "The API tokens that the organization owns and that are not revoked, newest first. FORBIDDEN for all but its admins.",
  ),
);
