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
    inviteLinks
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
];
