// The GraphQL types of installations of integrations, and of installations on spaces and sites.
import type { Viewer } from "#src/access/viewer.ts";
import { mayReadConfigurations } from "#src/features/integrations/access.ts";
import { installations, integrationSites, integrationSpaces } from "#src/features/integrations/reads/installations.ts";
import { pendingTerms } from "#src/features/integrations/model/terms.ts";
import {
  IntegrationRuntime,
  IntegrationScope,
  IntegrationTarget,
} from "#src/features/integrations/type/integration.ts";
import type { ValueContext } from "#src/plan/read-declaration.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

const InstallationStatus = defineEnum("InstallationStatus", "The status of an installation of an integration.", {
  active: "It runs.",
  pending: "It does not run until its configuration has all required properties.",
  paused: "It does not run until it is resumed.",
});

export const InstallationSelection = defineEnum(
  "InstallationSelection",
  "The spaces or sites of an organization on which an integration is installed.",
  { all: "All, including later ones.", selected: "Only selected ones." },
);

const configurationDescription =
  "The values of the declared properties by name; for admins of the organization and for the installation itself, otherwise null.";

const externalIdsDescription = "External ids: names of the installation in other services.";

const InstallationUrls = defineLinks("InstallationUrls", "Links of an installation.", {
  location: "The installations of the integration in the REST interface.",
  app: "The installation in the application.",
  publicEndpoint: "The prefix of the public addresses at which it handles requests.",
});

const PlaceInstallationUrls = defineLinks("PlaceInstallationUrls", "Links of an installation on a space or site.", {
  location: "The installations of the integration in the REST interface.",
  publicEndpoint: "The prefix of the public addresses at which the installation handles requests for it.",
});

type Configured = Parameters<typeof mayReadConfigurations>[1] & { readonly configuration: unknown };

/** The configuration, for those who may read it. */
const configurationFor = (row: Configured, { viewer }: { readonly viewer: Viewer }) =>
  mayReadConfigurations(viewer, row) ? row.configuration : null;

// Scopes are stored only in the forms that are read here.
type Scope = typeof IntegrationScope.$inferType;

const pendingColumns = ["scopes", "contentSecurityPolicy", "running", "agreed"] as const;

export const IntegrationInstallation = defineNode("IntegrationInstallation", installations, {
  description: "An installation of an integration in an organization.",
  fields: (t) => ({
    integrationId: t.exposeID("integrationId", { description: "Id of the integration." }),
    integrationName: t.value("String", "Name of the integration.", ["integrationName"], (row) => row.integrationName),
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    status: t.expose("status", { type: InstallationStatus, description: "Status." }),
    runtime: t.expose("runtime", {
      type: IntegrationRuntime,
      description: "Runtime: the latest version for this runtime runs, unless another one is pinned.",
    }),
    spaceSelection: t.expose("spaceSelection", {
      type: InstallationSelection,
      description: "The spaces it is installed on.",
    }),
    siteSelection: t.expose("siteSelection", {
      type: InstallationSelection,
      description: "The sites it is installed on.",
    }),
    spaceCount: t.value(
      "Int",
      "Number of spaces it is installed on that are visible to you.",
      ["spaceCount"],
      ({ spaceCount }) => spaceCount,
    ),
    configuration: t.valueOrNull(
      "JSON",
      configurationDescription,
      ["id", "organizationId", "configuration"],
      configurationFor,
    ),
    externalIds: t.exposeStringList("externalIds", { description: externalIdsDescription }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was installed." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was last changed." }),
    version: t.valueOrNull(
      "Int",
      "The number of the version that runs; null if its runtime has no version.",
      ["version"],
      (row) => row.version,
    ),
    agreedVersion: t.exposeInt("agreedVersion", {
      description: "The version whose policy, blocks and target an admin of the organization last agreed to.",
    }),
    pinnedVersion: t.exposeInt("pinnedVersion", {
      nullable: true,
      description: "The version that runs until it is unpinned; null if the latest version of the runtime runs.",
    }),
    allowsDevMode: t.exposeBoolean("allowsDevMode", {
      description: "Whether the publisher's tunnel receives its events while development mode is on with `all`.",
    }),
    scopes: t.value(
      [IntegrationScope],
      "The granted scopes: those that its version requests and an admin of the organization agreed to.",
      ["scopes"],
      ({ scopes }) => scopes as Scope[],
    ),
    contentSecurityPolicy: t.exposeString("contentSecurityPolicy", {
      nullable: true,
      description: "Content security policy of the responses of its script; null without one.",
    }),
    pendingScopes: t.value(
      [IntegrationScope],
      "The scopes that its version requests and that wait for the agreement of an admin.",
      pendingColumns,
      (row) => pendingTerms(row).scopes as Scope[],
    ),
    pendingContentSecurityPolicy: t.valueOrNull(
      "String",
      "The policy of its version if it waits for the agreement of an admin, empty if the version has no policy; otherwise null.",
      pendingColumns,
      (row) => pendingTerms(row).contentSecurityPolicy,
    ),
    pendingBlocks: t.value(
      ["String"],
      "Languages of fenced code, and prefixes of addresses, that become blocks when an admin agrees to its version.",
      pendingColumns,
      (row) => [...pendingTerms(row).blocks],
    ),
    pendingTarget: t.valueOrNull(
      IntegrationTarget,
      "The target of its version if it adds spaces or sites and waits for the agreement of an admin; otherwise null.",
      pendingColumns,
      (row) => pendingTerms(row).target,
    ),
    urls: t.value(InstallationUrls, "Links.", ["integrationName"], ({ id, integrationName }, { publicUrl, links }) => ({
      location: `${publicUrl}/v1/integrations/${integrationName}/installations`,
      app: links.app(`integrations/${integrationName}/installations/${id}`, id),
      publicEndpoint: links.endpoint(integrationName, id),
    })),
  }),
});

