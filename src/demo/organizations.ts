// The organizations of the demo: a company with every field set, and a small community with hardly any.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { RowOf, Rows } from "#src/demo/rows.ts";

const organizations = {
  harbour: {
    title: "Harbour Instruments",
    createdAt: at(0, "8:00"),
    emailDomains: ["harbour.example.com", "instruments.example.com"],
    hostname: "harbour.docs.example.com",
    customHostname: "docs.harbour.example.com",
    type: "business",
    useCase: "productDocs",
    defaultRole: "read",
    logoURL: "https://assets.example.com/harbour/logo.svg",
    sso: false,
    ai: true,
    inviteLinks: true,
    plan: "pro_2024",
    billingInterval: "yearly",
    billingEndDate: at(365, "0:00"),
    billingPricing: {
      members: { plus_2024: { monthly: 8, yearly: 80 }, pro_2024: { monthly: 15, yearly: 150 } },
      sites: { premium: { monthly: 65, yearly: 650 }, ultimate: { monthly: 249, yearly: 2490 } },
    },
    trialStatus: "ended",
    trialEndDate: at(14, "0:00"),
    trialDecision: "upgrade",
    migrationDeadline: at(300, "0:00"),
    migrationDiscountPercent: 12.5,
    migrationDiscountEndDate: at(330, "0:00"),
  },
  opentide: {
    title: "Open Tide",
    createdAt: at(60, "10:15"),
    hostname: "opentide.docs.example.com",
    type: "community",
    communityType: "openSource",
  },
} satisfies Record<string, Omit<RowOf<"Organization">, "id">>;

export type OrganizationName = keyof typeof organizations;
/** The rows of the organizations. What each opens on is set later. */
export type Organizations = Record<OrganizationName, RowOf<"Organization">>;

export function addOrganizations(rows: Rows): Organizations {
  const add = (name: OrganizationName): RowOf<"Organization"> => {
    const opensOn = { defaultSiteId: null, defaultSpaceId: null };
    return rows.add("Organization", { id: newId("Organization"), ...organizations[name], ...opensOn });
  };
  return { harbour: add("harbour"), opentide: add("opentide") };
}
