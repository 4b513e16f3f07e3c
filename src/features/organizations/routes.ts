// The /v1 operations on organizations (spec 1, section 4.1).
import type { Route } from "#src/rest/route.ts";

const organizationFields = /* GraphQL */ `
  fragment OrganizationFields on Organization {
    object
    id
    title
    createdAt
    emailDomains
    hostname
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
    urls {
      location
      app
      logo
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

export const organizationRoutes: readonly Route[] = [
  {
    operationId: "listOrganizations",
    method: "GET",
    path: "/v1/orgs",
    summary: "List organizations",
    list: true,
    noun: "organization",
    answer: ["organizations"],
    document: /* GraphQL */ `
      query ListOrganizations($first: Int, $after: String) {
        organizations(first: $first, after: $after) {
          totalCount
          nodes {
            ...OrganizationFields
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
      ${organizationFields}
    `,
  },
  {
    operationId: "getOrganization",
    method: "GET",
    path: "/v1/orgs/{organizationId}",
    summary: "Get an organization",
    noun: "organization",
    answer: ["organization"],
    document: /* GraphQL */ `
      query GetOrganization($organizationId: ID!) {
        organization(id: $organizationId) {
          ...OrganizationFields
        }
      }
      ${organizationFields}
    `,
  },
  {
    operationId: "updateOrganization",
    method: "PATCH",
    path: "/v1/orgs/{organizationId}",
    summary: "Update an organization",
    body: {
      title: "Name of the organization, 1 to 255 characters.",
      emailDomains: "E-mail domains of its people, instead of those of now: at most 100, none twice.",
      hostname: "Default hostname of its public content, which nobody else has.",
      defaultRole: "Role of new members; null makes them guests.",
      defaultContent: "What its public content opens on.",
      logo: "Address of its logo, with https or http.",
      sso: "Whether single sign-on is enforced for everyone.",
      ai: "Whether all AI features are on.",
      inviteLinks: "Whether invite links are on.",
    },
    noun: "organization",
    answer: ["updateOrganization", "organization"],
    document: /* GraphQL */ `
      mutation UpdateOrganization(
        $organizationId: ID!
        $title: String
        $emailDomains: [String!]
        $hostname: String
        $defaultRole: Role
        $defaultContent: DefaultContentInput
        $logo: String
        $sso: Boolean
        $ai: Boolean
        $inviteLinks: Boolean
      ) {
        updateOrganization(
          input: {
            organizationId: $organizationId
            title: $title
            emailDomains: $emailDomains
            hostname: $hostname
            defaultRole: $defaultRole
            defaultContent: $defaultContent
            logo: $logo
            sso: $sso
            ai: $ai
            inviteLinksEnabled: $inviteLinks
          }
        ) {
          organization {
            ...OrganizationFields
          }
        }
      }
      ${organizationFields}
    `,
  },
  {
    operationId: "listOrganizationsByEmailDomain",
    method: "GET",
    path: "/v1/email-domains/{emailDomain}/orgs",
    summary: "Find organizations by e-mail domain",
    noun: "organization",
    answer: [],
    document: /* GraphQL */ `
      query ListOrganizationsByEmailDomain($emailDomain: String!) {
        organizations: organizationsByEmailDomain(domain: $emailDomain) {
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
          ...OrganizationFields
        }
      }
      ${organizationFields}
    `,
  },
  {
    operationId: "pingOrganization",
    method: "POST",
    path: "/v1/orgs/{organizationId}/ping",
    summary: "Report presence",
    noun: "organization",
    answer: ["pingOrganization"],
    document: /* GraphQL */ `
      mutation PingOrganization($organizationId: ID!) {
        pingOrganization(input: { organizationId: $organizationId }) {
          platformVisitorClaims
        }
      }
    `,
  },
];
