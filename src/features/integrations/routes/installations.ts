// The /v1 operations on installations of integrations (spec 2, section 4.11).
import { siteFields } from "#src/features/sites/routes/sites.ts";
import { spaceFields } from "#src/features/spaces/routes.ts";
import { integration, tag } from "#src/features/integrations/routes.ts";
import { defineAdditions, defineRoutes } from "#src/rest/route.ts";

const installationFields = `
  fragment IntegrationInstallationFields on IntegrationInstallation {
    id status space_selection: spaceSelection site_selection: siteSelection spaces: spaceCount configuration
    createdAt updatedAt
    urls { location app publicEndpoint publicContentEndpoint: publicEndpoint }
    externalIds
    target: organization { organization: id }
  }
`;

/** An installation on a space or site: its id, or the whole object if `expand` is set. */
const placeFields = (type: "IntegrationSpace" | "IntegrationSite", place: "space" | "site", fields: string) => `
  fragment ${type}ItemFields on ${type} {
    ...${type}SettingFields
    ${place} { reference: id @skip(if: $expand) ...${place === "space" ? "SpaceFields" : "SiteFields"} @include(if: $expand) }
  }
  ${settingFields(type)}
  ${fields}
`;

const settingFields = (type: "IntegrationSpace" | "IntegrationSite") => `
  fragment ${type}SettingFields on ${type} {
    integration: integrationName
    installation: installationId
    status
    configuration
    externalIds
    urls {
      location
      publicEndpoint
      publicContentEndpoint: publicEndpoint
    }
  }
`;

/** An installation on one space or site, whose id it has. */
const onPlaceFields = (type: "IntegrationSpace" | "IntegrationSite", id: "spaceId" | "siteId") => `
  fragment ${type}Fields on ${type} { ...${type}SettingFields ${id.slice(0, -2)}: ${id} }
  ${settingFields(type)}
`;

const settings = {
  configuration: {
    description: "Values of the declared properties by name, which replace all former ones.",
    notNull: true,
  },
  externalIds: { description: "Names in other services, which replace the former ones.", notNull: true },
} as const;

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

const installation = `${integration}/installations/{installationId}` as const;

const onPlace = {
  named: { name: "integrationName" },
  variables: ["$expand: Boolean! = false"],
} as const;

const expand = (place: string) => ({ expand: `Whether to return the ${place} as an object instead of its id.` });

export const installationAdditions = defineAdditions(() => tag, {
  listOrganizationInstallations: {
    request: "GET /v1/orgs/{organizationId}/installations",
    summary: "List the integrations that are installed in an organization",
    list: true,
    query: { externalId },
    answer: ["organization", "installations"],
    fields: installationFields,
  },
  getIntegrationInstallationById: {
    request: `GET ${installation}`,
    summary: "Get an installation of an integration",
    named: { name: "integrationName", id: "installationId" },
    answer: ["integration", "installation"],
    fields: installationFields,
  },
  updateIntegrationInstallation: {
    request: `PATCH ${installation}`,
    summary: "Update an installation of an integration: its settings, its selection, and the version it agrees to",
    body: {
      ...settings,
      space_selection: { description: "The spaces to install it on.", notNull: true },
      site_selection: { description: "The sites to install it on.", notNull: true },
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
    named: { spaceSelection: "space_selection", siteSelection: "site_selection" },
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
  getIntegrationSpaceInstallation: {
    request: `GET ${installation}/spaces/{spaceId}`,
    summary: "Get the installation of an integration on a space",
    named: { name: "integrationName", id: "installationId" },
    answer: ["integration", "installation", "onSpace"],
    fields: onPlaceFields("IntegrationSpace", "spaceId"),
  },
  updateIntegrationSpaceInstallation: {
    request: `PATCH ${installation}/spaces/{spaceId}`,
    summary: "Update the installation of an integration on a space",
    body: settings,
    named: { integrationSpaceId: "spaceId" },
    answer: ["updateIntegrationSpace", "integrationSpace"],
    fields: onPlaceFields("IntegrationSpace", "spaceId"),
  },
  getIntegrationSiteInstallation: {
    request: `GET ${installation}/sites/{siteId}`,
    summary: "Get the installation of an integration on a site",
    named: { name: "integrationName", id: "installationId" },
    answer: ["integration", "installation", "onSite"],
    fields: onPlaceFields("IntegrationSite", "siteId"),
  },
  updateIntegrationSiteInstallation: {
    request: `PATCH ${installation}/sites/{siteId}`,
    summary: "Update the installation of an integration on a site",
    body: settings,
    named: { integrationSiteId: "siteId" },
    answer: ["updateIntegrationSite", "integrationSite"],
    fields: onPlaceFields("IntegrationSite", "siteId"),
  },
  uninstallIntegrationFromSpace: {
    request: `DELETE ${installation}/spaces/{spaceId}`,
    summary: "Remove an integration from a space",
    conflict: "The integration is installed on all spaces.",
    named: { integrationSpaceId: "spaceId" },
    answer: ["uninstallIntegrationFromSpace", "deletedId"],
  },
  uninstallIntegrationFromSite: {
    request: `DELETE ${installation}/sites/{siteId}`,
    summary: "Remove an integration from a site",
    conflict: "The integration is installed on all sites.",
    named: { integrationSiteId: "siteId" },
    answer: ["uninstallIntegrationFromSite", "deletedId"],
  },
  uninstallIntegration: {
    request: `DELETE ${installation}`,
    summary: "Uninstall an integration from an organization",
    answer: ["uninstallIntegration", "deletedId"],
  },
  listIntegrationInstallationSpaces: {
    ...answersPlaces,
    request: `GET ${installation}/spaces`,
    summary: "List the spaces on which an installation is",
    query: expand("space"),
    answer: ["integration", "installation", "spaces"],
    fields: placeFields("IntegrationSpace", "space", spaceFields),
  },
  installIntegrationOnSpace: {
    ...onPlace,
    request: `POST ${installation}/spaces`,
    summary: "Install an integration on a space",
    success: 201,
    conflict: "The integration is already installed there.",
    body: { space: "Id of the space." },
    query: expand("space"),
    answer: ["installIntegrationOnSpace", "integrationSpace"],
    fields: placeFields("IntegrationSpace", "space", spaceFields),
  },
  listIntegrationInstallationSites: {
    ...answersPlaces,
    request: `GET ${installation}/sites`,
    summary: "List the sites on which an installation is",
    query: expand("site"),
    answer: ["integration", "installation", "sites"],
    fields: placeFields("IntegrationSite", "site", siteFields("urls")),
  },
  installIntegrationOnSite: {
    ...onPlace,
    request: `POST ${installation}/sites`,
    summary: "Install an integration on a site",
    success: 201,
    conflict: "The integration is already installed there.",
    body: { siteId: "Id of the site." },
    query: expand("site"),
    answer: ["installIntegrationOnSite", "integrationSite"],
    fields: placeFields("IntegrationSite", "site", siteFields("urls")),
  },
});
