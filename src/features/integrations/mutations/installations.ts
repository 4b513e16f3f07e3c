// Mutations on installations of integrations, and on their events.
import {
  installIntegration,
  pauseInstallation,
  resumeInstallation,
  uninstallIntegration,
  updateInstallation,
} from "#src/features/integrations/commands/installations/install.ts";
import {
  installOnPlace,
  uninstallFromPlace,
  updatePlace,
} from "#src/features/integrations/commands/installations/install-on-place.ts";
import { namePattern } from "#src/features/integrations/model/manifest/names.ts";
import {
  installations,
  installationsOfOrganization,
  integrationsOfSite,
  integrationsOfSpace,
  integrationSites,
  integrationSpaces,
} from "#src/features/integrations/reads/installations.ts";
import { InstallationSelection } from "#src/features/integrations/type/installation.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { retryIntegrationEvent } from "#src/features/integrations/commands/enqueue-events.ts";
import { integrationEvents } from "#src/features/integrations/reads.ts";

const rights = "For admins of the organization.";

const settings = (t: InputFields) => ({
  configuration: t.field({
    type: "JSON",
    description:
      "Values of the declared properties by name, which replace all former values; absent properties have their default. INVALID_INPUT for undeclared properties.",
  }),
  externalIds: t.stringList({
    description:
      "External ids: names of the installation in other services, at most 100 of 256 characters, which replace the former ones.",
  }),
});

const selections = (t: InputFields) => ({
  spaceSelection: t.field({ type: InstallationSelection, description: "The spaces to install it on." }),
  siteSelection: t.field({ type: InstallationSelection, description: "The sites to install it on." }),
});

const installationId = (t: InputFields) => ({
  installationId: t.id({ required: true, description: "Id of the installation." }),
});

const payload = rowPayload("installation", installations, "The installation.");

defineMutation({
  name: "installIntegration",
  description:
    "Installs an integration in an organization, on all its spaces and sites unless another selection is given. It is pending until its configuration has all required properties. " +
    `CONFLICT if it is already installed. A private integration can only be installed in the publishing organization. ${rights}`,
  input: (t) => ({
    integrationName: t.string({
      required: true,
      extensions: limited({ pattern: namePattern }),
      description: "Name of the integration.",
    }),
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    ...settings(t),
    ...selections(t),
    agreedVersion: t.int({
      description:
        "The number of the version whose terms you agree to: CONFLICT if it is not the latest version. If absent, you agree to the latest version, whatever its terms.",
    }),
  }),
  run: (input, context) => installIntegration(context, input),
  payload: createdPayload("installation", installationsOfOrganization, {
    description: "The installation.",
    in: "Organization.installations",
  }),
});

defineMutation({
  name: "updateInstallation",
  description:
    "Changes the given fields of an installation. From SELECTED to ALL it is added to all spaces or sites; from ALL to SELECTED it stays on all of them. " +
    "With `agreedVersion` you agree to the new terms of a version. " +
    `${rights} An installation may change its own configuration and external ids.`,
  input: (t) => ({
    ...installationId(t),
    integrationName: t.string({
      extensions: limited({ pattern: namePattern }),
      description: "Name of the integration: NOT_FOUND if it is given and the installation is of another integration.",
    }),
    ...settings(t),
    ...selections(t),
    agreedVersion: t.int({
      description:
        "Agrees to the terms of the version with this number: its scopes, policy, blocks and target. CONFLICT if it is not the version that runs after the update.",
    }),
    pinnedVersion: t.int({
      description:
        "Pins the installation to a version of its runtime: to its script, policy, blocks and target, and to the agreed ones of its scopes. " +
        "Null unpins it: the latest version runs, under the terms of the pinned one until you agree to more.",
    }),
    allowsDevMode: t.boolean({
      description:
        "Whether the publisher's tunnel may receive its events while development mode is on with `all`. False by default.",
    }),
  }),
  run: (input, context) => updateInstallation(context, input),
  payload,
});

defineMutation({
  name: "pauseInstallation",
  description: `Pauses an installation: it receives no events and handles no requests until it is resumed. ${rights}`,
  input: installationId,
  run: (input, context) => pauseInstallation(context, input.installationId),
  payload,
});

