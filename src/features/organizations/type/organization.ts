// The GraphQL type Organization.
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { CommunityType, OrganizationType, OrganizationUseCase, Role } from "#src/features/organizations/type/enums.ts";
import { DefaultContent, OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import { claimOf, EmailDomainClaim } from "#src/features/organizations/type/email-domain.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";

export const OrganizationOrder = defineOrder("Organization", "organizations", {
  title: "Their title, in any letter case.",
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
        "E-mail domains of its people. Each counts once the DNS shows that it is theirs: `emailDomainClaims`.",
    }),
    emailDomainClaims: t.valueOrNull(
      [EmailDomainClaim],
      "Its e-mail domains, by name, with the records of the DNS that show whose they are: until then a domain counts neither for single sign-on nor for previews. Null for all but its admins.",
      ["emailDomainClaims"],
      ({ id, emailDomainClaims }, { viewer }) =>
        organizationPermissions(viewer, id).admin ? emailDomainClaims.map((row) => claimOf(id, row)) : null,
    ),
    type: t.expose("type", { type: OrganizationType, description: "Its kind." }),
    useCase: t.expose("useCase", { type: OrganizationUseCase, nullable: true, description: "What it writes." }),
    communityType: t.expose("communityType", {
      type: CommunityType,
      nullable: true,
      description: "The kind of community that it is.",
    }),
    defaultRole: t.expose("defaultRole", {
      type: Role,
      nullable: true,
      description: "Role of new members; null makes them guests.",
    }),
    viewerRole: t.valueOrNull(
      Role,
      "The viewer's own role in it; null for a guest, who has access only to what is granted to them.",
      ({ id }, { viewer }) => viewer.memberships.get(id) ?? null,
    ),
    sso: t.exposeBoolean("sso", {
      description:
        "Whether people of the e-mail domains that count for it sign in by single sign-on alone, once a provider of it is active; admins keep the way by e-mail, and API tokens are not concerned.",
    }),
    ai: t.exposeBoolean("ai", {
      description: "The setting that AI features are on; docgraph has none of its own, and only keeps it for others.",
    }),
    inviteLinksEnabled: t.exposeBoolean("inviteLinks", { description: "Whether invite links are on." }),
    checksOutsideLinks: t.exposeBoolean("checksOutsideLinks", {
      description:
        "Whether the addresses of other servers that its texts link to are looked at, once a day: `ContentLink.outside` says what came of it.",
    }),
    defaultContent: t.valueOrNull(
      DefaultContent,
      "What its public content opens on.",
      ["defaultSiteId", "defaultSpaceId"],
      ({ defaultSiteId: siteId, defaultSpaceId: spaceId }) => {
        if (siteId === null && spaceId === null) return null;
        return { type: siteId === null ? ("space" as const) : ("site" as const), siteId, spaceId };
      },
    ),
  }),
});
