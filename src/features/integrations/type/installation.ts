// The GraphQL types of installations of integrations, and of those on spaces and sites.
import type { Viewer } from "#src/access/viewer.ts";
import { mayReadConfigurations } from "#src/features/integrations/access.ts";
import { installations, integrationSites, integrationSpaces } from "#src/features/integrations/reads/installations.ts";
import { IntegrationRuntime } from "#src/features/integrations/type/parts.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const InstallationStatus = defineEnum("InstallationStatus", "Whether an installation of an integration runs.", {
  active: "It does.",
  pending: "Its configuration lacks something that is required.",
  paused: "Not until it is resumed.",
});

export const InstallationSelection = defineEnum(
  "InstallationSelection",
  "On which spaces or sites of an organization an integration is installed.",
  { all: "On all, those that come later too.", selected: "On those that are selected." },
);

const configurationDescription =
  "The values of the properties that the integration declares, by their names; null for all but admins of the organization.";

const externalIdsDescription = "Names that other services know it by.";

const InstallationUrls = defineLinks("InstallationUrls", "Links of an installation.", {
  location: "The installations of the integration in the REST interface.",
  app: "The installation in the application.",
  publicEndpoint: "What the addresses start with at which it answers requests of anybody.",
});

const PlaceInstallationUrls = defineLinks("PlaceInstallationUrls", "Links of an installation on a space or site.", {
  location: "Those of the integration in the REST interface.",
  publicEndpoint: "What the addresses start with at which the installation answers requests of anybody for it.",
});

type Configured = { readonly organizationId: string; readonly configuration: unknown };

/** The configuration, for those who may read it. */
const configurationFor = (row: Configured, { viewer }: { readonly viewer: Viewer }) =>
  mayReadConfigurations(viewer, row) ? row.configuration : null;

export const IntegrationInstallation = defineNode("IntegrationInstallation", installations, {
  description: "An integration as it is installed in an organization.",
  fields: (t) => ({
    integrationId: t.exposeID("integrationId", { description: "Id of the integration." }),
    integrationName: t.value("String", "Name of the integration.", ["integrationName"], (row) => row.integrationName),
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    status: t.expose("status", { type: InstallationStatus, description: "Whether it runs." }),
    runtime: t.expose("runtime", {
      type: IntegrationRuntime,
      description: "What it runs on: the latest version of the integration for that, unless another one is pinned.",
    }),
    spaceSelection: t.expose("spaceSelection", { type: InstallationSelection, description: "On which spaces it is." }),
    siteSelection: t.expose("siteSelection", { type: InstallationSelection, description: "On which sites it is." }),
    spaceCount: t.value(
      "Int",
      "On how many spaces it is that the viewer may see.",
      ["spaceCount"],
      ({ spaceCount }) => spaceCount,
    ),
    configuration: t.valueOrNull(
      "JSON",
      configurationDescription,
      ["organizationId", "configuration"],
      configurationFor,
    ),
    externalIds: t.exposeStringList("externalIds", { description: externalIdsDescription }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was installed." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was changed last." }),
    urls: t.value(InstallationUrls, "Links.", ["integrationName"], ({ id, integrationName }, { publicUrl, links }) => ({
      location: `${publicUrl}/v1/integrations/${integrationName}/installations`,
      app: links.app(`integrations/${integrationName}/installations/${id}`, id),
      publicEndpoint: links.endpoint(integrationName, id),
    })),
  }),
});

export const IntegrationSpace = defineNode("IntegrationSpace", integrationSpaces, {
  description: "An installation of an integration on a space.",
  fields: (t) => ({
    integrationId: t.value("ID", "Id of the integration.", ["integrationId"], (row) => row.integrationId),
    integrationName: t.value("String", "Name of the integration.", ["integrationName"], (row) => row.integrationName),
    installationId: t.exposeID("installationId", { description: "Id of the installation in the organization." }),
    spaceId: t.exposeID("spaceId", { description: "Id of the space." }),
    status: t.expose("status", {
      type: InstallationStatus,
      description: "Whether it runs, unless all of it is paused.",
    }),
    configuration: t.valueOrNull(
      "JSON",
      configurationDescription,
      ["organizationId", "configuration"],
      configurationFor,
    ),
    externalIds: t.exposeStringList("externalIds", { description: externalIdsDescription }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was installed there." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was changed last." }),
    urls: t.value(
      PlaceInstallationUrls,
      "Links.",
      ["integrationName", "installationId", "spaceId"],
      ({ integrationName, installationId, spaceId }, { publicUrl, links }) => ({
        location: `${publicUrl}/v1/integrations/${integrationName}/spaces`,
        publicEndpoint: `${links.endpoint(integrationName, installationId)}/spaces/${spaceId}`,
      }),
    ),
  }),
});

export const IntegrationSite = defineNode("IntegrationSite", integrationSites, {
  description: "An installation of an integration on a site.",
  fields: (t) => ({
    integrationId: t.value("ID", "Id of the integration.", ["integrationId"], (row) => row.integrationId),
    integrationName: t.value("String", "Name of the integration.", ["integrationName"], (row) => row.integrationName),
    installationId: t.exposeID("installationId", { description: "Id of the installation in the organization." }),
    siteId: t.exposeID("siteId", { description: "Id of the site." }),
    status: t.expose("status", {
      type: InstallationStatus,
      description: "Whether it runs, unless all of it is paused.",
    }),
    configuration: t.valueOrNull(
      "JSON",
      configurationDescription,
      ["organizationId", "configuration"],
      configurationFor,
    ),
    externalIds: t.exposeStringList("externalIds", { description: externalIdsDescription }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was installed there." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was changed last." }),
    urls: t.value(
      PlaceInstallationUrls,
      "Links.",
      ["integrationName", "installationId", "siteId"],
      ({ integrationName, installationId, siteId }, { publicUrl, links }) => ({
        location: `${publicUrl}/v1/integrations/${integrationName}/sites`,
        publicEndpoint: `${links.endpoint(integrationName, installationId)}/sites/${siteId}`,
      }),
    ),
  }),
});
