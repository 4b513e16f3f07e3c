// Enumerations of organizations, and Role, which all content uses.
import { defineEnum } from "#src/graph/schema/scalars.ts";

export const Role = defineEnum(
  "Role",
  "A content role, from low to high.",
  {
    read: "Access content, no updates.",
    comment: "Access content and discussions.",
    edit: "Edit content live or through change requests.",
    review: "Review content.",
    create: "Create content.",
    admin: "Administrate content: create and delete spaces and more.",
  },
  { restNull: true }, // a guest, or no default level
);

export const OrganizationType = defineEnum("OrganizationType", "The kind of an organization.", {
  business: "A company.",
  community: "A community; see its communityType.",
});

export const OrganizationUseCase = defineEnum("OrganizationUseCase", "What an organization writes.", {
  internalDocs: "Documentation for its own people.",
  docsSite: "A docs site.",
  audienceControlledSite: "A site for a chosen audience.",
  productDocs: "Documentation of a product.",
  teamKnowledgeBase: "The knowledge base of a team.",
  designSystem: "A design system.",
  openSourceDocs: "Documentation of open source software.",
  notes: "Notes.",
  other: "Something else.",
});

export const CommunityType = defineEnum("CommunityType", "The kind of a community.", {
  nonProfit: "A non-profit organization.",
  openSource: "An open source project.",
  education: "A school or university.",
});

export const OrganizationPlan = defineEnum("OrganizationPlan", "The product that an organization is on.", {
  free_2024: "Free, 2024.",
  plus_2024: "Plus, 2024.",
  pro_2024: "Pro, 2024.",
  enterprise_2024: "Enterprise, 2024.",
  community_2024: "Community, 2024.",
  free: "Free, before 2024.",
  plus: "Plus, before 2024.",
  pro: "Pro, before 2024.",
  internal: "Of the platform itself.",
});

export const BillingInterval = defineEnum("BillingInterval", "How often an organization is billed.", {
  monthly: "Every month.",
  yearly: "Every year.",
});

export const TrialStatus = defineEnum("TrialStatus", "The state of a trial.", {
  notapplicable: "No trial is offered.",
  none: "It was not started.",
  active: "It is running.",
  ended: "It was ended.",
  expired: "Its time is over.",
});

export const TrialDecision = defineEnum("TrialDecision", "What follows a trial.", {
  downgrade: "Back to the free product.",
  upgrade: "On to a paid product.",
});

export const BlockedReason = defineEnum("BlockedReason", "Why an organization is blocked.", {
  security: "For security.",
  billing: "For unpaid bills.",
  abuse: "For abuse.",
});

export const DefaultContentType = defineEnum("DefaultContentType", "What an organization opens on.", {
  site: "A site.",
  space: "A space.",
});
