// The GraphQL type Organization.
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { CommunityType, OrganizationType, OrganizationUseCase, Role } from "#src/features/organizations/type/enums.ts";
import { DefaultContent, OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import { claimOf, EmailDomainClaim } from "#src/features/organizations/type/email-domain.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";

export const OrganizationOrder = defineOrder("Organization", "organizations", {
  title: "Title, case-insensitive.",
  createdAt: "When they were created.",
});

export const Organization = defineNode("Organization", organizations, {
  description: "Owner of collections, spaces, members, teams and sites.",
  resource: "organization",
  interfaces: [OrganizationProfile],
  fields: (t) => ({
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    emailDomains: t.exposeStringList("emailDomains", {
      description:
        "E-mail domains of its people. Each takes effect once it is verified by the DNS: see `emailDomainClaims`.",
    }),
    emailDomainClaims: t.valueOrNull(
      [EmailDomainClaim],
      "Its e-mail domains, by name, with the DNS records that verify them. Unverified domains have no effect on single sign-on and previews. Null unless you administer the organization.",
      ["emailDomainClaims"],
      ({ id, emailDomainClaims }, { viewer }) =>
        organizationPermissions(viewer, id).admin ? emailDomainClaims.map((row) => claimOf(id, row)) : null,
    ),
    type: t.expose("type", { type: OrganizationType, description: "Type." }),
    useCase: t.expose("useCase", { type: OrganizationUseCase, nullable: true, description: "Use case." }),
    communityType: t.expose("communityType", {
      type: CommunityType,
      nullable: true,
      description: "Type of the community.",
    }),
    defaultRole: t.expose("defaultRole", {
      type: Role,
      nullable: true,
      description: "Role of new members; null makes them guests.",
    }),
    viewerRole: t.valueOrNull(
      Role,
      "The viewer's own role in it; null for a guest, who has access only by grants.",
      ({ id }, { viewer }) => viewer.memberships.get(id) ?? null,
    ),
    sso: t.exposeBoolean("sso", {
      description:
        "Whether users of its verified e-mail domains may sign in only by single sign-on while one of its identity providers is active. Admins may still sign in by e-mail; API tokens are not affected.",
    }),
    ai: t.exposeBoolean("ai", {
      description:
        "Whether AI features are on. docgraph only stores this setting for other services, and has no AI features.",
    }),
    inviteLinksEnabled: t.exposeBoolean("inviteLinks", { description: "Whether invite links are on." }),
    checksOutsideLinks: t.exposeBoolean("checksOutsideLinks", {
      description: "Whether external links in its texts are checked once a day; `ContentLink.outside` has the results.",
    }),
    defaultContent: t.valueOrNull(
      DefaultContent,
      "Default content of its public pages.",
      ["defaultSiteId", "defaultSpaceId"],
      ({ defaultSiteId: siteId, defaultSpaceId: spaceId }) => {
        if (siteId === null && spaceId === null) return null;
        return { type: siteId === null ? ("space" as const) : ("site" as const), siteId, spaceId };
      },
    ),
  }),
});
