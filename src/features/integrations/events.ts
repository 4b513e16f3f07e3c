// The events of integrations, for members of the organization, and of their development, for its admins.
//
// `integrationInstallation.setUp`, `integrationSpace.setUp` and `integrationSite.setUp` are only for the integration,
// which gets them as `installation_setup`, `space_installation_setup` and `site_installation_setup` whenever the status
// or the configuration of the row has changed. Their payload is `{integrationId, installationId, spaceId or siteId,
// status, previous: {status, configuration}}`, where `previous` is null for a new row. No stream, list or log has them,
// since configurations may hold credentials.
import { defineEvents } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";

export const integrationEvents = defineEvents(
  { published: "integration.published", deleted: "integration.deleted" },
  { changesRights: false, audience: "members", isAudited: true },
);

export const developmentEvents = defineEvents(
  {
    devModeSet: "integration.devModeSet",
    devModeEnded: "integration.devModeEnded",
    signingKeyRotated: "integration.signingKeyRotated",
  },
  { changesRights: false, audience: "admins", isAudited: true },
);

export const setupEvents = defineEvents(
  { installation: "integrationInstallation.setUp", space: "integrationSpace.setUp", site: "integrationSite.setUp" },
  {
    changesRights: false,
    audience: "admins",
    isPassing: true,
    unstreamed: "configurations may contain credentials: only the integration receives it.",
  },
);

export const installationEvents = defineEvents(
  {
    created: "integrationInstallation.created",
    updated: "integrationInstallation.updated",
    deleted: "integrationInstallation.deleted",
  },
  { changesRights: false, audience: "members", isAudited: true },
);

/** A new version of an integration that is installed in the organization was published. */
export const versionEvents = defineEvents(
  { published: "integrationInstallation.versionPublished" },
  { changesRights: false, audience: "members", isAudited: true },
);

export const integrationSpaceEvents = defineEvents(
  { created: "integrationSpace.created", updated: "integrationSpace.updated", deleted: "integrationSpace.deleted" },
  { changesRights: false, audience: "space" },
);

export const integrationSiteEvents = defineEvents(
  { created: "integrationSite.created", updated: "integrationSite.updated", deleted: "integrationSite.deleted" },
  { changesRights: false, audience: "members" },
);

export const integrationEventEvents = defineEvents(
  { retried: "integrationEvent.retried" },
  {
    changesRights: false,
    audience: "admins",
    isPassing: true,
    unstreamed: "it only triggers the delivery to the integration.",
  },
);

export function integrationEvent(
  type: DomainEvent["type"],
  { id, organizationId, name }: { id: string; organizationId: string; name: string },
  payload: DomainEvent["payload"] = {},
): DomainEvent {
  return { type, subjectId: id, organizationId, payload: { name, ...payload } };
}

/** All types of these events. */
export const eventsOfIntegrations = [
  integrationEvents,
  developmentEvents,
  setupEvents,
  installationEvents,
  versionEvents,
  integrationSpaceEvents,
  integrationSiteEvents,
  integrationEventEvents,
];
