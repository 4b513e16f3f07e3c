// The GraphQL type ApiToken, and where tokens are asked for.
import { organizations } from "#src/features/organizations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { serviceTokensOfOrganization, tokens, tokensOfViewer } from "#src/features/tokens/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const TokenScope = defineEnum("TokenScope", "What an API token may do of what its user may.", {
  read: "Reads as somebody with the role `read` at most, and changes nothing.",
  write: "Reads and changes as somebody with the role `create` at most; no tokens and no sessions.",
  admin: "Everything that its user may.",
});

defineNode("ApiToken", tokens, {
  description:
    "A bearer token: of a person, or of an organization, which acts as itself. Its text is shown once, when it is created.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "What it is for." }),
    scope: t.expose("scope", { type: TokenScope, description: "What it may do of what its user may." }),
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The one organization that it is for; null for all of its user's.",
    ),
    isService: t.exposeBoolean("isService", { description: "Whether the organization owns it, and no person." }),
    role: t.expose("role", {
      type: Role,
      nullable: true,
      description: "The role of a token that the organization owns; null for those of people.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", nullable: true, description: "When it expires." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last used, to the minute.",
    }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true, description: "When it was revoked." }),
  }),
});

builder.queryField("apiTokens", (t) =>
  t.list(tokensOfViewer, "The viewer's API tokens that are not revoked, newest first."),
);

builder.prismaObjectField(Organization, "serviceTokens", (t) =>
  t.list(
    serviceTokensOfOrganization,
    "The API tokens that the organization owns and that are not revoked, newest first. FORBIDDEN for all but its admins.",
  ),
);
