// The GraphQL types of installations of integrations, and of those on spaces and sites.
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

// Scopes are stored only in the forms that are read here.
type Scope = typeof IntegrationScope.$inferType;

const pendingColumns = ["scopes", "contentSecurityPolicy", "running", "agreed"] as const;

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
    version: t.valueOrNull(
      "Int",
      "The number of the version that runs; null if its runtime has none.",
      ["version"],
      (row) => row.version,
    ),
    agreedVersion: t.exposeInt("agreedVersion", {
      description: "The version whose policy, blocks and target an admin of the organization agreed to last.",
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
      "The scopes that it has: those that an admin of the organization agreed to, as far as its version asks for them.",
      ["scopes"],
      ({ scopes }) => scopes as Scope[],
    ),
    contentSecurityPolicy: t.exposeString("contentSecurityPolicy", {
      nullable: true,
      description: "The policy that is sent with what its script answers; null without one.",
    }),
    pendingScopes: t.value(
      [IntegrationScope],
      "The scopes that its version asks for, and that it gets when an admin agrees to that version.",
      pendingColumns,
      (row) => pendingTerms(row).scopes as Scope[],
    ),
    pendingContentSecurityPolicy: t.valueOrNull(
      "String",
      "The policy of its version, if an admin has not agreed to it: empty if the version has none. Null if nothing waits.",
      pendingColumns,
      (row) => pendingTerms(row).contentSecurityPolicy,
    ),
    pendingBlocks: t.value(
      ["String"],
      "Languages of fenced code, and starts of addresses, that become blocks when an admin agrees to its version.",
      pendingColumns,
      (row) => [...pendingTerms(row).blocks],
    ),
    pendingTarget: t.valueOrNull(
      IntegrationTarget,
      "The target of its version, if that adds spaces or sites to which an admin has not agreed. Null if nothing waits.",
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

/** The fields of installations on spaces, and on sites, whose rows have the same columns but one. */
const placeFields = (t: SpaceFields) => ({
  integrationId: t.value("ID", "Id of the integration.", ["integrationId"], (row) => row.integrationId),
  integrationName: t.value("String", "Name of the integration.", ["integrationName"], (row) => row.integrationName),
  installationId: t.exposeID("installationId", { description: "Id of the installation in the organization." }),
  status: t.expose("status", { type: InstallationStatus, description: "Whether it runs, unless all of it is paused." }),
  configuration: t.valueOrNull("JSON", configurationDescription, ["organizationId", "configuration"], configurationFor),
  externalIds: t.exposeStringList("externalIds", { description: externalIdsDescription }),
  createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was installed there." }),
  updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was changed last." }),
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
