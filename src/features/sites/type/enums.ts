// Enumerations of sites.
import type {
  AgentsContext as AgentsContextValue,
  SiteType as SiteTypeValue,
  SiteVisibility as SiteVisibilityValue,
} from "#src/generated/prisma/enums.ts";
import { defineEnum } from "#src/graph/scalars.ts";

export const SiteType = defineEnum<SiteTypeValue>(
  "SiteType",
  "The product that a site is on.",
  {
    basic: "Basic.",
    premium: "Premium.",
    ultimate: "Ultimate.",
    sponsored: "Free, with advertising.",
    legacy_basic: "Basic, an earlier version.",
    legacy_premium: "Premium, an earlier version.",
  },
  { hyphens: true },
);

export const SiteVisibility = defineEnum<SiteVisibilityValue>(
  "SiteVisibility",
  "The audience of a site once it is published.",
  {
    public: "Anyone; indexed by search engines.",
    unlisted: "Anyone; not indexed.",
    share_link: "Anyone with the secret key of the link.",
    visitor_auth: "Anyone signed in through a JWT.",
  },
  { hyphens: true },
);

export const AgentsContext = defineEnum<AgentsContextValue>("AgentsContext", "Whether agents may access a site.", {
  excluded: "They cannot access it.",
  included: "They can access it.",
});

/** The values of `status` in Site.ads. */
export type SiteAdsStatusValue = "pending" | "in_review" | "live" | "rejected" | "disabled";

export const SiteAdsStatus = defineEnum<SiteAdsStatusValue>(
  "SiteAdsStatus",
  "The state of advertising on a site.",
  {
    pending: "Not submitted yet.",
    in_review: "Submitted, and being reviewed.",
    live: "Advertisements are shown.",
    rejected: "Turned down.",
    disabled: "Off.",
  },
  { hyphens: true },
);

/** The values of `plan` in Site.features. */
export type SitePlanValue = "basic" | "premium" | "ultimate";

export const SitePlan = defineEnum<SitePlanValue>("SitePlan", "The product that a feature of a site comes with.", {
  basic: "Basic.",
  premium: "Premium.",
  ultimate: "Ultimate.",
});
