// The /v1 operations on organizations (spec 1, section 4.1).
import { defineRoutes } from "#src/rest/route.ts";

/** An organization: everybody who may find it sees the profile, the rest is for those who are in it. */
export const organizationFields = /* GraphQL */ `
  fragment OrganizationFields on Organization {
    ...OrganizationProfileFields
    createdAt
    emailDomains
    type
    useCase
    communityType
    defaultRole
    defaultContent {
      type
      site: siteId
      space: spaceId
    }
    sso
    ai
    inviteLinks: inviteLinksEnabled
    plan
    billing {
      interval
      endDate
      hasPaymentFailed
      isScheduledToCancel
      pricing {
        members {
          plus_2024 {
            monthly
            yearly
          }
          pro_2024 {
            monthly
            yearly
          }
        }
        sites {
          premium {
            monthly
            yearly
          }
          ultimate {
            monthly
            yearly
          }
        }
      }
    }
    trial {
      status
      endDate
      decision
    }
    customHostname
    blocked {
      reason
    }
    internal_billingMigration {
      deadline
      discountPercent
      discountEndDate
    }
  }
  fragment OrganizationProfileFields on OrganizationProfile {
    object
    id
    title
    hostname
    urls {
      location
      app
      logo
    }
    permissions {
      view
      admin
      ownTeam
      createContent
      createOpenAPISpec
      ingestConversations
      viewBilling
      listMembers
      listTeams
      listIntegrations
    }
  }
`;

const tags = {
  organizations: { name: "organizations", description: "Organizations and search across them." },
  members: { name: "members", description: "Members of an organization." },
};

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
      defaultContent: { description: "What its public content opens on.", notNull: true },
      logo: { description: "Address of its logo, with https or http.", notNull: true },
      sso: "Whether people of its e-mail domains sign in by single sign-on alone, once a provider of it is active; admins keep the way by e-mail, and API tokens are not concerned.",
      ai: "The setting that AI features are on; docgraph has none of its own, and only keeps it for others.",
      inviteLinks: "Whether invite links are on.",
    },
    named: { inviteLinksEnabled: "inviteLinks" },
    answer: ["updateOrganization", "organization"],
    fields: organizationFields,
  },
  listOrganizationsByEmailDomain: {
    request: "GET /v1/email-domains/{emailDomain}/orgs",
    summary: "Find organizations by e-mail domain",
    answer: [],
    document: /* GraphQL */ `
      query ($emailDomain: String!) {
        organizations: organizationsByEmailDomain(domain: $emailDomain) {
          ...OrganizationProfileFields
          ...OrganizationFields
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