defineMutation({
  name: "resumeInstallation",
  description: `Resumes a paused installation. It becomes pending if its configuration is incomplete. ${rights}`,
  input: installationId,
  run: (input, context) => resumeInstallation(context, input.installationId),
  payload,
});

defineMutation({
  name: "uninstallIntegration",
  description: `Removes an integration from an organization, with its configuration and its events. ${rights}`,
  input: installationId,
  run: (input, context) => uninstallIntegration(context, input.installationId),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The organization; null if the installation did not exist.",
    ),
  }),
});

const installation = "The installation in the organization; null if it did not exist.";

defineMutation({
  name: "installIntegrationOnSpace",
  description:
    "Adds a space of the organization to an installation. CONFLICT if it is already installed on the space, " +
    `or if the target of the integration excludes spaces. ${rights}`,
  input: (t) => ({
    ...installationId(t),
    spaceId: t.id({ required: true, description: "Id of a space of the organization." }),
    ...settings(t),
  }),
  run: ({ spaceId, ...input }, context) => installOnPlace(context, "space", { ...input, placeId: spaceId }),
  payload: createdPayload("integrationSpace", integrationsOfSpace, {
    description: "The installation on the space.",
    in: "Space.integrations",
  }),
});

const integrationSpaceId = { required: true, description: "Id of the installation on the space." } as const;

const orItself = `${rights} An installation may change its own.`;

defineMutation({
  name: "updateIntegrationSpace",
  description: `Changes the given fields of an installation on a space. ${orItself}`,
  input: (t) => ({ integrationSpaceId: t.id(integrationSpaceId), ...settings(t) }),
  run: ({ integrationSpaceId: id, ...input }, context) => updatePlace(context, "space", { ...input, id }),
  payload: rowPayload("integrationSpace", integrationSpaces, "The installation on the space."),
});

defineMutation({
  name: "uninstallIntegrationFromSpace",
  description: `Removes an integration from a space. CONFLICT if it is installed on all spaces. ${rights}`,
  input: (t) => ({ integrationSpaceId: t.id(integrationSpaceId) }),
  run: (input, context) => uninstallFromPlace(context, "space", input.integrationSpaceId),
  payload: (t) => ({ ...deletedPayload(t), installation: t.rowOrNull(installations, "installationId", installation) }),
});

defineMutation({
  name: "installIntegrationOnSite",
  description:
    "Adds a site of the organization to an installation. CONFLICT if it is already installed on the site, " +
    `or if the target of the integration excludes sites. ${rights}`,
  input: (t) => ({
    ...installationId(t),
    siteId: t.id({ required: true, description: "Id of a site of the organization." }),
    ...settings(t),
  }),
  run: ({ siteId, ...input }, context) => installOnPlace(context, "site", { ...input, placeId: siteId }),
  payload: createdPayload("integrationSite", integrationsOfSite, {
    description: "The installation on the site.",
    in: "Site.integrations",
  }),
});

const integrationSiteId = { required: true, description: "Id of the installation on the site." } as const;

defineMutation({
  name: "updateIntegrationSite",
  description: `Changes the given fields of an installation on a site. ${orItself}`,
  input: (t) => ({ integrationSiteId: t.id(integrationSiteId), ...settings(t) }),
  run: ({ integrationSiteId: id, ...input }, context) => updatePlace(context, "site", { ...input, id }),
  payload: rowPayload("integrationSite", integrationSites, "The installation on the site."),
});

defineMutation({
  name: "uninstallIntegrationFromSite",
  description: `Removes an integration from a site. CONFLICT if it is installed on all sites. ${rights}`,
  input: (t) => ({ integrationSiteId: t.id(integrationSiteId) }),
  run: (input, context) => uninstallFromPlace(context, "site", input.integrationSiteId),
  payload: (t) => ({ ...deletedPayload(t), installation: t.rowOrNull(installations, "installationId", installation) }),
});

defineMutation({
  name: "retryIntegrationEvent",
  description:
    "Retries an event of an installation at once: one that was given up, or one that waits for its next attempt. " +
    "CONFLICT if it was handled, or if the installation is not active. For admins of the organization.",
  input: (t) => ({ eventId: t.id({ required: true, description: "Id of the event." }) }),
  run: (input, context) => retryIntegrationEvent(context, input.eventId),
  payload: rowPayload("event", integrationEvents, "The event."),
});
