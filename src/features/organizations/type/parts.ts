// The object types inside Organization: billing, trial, links, permissions and the like.
import { defineFlags, defineLinks } from "#src/graph/schema/flag-types.ts";
import { builder } from "#src/graph/schema/builder.ts";
import type { Instant } from "#src/base/time.ts";
import {
  BillingInterval,
  BlockedReason,
  DefaultContentType,
  TrialDecision,
  TrialStatus,
} from "#src/features/organizations/type/enums.ts";
import type { BlockedReason as BlockedReasonValue } from "#src/generated/prisma/enums.ts";

interface PriceShape {
  monthly?: number;
  yearly?: number;
}

/** The form of Organization.billingPricing. */
export interface Pricing {
  members?: { plus_2024?: PriceShape; pro_2024?: PriceShape };
  sites?: { premium?: PriceShape; ultimate?: PriceShape };
}

const Price = builder.objectRef<PriceShape>("Price").implement({
  description: "A price in US dollars.",
  fields: (t) => ({
    monthly: t.exposeFloat("monthly", { nullable: true, description: "When paid by the month." }),
    yearly: t.exposeFloat("yearly", { nullable: true, description: "When paid by the year." }),
  }),
});

const MemberPricing = builder.objectRef<NonNullable<Pricing["members"]>>("MemberPricing").implement({
  description: "Prices for each member.",
  fields: (t) => ({
    plus2024: t.expose("plus_2024", { type: Price, nullable: true, description: "On Plus." }),
    pro2024: t.expose("pro_2024", { type: Price, nullable: true, description: "On Pro." }),
    plus_2024: t.expose("plus_2024", {
      type: Price,
      nullable: true,
      description: "On Plus.",
      deprecationReason: "Use `plus2024`.",
    }),
    pro_2024: t.expose("pro_2024", {
      type: Price,
      nullable: true,
      description: "On Pro.",
      deprecationReason: "Use `pro2024`.",
    }),
  }),
});

const SitePricing = builder.objectRef<NonNullable<Pricing["sites"]>>("SitePricing").implement({
  description: "Prices for each site.",
  fields: (t) => ({
    premium: t.expose("premium", { type: Price, nullable: true, description: "Of a premium site." }),
    ultimate: t.expose("ultimate", { type: Price, nullable: true, description: "Of an ultimate site." }),
  }),
});

const PricingType = builder.objectRef<Pricing>("Pricing").implement({
  description: "Prices agreed with an organization.",
  fields: (t) => ({
    members: t.expose("members", { type: MemberPricing, nullable: true, description: "For members." }),
    sites: t.expose("sites", { type: SitePricing, nullable: true, description: "For sites." }),
  }),
});

export const OrganizationBilling = builder.prismaObject("Organization", {
  variant: "OrganizationBilling",
  select: { id: true },
  description: "How an organization is billed.",
  fields: (t) => ({
    interval: t.expose("billingInterval", { type: BillingInterval, description: "How often." }),
    endDate: t.expose("billingEndDate", { type: "DateTime", nullable: true, description: "End of the paid time." }),
    hasPaymentFailed: t.exposeBoolean("billingHasPaymentFailed", { description: "Whether the last payment failed." }),
    isScheduledToCancel: t.exposeBoolean("billingIsScheduledToCancel", {
      description: "Whether it ends with the paid time.",
    }),
    pricing: t.valueOrNull(
      PricingType,
      "Prices agreed on.",
      ["billingPricing"],
      ({ billingPricing }) => billingPricing as Pricing | null,
    ), // written only in this form
  }),
});

export const OrganizationTrial = builder.prismaObject("Organization", {
  variant: "OrganizationTrial",
  select: { id: true },
  description: "The trial of an organization.",
  fields: (t) => ({
    status: t.expose("trialStatus", { type: TrialStatus, description: "Its state." }),
    endDate: t.expose("trialEndDate", { type: "DateTime", nullable: true, description: "When it ends." }),
    decision: t.expose("trialDecision", {
      type: TrialDecision,
      nullable: true,
      description: "What follows the trial.",
    }),
  }),
});

export const OrganizationBlocked = builder.objectRef<{ reason: BlockedReasonValue }>("OrganizationBlocked").implement({
  description: "A block of an organization.",
  fields: (t) => ({ reason: t.expose("reason", { type: BlockedReason, description: "Why." }) }),
});

export interface Migration {
  deadline: Instant;
  discountPercent: number | null;
  discountEndDate: Instant | null;
}

export const BillingMigration = builder.objectRef<Migration>("BillingMigration").implement({
  description: "The move of an organization to a newer product.",
  fields: (t) => ({
    deadline: t.expose("deadline", { type: "DateTime", description: "When it must be done." }),
    discountPercent: t.exposeFloat("discountPercent", { nullable: true, description: "Discount, in percent." }),
    discountEndDate: t.expose("discountEndDate", {
      type: "DateTime",
      nullable: true,
      description: "When the discount ends.",
    }),
  }),
});

/** The site or space that an organization opens on. */
export interface DefaultContentShape {
  type: "site" | "space";
  siteId: string | null;
  spaceId: string | null;
}

export const DefaultContent = builder.objectRef<DefaultContentShape>("DefaultContent").implement({
  description: "What the public content of an organization opens on.",
  fields: (t) => ({
    type: t.expose("type", { type: DefaultContentType, description: "What it is." }),
    siteId: t.exposeID("siteId", { nullable: true, description: "Id of the site (`site`)." }),
    spaceId: t.exposeID("spaceId", { nullable: true, description: "Id of the space (`space`)." }),
  }),
});

export const OpensOnInput = builder.inputType("OpensOnInput", {
  description: "What the public content of an organization is to open on: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    siteId: t.id({ description: "Id of a site of the organization." }),
    spaceId: t.id({ description: "Id of a space of the organization." }),
  }),
});

export const DefaultContentInput = builder.inputType("DefaultContentInput", {
  description: "What the public content of an organization is to open on.",
  fields: (t) => ({
    type: t.field({ type: DefaultContentType, required: true, description: "What it is." }),
    site: t.id({ description: "Id of the site, one of the organization; only where the type is a site." }),
    space: t.id({ description: "Id of the space, one of the organization; only where the type is a space." }),
  }),
});

export const OrganizationUrls = defineLinks(
  "OrganizationUrls",
  "Links of an organization.",
  {
    location:
      "The organization in the REST interface; for those who are not in it the page of docgraph that shows the preview of it.",
    app: "The organization in the application.",
  },
  { logo: "Its logo." },
);

export const OrganizationPermissions = defineFlags(
  "OrganizationPermissions",
  "What the viewer may do with an organization.",
  {
    view: "See it.",
    admin: "Change its settings, members and teams.",
    ownTeam: "Manage at least one team of it.",
    createContent: "Create collections, spaces and sites at its top.",
    createOpenAPISpec: "Add OpenAPI specifications, and change them.",
    ingestConversations: "The role to bring conversations in, which is `edit`. docgraph has no operation that does.",
    viewBilling: "See billing, where there is any.",
    listMembers: "List its members.",
    listTeams: "List its teams.",
    listIntegrations: "List its integrations, for all but guests.",
  },
);
