// The /v1 operations on installations of integrations (spec 2, section 4.11).
import { siteFields } from "#src/features/sites/routes/sites.ts";
import { spaceFields } from "#src/features/spaces/routes.ts";
import { integration, tag } from "#src/features/integrations/routes.ts";
import { defineRoutes } from "#src/rest/route.ts";

const installationFields = `
  fragment IntegrationInstallationFields on IntegrationInstallation {
    id status space_selection: spaceSelection site_selection: siteSelection spaces: spaceCount configuration
    createdAt updatedAt
    urls { location app publicEndpoint }
    externalIds
    target: organization { organization: id }
  }
`;

/** An installation on a space or site: its id, or the whole object if `expand` is set. */
const placeFields = (type: "IntegrationSpace" | "IntegrationSite", place: "space" | "site", fields: string) => `
  fragment ${type}ItemFields on ${type} {
    integration: integrationName
    installation: installationId
    status
    configuration
    externalIds
    urls {
      location
      publicEndpoint
    }
    ${place} { reference: id @skip(if: $expand) ...${place === "space" ? "SpaceFields" : "SiteFields"} @include(if: $expand) }
  }
  ${fields}
`;

const externalId = "Only installations with this external id.";

const answersPlaces = {
  list: true,
  named: { name: "integrationName" },
  variables: ["$expand: Boolean! = false"],
} as const;

export const installationRoutes = defineRoutes(() => tag, {
  listIntegrationInstallations: {
    request: `GET ${integration}/installations`,
    summary: "List the installations of an integration in organizations of the caller",
    list: true,
    query: { externalId },
    named: { name: "integrationName" },
    answer: ["integration", "installations"],
    fields: installationFields,
  },
  createIntegrationInstallation: {
    request: `POST ${integration}/installations`,
    summary: "Install an integration in an organization",
    body: { organization: "Id of the organization to install it in." },
    success: 201,
    conflict: "The integration is already installed there.",
    answer: ["installIntegration", "installation"],
    fields: installationFields,
  },
  updateIntegrationInstallation: {
    request: `PATCH ${integration}/installations/{installationId}`,
    summary: "Agree to a version of an integration for an installation, or pin one",
    isAddition: true,
    body: {
      agreedVersion: {
        description:
          "Agrees to the terms of the version with this number: its scopes, policy, blocks and target. 409 if it is not the version that runs after the update.",
        notNull: true,
      },
      pinnedVersion: {
        description: "The number of the version to pin, which runs even if later ones are published; null unpins it.",
        mayBeNull: true,
      },
      allowsDevMode: {
        description: "Whether the publisher's tunnel may receive its events while development mode is on with `all`.",
        notNull: true,
      },
    },
    conflict: "The version you agree to is not the one that would run.",
    answer: ["updateInstallation", "installation"],
    fields: `fragment InstallationTermsFields on IntegrationInstallation {
      ...IntegrationInstallationFields
      version
      agreedVersion
      pinnedVersion
      allowsDevMode
      scopes
      contentSecurityPolicy
      pendingScopes
      pendingContentSecurityPolicy
      pendingBlocks
      pendingTarget
    } ${installationFields}`,
  },
  listIntegrationSpaces: {
    ...answersPlaces,
    request: `GET ${integration}/spaces`,
    summary: "List the spaces on which an integration is installed",
    query: { externalId, expand: "Whether to return spaces as objects instead of their ids." },
    answer: ["integration", "spaces"],
    fields: placeFields("IntegrationSpace", "space", spaceFields),
  },
  listIntegrationSites: {
    ...answersPlaces,
    request: `GET ${integration}/sites`,
    summary: "List the sites on which an integration is installed",
    query: { externalId, expand: "Whether to return sites as objects instead of their ids." },
    answer: ["integration", "sites"],
    fields: placeFields("IntegrationSite", "site", siteFields("urls")),
  },
});
