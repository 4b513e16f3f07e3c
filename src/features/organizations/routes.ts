// The /v1 operations on organizations (spec 1, section 4.1).
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { referenceForm } from "#src/rest/request/property-forms.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineRoutes } from "#src/rest/route.ts";

/** An organization: everybody who may find it sees the profile, the rest is for those who are in it. */
export const organizationFields = `
  fragment OrganizationFields on Organization {
    ...OrganizationProfileFields createdAt emailDomains type useCase communityType defaultRole
    defaultContent { type site: siteId space: spaceId }
    sso ai inviteLinks: inviteLinksEnabled plan: __typename billing: __typename trial: __typename
    customHostname: __typename blocked: __typename internal_billingMigration: __typename
  }
  fragment OrganizationProfileFields on OrganizationProfile {
    object id title hostname
    urls { location app logo }
    permissions {
      view admin ownTeam createContent createOpenAPISpec ingestConversations
      viewBilling listMembers listTeams listIntegrations
    }
  }
`;

const instant = { type: "string", format: "date-time" };
const price = {
  monthly: { type: "number", description: "When paid by the month." },
  yearly: { type: "number", description: "When paid by the year." },
};
const prices = (description: string, of: Readonly<Record<string, string>>) => ({
  type: "object",
  description,
  properties: Object.fromEntries(
    Object.entries(of).map(([name, about]) => [name, { type: "object", description: about, properties: price }]),
  ),
});

// docgraph sells nothing: every organization answers the same.
defineRestFields("Organization", {
  plan: {
    description: "The product that it is on; docgraph sells none.",
    schema: {
      type: "string",
      enum: "community_2024 enterprise_2024 free free_2024 internal plus plus_2024 pro pro_2024".split(" "),
    },
    value: "free_2024",
  },
  billing: {
    description:
      "Billing; null for those who may not view it. docgraph bills nobody, so that admins see the state before anything is billed.",
    schema: {
      type: "object",
      required: ["interval", "hasPaymentFailed", "isScheduledToCancel"],
      properties: {
        interval: { type: "string", enum: ["monthly", "yearly"], description: "How often." },
        endDate: { ...instant, description: "End of the paid time." },
        hasPaymentFailed: { type: "boolean", description: "Whether the last payment failed." },
        isScheduledToCancel: { type: "boolean", description: "Whether it ends with the paid time." },
        pricing: {
          type: "object",
          description: "Prices agreed on.",
          properties: {
            members: prices("For members.", { plus_2024: "On Plus.", pro_2024: "On Pro." }),
            sites: prices("For sites.", { premium: "Of a premium site.", ultimate: "Of an ultimate site." }),
          },
        },
      },
    },
    value: { interval: "monthly", hasPaymentFailed: false, isScheduledToCancel: false },
    isHidden: ({ id }, { viewer }) => !organizationPermissions(viewer, String(id)).viewBilling,
  },
  trial: {
    description: "The trial; docgraph offers none.",
    schema: {
      type: "object",
      required: ["status"],
      properties: {
        status: {
          type: "string",
          enum: ["active", "ended", "expired", "none", "notapplicable"],
          description: "Its state.",
        },
        endDate: { ...instant, description: "When it ends." },
        decision: { type: "string", enum: ["downgrade", "upgrade"], description: "What follows the trial." },
      },
    },
    value: { status: "notapplicable" },
  },
  customHostname: { description: "Custom hostname linked to it; nothing links one yet.", schema: { type: "string" } },
  blocked: {
    description: "Why it is blocked; docgraph blocks no organization.",
    schema: {
      type: "object",
      required: ["reason"],
      properties: { reason: { type: "string", enum: ["abuse", "billing", "security"], description: "Why." } },
    },
  },
  internal_billingMigration: {
    description: "The move to a newer product; docgraph has no products to move between.",
    schema: {
      type: "object",
      required: ["deadline"],
      properties: {
        deadline: { ...instant, description: "When it must be done." },
        discountPercent: { type: "number", description: "Discount, in percent." },
        discountEndDate: { ...instant, description: "When the discount ends." },
      },
    },
  },
});

const tags = {
  organizations: { name: "organizations", description: "Organizations and search across them." },
  members: { name: "members", description: "Members of an organization." },
};

const about = (kind: string) => `Id of the ${kind}, one of the organization; only where the type is a ${kind}.`;

const tagOf = (path: string) => (path.endsWith("/ping") ? tags.members : tags.organizations);

export const organizationRoutes = defineRoutes(tagOf, {
  listOrganizations: {
    request: "GET /v1/orgs",
    summary: "List organizations",
    list: true,
    answer: ["organizations"],
    fields: organizationFields,
  },
  getOrganization: {
    request: "GET /v1/orgs/{organizationId}",
    summary: "Get an organization",
    answer: ["organization"],
    fields: organizationFields,
  },
  updateOrganization: {
    request: "PATCH /v1/orgs/{organizationId}",
    summary: "Update an organization",
    conflict: "The host name is taken.",
    body: {
      title: "Name of the organization, 1 to 255 characters.",
      emailDomains: "E-mail domains of its people, which replace the present ones: at most 100, each once.",
      hostname: "Default hostname of its public content, unique among all organizations.",
      defaultRole: "Role of new members; null makes them guests.",
      defaultContent: {
        description: "What its public content opens on.",
        notNull: true,
        form: referenceForm([
          { type: "site", idName: "site", field: "siteId", description: about("site") },
          { type: "space", idName: "space", field: "spaceId", description: about("space") },
        ]),
      },
      logo: { description: "Address of its logo, with https or http.", notNull: true },
      sso: "Whether people of its e-mail domains sign in by single sign-on alone, once a provider of it is active; admins keep the way by e-mail, and API tokens are not concerned.",
      ai: "The setting that AI features are on; docgraph has none of its own, and only keeps it for others.",
      inviteLinks: "Whether invite links are on.",
    },
    named: { inviteLinksEnabled: "inviteLinks", opensOn: "defaultContent" },
    answer: ["updateOrganization", "organization"],
    fields: organizationFields,
  },
  listOrganizationsByEmailDomain: {
    request: "GET /v1/email-domains/{emailDomain}/orgs",
    summary: "Find organizations by e-mail domain",
    answer: [],
    document: `
      query ($emailDomain: String!) {
        organizations: organizationsByEmailDomain(domain: $emailDomain) {
          ...OrganizationProfileFields ...OrganizationFields
        }
      }
      ${organizationFields}
    `,
  },
  pingOrganization: {
    request: "POST /v1/orgs/{organizationId}/ping",
    summary: "Report presence",
    answer: ["pingOrganization"],
    fields: "platformVisitorClaims",
  },
});
