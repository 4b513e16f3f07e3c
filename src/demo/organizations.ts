// The organizations of the demo: a company with every setting, and a small community with hardly any.
import { newId } from "#src/base/ids.ts";
import { at } from "#src/demo/calendar.ts";
import type { RowOf, Rows } from "#src/demo/rows.ts";

const organizations = {
  harbour: {
    title: "Harbour Instruments",
    createdAt: at(0, "8:00"),
    emailDomains: ["harbour.example.com", "instruments.example.com"],
    hostname: "harbour.docs.example.com",
    type: "business",
    useCase: "productDocs",
    defaultRole: "read",
    logoURL: "https://assets.example.com/harbour/logo.svg",
    sso: false,
    ai: true,
    inviteLinks: true,
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