type SpaceFields = Parameters<Parameters<typeof defineNode<"IntegrationSpace">>[2]["fields"]>[0];

/** The fields of installations on spaces, and on sites, whose rows differ in one column. */
const placeFields = (t: SpaceFields) => ({
  integrationId: t.value("ID", "Id of the integration.", ["integrationId"], (row) => row.integrationId),
  integrationName: t.value("String", "Name of the integration.", ["integrationName"], (row) => row.integrationName),
  installationId: t.exposeID("installationId", { description: "Id of the installation in the organization." }),
  status: t.expose("status", {
    type: InstallationStatus,
    description: "Status on its own; the installation in the organization may be paused, too.",
  }),
  configuration: t.valueOrNull(
    "JSON",
    configurationDescription,
    ["id", "installationId", "organizationId", "configuration"],
    configurationFor,
  ),
  externalIds: t.exposeStringList("externalIds", { description: externalIdsDescription }),
  createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was installed there." }),
  updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was last changed." }),
});

interface Place {
  readonly level: "spaces" | "sites";
  readonly id: string;
  readonly integrationName: string;
  readonly installationId: string;
}

const urlsOf = ({ level, id, integrationName, installationId }: Place, { publicUrl, links }: ValueContext) => ({
  location: `${publicUrl}/v1/integrations/${integrationName}/${level}`,
  publicEndpoint: `${links.endpoint(integrationName, installationId)}/${level}/${id}`,
});

export const IntegrationSpace = defineNode("IntegrationSpace", integrationSpaces, {
  description: "An installation of an integration on a space.",
  fields: (t) => ({
    ...placeFields(t),
    spaceId: t.exposeID("spaceId", { description: "Id of the space." }),
    urls: t.value(PlaceInstallationUrls, "Links.", ["integrationName", "installationId", "spaceId"], (row, context) =>
      urlsOf({ ...row, level: "spaces", id: row.spaceId }, context),
    ),
  }),
});

export const IntegrationSite = defineNode("IntegrationSite", integrationSites, {
  description: "An installation of an integration on a site.",
  fields: (t) => ({
    ...placeFields(t as unknown as SpaceFields),
    siteId: t.exposeID("siteId", { description: "Id of the site." }),
    urls: t.value(PlaceInstallationUrls, "Links.", ["integrationName", "installationId", "siteId"], (row, context) =>
      urlsOf({ ...row, level: "sites", id: row.siteId }, context),
    ),
  }),
});
