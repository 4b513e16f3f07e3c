// The events of integrations and installations in subscriptions: never configurations.
import {
  developmentEvents,
  integrationEvents,
  installationEvents,
  integrationSiteEvents,
  integrationSpaceEvents,
  versionEvents,
} from "#src/features/integrations/events.ts";
import { integrations } from "#src/features/integrations/reads.ts";
import { IntegrationVisibility, IntegrationScope } from "#src/features/integrations/type/integration.ts";
import { defineEvent, type EventFields, type EventMessage, textIn } from "#src/graph/schema/events.ts";
import { eventField, rowNow, changesOfEvent, eventIdField } from "#src/graph/schema/event-fields.ts";
import { extendSubscription } from "#src/graph/schema/subscriptions.ts";
import { installations, integrationSites, integrationSpaces } from "#src/features/integrations/reads/installations.ts";
import { sites } from "#src/features/sites/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";

const subjectOf = ({ event }: EventMessage): string => event.subjectId;
const removed = "in its current state; null if it was removed.";

const named = (t: EventFields) => ({
  integrationId: t.value("ID", "Id of the integration.", subjectOf),
  name: eventField(t, "String", "name", "Name of the integration."),
});

const ofIntegration = (t: EventFields) => ({ ...named(t), integration: rowNow(t, integrations) });

const ofInstallation = (t: EventFields) => ({
  integrationId: eventIdField(t, "integrationId", "Id of the integration."),
  integration: t.rowOrNull(
    integrations,
    ({ event }) => textIn(event, "integrationId"),
    "The integration in its current state; null if it was deleted or is not visible to you.",
  ),
  installationId: eventIdField(t, "installationId", "Id of the installation."),
  installation: t.rowOrNull(installations, (of) => textIn(of.event, "installationId"), `The installation ${removed}`),
});

const ofVersion = (t: EventFields) => ({
  ...ofInstallation(t),
  version: eventField(t, "Int", "version", "The number of the version."),
  runs: eventField(
    t,
    "Boolean",
    "runs",
    "Whether the installation runs it: false for another runtime or a pinned version.",
  ),
  scopes: eventField(t, [IntegrationScope], "scopes", "The scopes that it requests."),
  pendingScopes: eventField(
    t,
    [IntegrationScope],
    "pendingScopes",
    "The requested scopes that wait for the agreement of an admin.",
  ),
  scriptHash: eventField(t, "String", "scriptHash", "SHA-256 of its script; null if its events go to an address."),
  webhookHost: eventField(t, "String", "webhookHost", "The host that receives its events; null if it has a script."),
});

extendSubscription("organizationEvents", [
  defineEvent(
    "IntegrationPublished",
    "An integration of the organization was published, or a new version of it. Sent to members, not to guests.",
    [integrationEvents.published],
    (t) => ({
      ...ofIntegration(t),
      version: eventField(t, "Int", "version", "The number of the version."),
      visibility: eventField(t, IntegrationVisibility, "visibility", "The new visibility."),
    }),
  ),
  defineEvent(
    "IntegrationDeleted",
    "An integration of the organization was deleted. Sent to members, not to guests.",
    [integrationEvents.deleted],
    named,
  ),
  defineEvent(
    "IntegrationDevModeSet",
    "The development mode of an integration was turned on: its events go to a tunnel. Sent to admins.",
    [developmentEvents.devModeSet],
    (t) => ({
      ...ofIntegration(t),
      all: eventField(t, "Boolean", "all", "Whether the events of all organizations go there."),
    }),
  ),
  defineEvent(
    "IntegrationDevModeEnded",
    "The development mode of an integration was turned off. Sent to admins.",
    [developmentEvents.devModeEnded],
    ofIntegration,
  ),
  defineEvent(
    "IntegrationSigningKeyRotated",
    "The signing key of an integration was rotated. Sent to admins, without the key.",
    [developmentEvents.signingKeyRotated],
    ofIntegration,
  ),
  defineEvent(
    "IntegrationInstalled",
    "An integration was installed in an organization.",
    [installationEvents.created],
    (t) => ({
      ...ofInstallation(t),
      integrationName: eventField(t, "String", "integrationName", "Name of the integration."),
    }),
  ),
  defineEvent(
    "InstallationSettingsChanged",
    "An installation of an integration was changed, paused or resumed. Of the configuration, the event has only the names of set properties.",
    [installationEvents.updated],
    (t) => ({ ...ofInstallation(t), ...changesOfEvent(t) }),
  ),
  defineEvent(
    "InstallationVersionPublished",
    "A version of an integration that is installed in the organization was published.",
    [versionEvents.published],
    ofVersion,
  ),
  defineEvent(
    "IntegrationUninstalled",
    "An integration was removed from an organization.",
    [installationEvents.deleted],
    ofInstallation,
  ),
]);

const ofSpace = (t: EventFields) => ({
  ...ofInstallation(t),
  integrationSpaceId: t.value("ID", "Id of the installation on the space.", subjectOf),
  integrationSpace: t.rowOrNull(integrationSpaces, subjectOf, `The installation on the space ${removed}`),
  space: rowNow(t, spaces, ({ event }) => event.spaceId),
});

extendSubscription("spaceEvents", [
  defineEvent(
    "IntegrationInstalledOnSpace",
    "An integration was installed on a space.",
    [integrationSpaceEvents.created],
    ofSpace,
  ),
  defineEvent(
    "IntegrationSpaceSettingsChanged",
    "An installation on a space was changed. Of the configuration, the event has only the names of set properties.",
    [integrationSpaceEvents.updated],
    (t) => ({ ...ofSpace(t), ...changesOfEvent(t) }),
  ),
  defineEvent(
    "IntegrationUninstalledFromSpace",
    "An integration was removed from a space.",
    [integrationSpaceEvents.deleted],
    ofSpace,
  ),
]);

const ofSite = (t: EventFields) => ({
  ...ofInstallation(t),
  integrationSiteId: t.value("ID", "Id of the installation on the site.", subjectOf),
  integrationSite: t.rowOrNull(integrationSites, subjectOf, `The installation on the site ${removed}`),
  siteId: eventIdField(t, "siteId", "Id of the site."),
  site: rowNow(t, sites, ({ event }) => textIn(event, "siteId")),
});

extendSubscription("siteEvents", [
  defineEvent(
    "IntegrationInstalledOnSite",
    "An integration was installed on a site.",
    [integrationSiteEvents.created],
    ofSite,
  ),
  defineEvent(
    "IntegrationSiteSettingsChanged",
    "An installation on a site was changed. Of the configuration, the event has only the names of set properties.",
    [integrationSiteEvents.updated],
    (t) => ({ ...ofSite(t), ...changesOfEvent(t) }),
  ),
  defineEvent(
    "IntegrationUninstalledFromSite",
    "An integration was removed from a site.",
    [integrationSiteEvents.deleted],
    ofSite,
  ),
]);
