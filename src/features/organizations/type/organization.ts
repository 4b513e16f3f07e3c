// The GraphQL type Organization.
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { findOrganization, type OrganizationRow } from "#src/features/organizations/reads.ts";
import {
  CommunityType,
  OrganizationPlan,
  OrganizationType,
  OrganizationUseCase,
  Role,
} from "#src/features/organizations/type/enums.ts";
import {
  BillingMigration,
  DefaultContent,
  OrganizationBilling,
  OrganizationBlocked,
  OrganizationTrial,
} from "#src/features/organizations/type/parts.ts";
import { OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import { builder, Node, Resource } from "#src/graph/builder.ts";
import { connectionOf } from "#src/graph/connections.ts";
import { findNodesBy } from "#src/graph/nodes.ts";

export const Organization = builder.objectRef<OrganizationRow>("Organization").implement({
  description: "Owner of collections, spaces, members, teams and sites.",
  interfaces: [Node, Resource, OrganizationProfile],
  fields: (t) => ({
    object: t.string({ description: "Always `organization`.", columns: [], resolve: () => "organization" }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    emailDomains: t.exposeStringList("emailDomains", { description: "E-mail domains of its people." }),
    customHostname: t.exposeString("customHostname", { nullable: true, description: "Custom hostname linked to it." }),
    type: t.expose("type", { type: OrganizationType, description: "Its kind." }),
    useCase: t.expose("useCase", { type: OrganizationUseCase, nullable: true, description: "What it writes." }),
    communityType: t.expose("communityType", {
      type: CommunityType,
      nullable: true,
      description: "Kind of a community.",
    }),
    defaultRole: t.expose("defaultRole", {
      type: Role,
      nullable: true,
      description: "Role of new members; null makes them guests.",
    }),
    sso: t.exposeBoolean("sso", { description: "Whether single sign-on is enforced for everyone." }),
    ai: t.exposeBoolean("ai", { description: "Whether all AI features are on." }),
    inviteLinksEnabled: t.exposeBoolean("inviteLinks", { description: "Whether invite links are on." }),
    plan: t.expose("plan", { type: OrganizationPlan, description: "The product that it is on." }),
    defaultContent: t.field({
      type: DefaultContent,
      nullable: true,
      description: "What its public content opens on.",
      columns: ["defaultSiteId", "defaultSpaceId"],
      resolve: ({ defaultSiteId: siteId, defaultSpaceId: spaceId }) => {
        if (siteId === null && spaceId === null) return null;
        return { type: siteId === null ? ("space" as const) : ("site" as const), siteId, spaceId };
      },
    }),
    billing: t.field({
      type: OrganizationBilling,
      nullable: true,
      description: "Billing; null for those who may not view it.",
      columns: [
        "id",
        "billingInterval",
        "billingEndDate",
        "billingHasPaymentFailed",
        "billingIsScheduledToCancel",
        "billingPricing",
      ],
      resolve: (row, _args, { viewer }) => (organizationPermissions(viewer, row).viewBilling ? row : null),
    }),
    trial: t.field({
      type: OrganizationTrial,
      description: "The trial.",
      columns: ["trialStatus", "trialEndDate", "trialDecision"],
      resolve: (row) => row,
    }),
    blocked: t.field({
      type: OrganizationBlocked,
      nullable: true,
      description: "Set when it is blocked.",
      columns: ["blockedReason"],
      resolve: ({ blockedReason: reason }) => reason && { reason },
    }),
    internal_billingMigration: t.field({
      type: BillingMigration,
      nullable: true,
      description: "The move to a newer product; null for those who may not view billing.",
      columns: ["id", "migrationDeadline", "migrationDiscountPercent", "migrationDiscountEndDate"],
      resolve: (row, _args, { viewer }) => {
        if (row.migrationDeadline === null || !organizationPermissions(viewer, row).viewBilling) return null;
        const {
          migrationDeadline: deadline,
          migrationDiscountPercent: discountPercent,
          migrationDiscountEndDate: discountEndDate,
        } = row;
        return { deadline, discountPercent, discountEndDate };
      },
    }),
  }),
});

export const OrganizationConnection = connectionOf(Organization);

findNodesBy("Organization", findOrganization);
