// The GraphQL type ApiToken, and the queries of tokens.
import { organizations } from "#src/features/organizations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { serviceTokensOfOrganization, tokens, tokensOfViewer } from "#src/features/tokens/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const TokenScope = defineEnum("TokenScope", "The rights of its user that an API token has.", {
  read: "Reads with at most the role `read`, without changes.",
  write: "Reads and changes with at most the role `create`, without tokens and sessions.",
  admin: "All rights of its user.",
});

defineNode("ApiToken", tokens, {
  description:
    "A bearer token of a person, or of an organization, where it acts as itself. Its text is shown only once, on creation.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "Purpose." }),
    scope: t.expose("scope", { type: TokenScope, description: "Which rights of its user it has." }),
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The only organization it is valid for; null for all organizations of its user.",
    ),
    isService: t.exposeBoolean("isService", { description: "Whether an organization owns it, not a person." }),
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
  t.list(tokensOfViewer, "The API tokens of the viewer that are not revoked, newest first."),
);

builder.prismaObjectField(Organization, "serviceTokens", (t) =>
  t.list(
    serviceTokensOfOrganization,
    "The API tokens that the organization owns and that are not revoked, newest first. FORBIDDEN unless you administer the organization.",
  ),
);
