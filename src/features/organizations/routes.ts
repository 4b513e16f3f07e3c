// The /v1 operations on organizations (spec 1, section 4.1).
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { referenceForm } from "#src/rest/request/property-forms.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineAdditions, defineRoutes } from "#src/rest/route.ts";

/** An organization: everybody who may find it sees the profile, only its members and guests the other fields. */
export const organizationFields = `
  fragment OrganizationFields on Organization {
    ...OrganizationProfileFields createdAt emailDomains type useCase communityType defaultRole
    defaultContent { type site: siteId space: spaceId }
    sso ai inviteLinks: inviteLinksEnabled plan: __typename billing: __typename trial: __typename
    customHostname: __typename blocked: __typename internal_billingMigration: __typename mergeRules: __typename
  }
  fragment OrganizationProfileFields on OrganizationProfile {
    object id title hostname
    urls { location app logo }
    permissions {
      view admin ownTeam createContent createOpenAPISpec ingestConversations
      viewBilling listMembers listTeams listIntegrations
      access: view listInstallations: listIntegrations installIntegration: admin
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

/** Reviews are advice: the role `review` is enough to merge. */
export const mergeRules = {
  description: "Conditions of a merge besides the role; always of the type `none`.",
  schema: {
    type: "object",
    required: ["type"],
    properties: { type: { type: "string", const: "none", description: "The role is enough." } },
  },
  value: { type: "none" },
} as const;

// docgraph sells nothing: these values are the same for every organization.
defineRestFields("Organization", {
  mergeRules,
  plan: {
    description: "The plan of the organization; docgraph has no paid plans.",
    schema: {
      type: "string",
      enum: "community_2024 enterprise_2024 free free_2024 internal plus plus_2024 pro pro_2024".split(" "),
    },
    value: "free_2024",
  },
  billing: {
    description:
      "Billing; null if you may not view it. docgraph does not bill, so admins see the state before any bill.",
    schema: {
      type: "object",
      required: ["interval", "hasPaymentFailed", "isScheduledToCancel"],
      properties: {
        interval: { type: "string", enum: ["monthly", "yearly"], description: "Billing interval." },
        endDate: { ...instant, description: "End of the paid period." },
        hasPaymentFailed: { type: "boolean", description: "Whether the last payment failed." },
        isScheduledToCancel: { type: "boolean", description: "Whether it ends with the paid period." },
        pricing: {
          type: "object",
          description: "Agreed prices.",
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
    description: "The trial; docgraph has no trials.",
    schema: {
      type: "object",
      required: ["status", "count"],
      properties: {
        count: { type: "integer", minimum: 0, description: "Number of trials so far." },
        status: {
          type: "string",
          enum: ["active", "ended", "expired", "none", "notapplicable"],
          description: "State.",
        },
        endDate: { ...instant, description: "When it ends." },
        decision: { type: "string", enum: ["downgrade", "upgrade"], description: "The change after the trial." },
      },
    },
    value: { status: "notapplicable", count: 0 },
  },
  customHostname: {
    description: "Custom hostname linked to it; docgraph does not link any yet.",
    schema: { type: "string" },
  },
  blocked: {
    description: "The reason why it is blocked; docgraph does not block organizations.",
    schema: {
      type: "object",
      required: ["reason"],
      properties: { reason: { type: "string", enum: ["abuse", "billing", "security"], description: "Why." } },
    },
  },
  internal_billingMigration: {
    description: "The migration to a newer plan; docgraph has no plans to migrate between.",
    schema: {
      type: "object",
      required: ["deadline"],
      properties: {
        deadline: { ...instant, description: "Deadline." },
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

const about = (kind: string) => `Id of a ${kind} of the organization; only if the type is a ${kind}.`;

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
    conflict: "The host name is already taken.",
    body: {
      title: "Name of the organization, 1 to 255 characters.",
      emailDomains: "E-mail domains of its people, which replace the current ones: at most 100, without repeats.",
      hostname: "Default hostname of its public content, unique among all organizations.",
      defaultRole: "Role of new members; null makes them guests.",
      defaultContent: {
        description: "Default content of its public pages.",
        notNull: true,
        form: referenceForm([
          { type: "site", idName: "site", field: "siteId", description: about("site") },
          { type: "space", idName: "space", field: "spaceId", description: about("space") },
        ]),
      },
      logo: { description: "Address of its logo, with https or http.", notNull: true },
      sso: "Whether users of its verified e-mail domains may sign in only by single sign-on while one of its identity providers is active. Admins may still sign in by e-mail; API tokens are not affected.",
      ai: "Whether AI features are on. docgraph only stores this setting for other services, and has no AI features.",
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

export const organizationAdditions = defineAdditions(tagOf, {
  createOrganization: {
    request: "POST /v1/orgs",
    summary: "Create an organization",
    success: 201,
    conflict: "The host name is already taken.",
    body: {
      title: "Name of the organization, 1 to 255 characters.",
      emailDomains: { description: "E-mail domains of its people: at most 100, without repeats.", notNull: true },
      hostname: { description: "Default hostname of its public content, unique among all.", notNull: true },
      type: { description: "Type of the organization.", notNull: true },
      useCase: { description: "Main use.", notNull: true },
      communityType: { description: "Type of the community.", notNull: true },
      defaultRole: "Role of new members; null makes them guests.",
    },
    answer: ["createOrganization", "organization"],
    fields: organizationFields,
  },
});
