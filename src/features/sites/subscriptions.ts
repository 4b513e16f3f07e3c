// The subscription events of sites and of their structure.
import { isMember } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { audienceOf } from "#src/events/declared.ts";
import { listenToOrganizations } from "#src/features/organizations/subscriptions.ts";
import {
  siteEvents,
  siteTerminalEvents,
  siteSectionEvents,
  siteSectionGroupEvents,
  siteSpaceEvents,
} from "#src/features/sites/events.ts";
import { groups, sections, sites, siteSpaces } from "#src/features/sites/reads.ts";
import { SiteHostnameState } from "#src/features/sites/type/hostname.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { defineEvent, type EventFields, textIn } from "#src/graph/schema/events.ts";
import { changesOfEvent, eventField, eventIdField, rowNow } from "#src/graph/schema/event-fields.ts";
import { defineSubscription, type Listening } from "#src/graph/schema/subscriptions.ts";

async function requireMembership(context: Context, siteId: string): Promise<string> {
  const { organizationId } = await context.reader.found(sites, siteId, project(["organizationId"]));
  if (isMember(context.viewer, organizationId)) return organizationId;
  throw new DomainError("FORBIDDEN", "Only members of the organization of a site may subscribe to its events.");
}

/** Subscribes to a site: for members of its organization. NOT_FOUND or FORBIDDEN for all others. */
async function listenToSite(context: Context, siteId: string): Promise<Listening> {
  const organizationId = await requireMembership(context, siteId);
  return {
    scope: { by: "organizationId", ids: [organizationId] },
    accepts: (event) => textIn(event, "siteId") === siteId,
    check: async (present) => void (await requireMembership(present, siteId)),
    isProven: ({ type }) => audienceOf(type) === "members",
  };
}

const siteIdOf = (t: EventFields) => ({
  siteId: t.value("ID", "Id of the site.", ({ event }) => textIn(event, "siteId") ?? event.subjectId),
});

const siteOf = (t: EventFields) => ({ ...siteIdOf(t), site: rowNow(t, sites, ({ event }) => textIn(event, "siteId")) });

const title = (t: EventFields) => ({ title: eventField(t, "String", "title", "The title at the time of the event.") });

const sectionOf = (t: EventFields) => ({
  ...siteOf(t),
  siteSectionId: t.value("ID", "Id of the section.", ({ event }) => event.subjectId),
  siteSection: rowNow(t, sections),
});

const groupOf = (t: EventFields) => ({
  ...siteOf(t),
  siteSectionGroupId: t.value("ID", "Id of the group.", ({ event }) => event.subjectId),
  siteSectionGroup: t.rowOrNull(
    groups,
    ({ event }) => event.subjectId,
    "The group in its current state; null if it was deleted.",
  ),
});

const siteSpaceOf = (t: EventFields) => ({
  ...siteOf(t),
  siteSpaceId: t.value("ID", "Id of the site space.", ({ event }) => event.subjectId),
  siteSpace: t.rowOrNull(
    siteSpaces,
    ({ event }) => event.subjectId,
    "The site space in its current state; null if it has left the site.",
  ),
});

const spaceShown = (t: EventFields) => ({
  spaceId: eventIdField(t, "spaceId", "Id of the space it showed at the time of the event."),
  space: t.rowOrNull(
    spaces,
    ({ event }) => textIn(event, "spaceId"),
    "That space in its current state; null if it was deleted or is not visible to you.",
  ),
});

const ofSites = [
  defineEvent("SiteCreated", "A site was created.", [siteEvents.created], (t) => ({
    ...siteOf(t),
    ...title(t),
    spaceIds: eventField(t, ["ID"], "spaceIds", "Ids of the spaces it showed at first."),
  })),
  defineEvent("SiteSettingsChanged", "The settings of a site were changed.", [siteEvents.updated], (t) => ({
    ...siteOf(t),
    ...changesOfEvent(t),
  })),
  defineEvent(
    "SiteCustomizationChanged",
    "The appearance of a site was changed.",
    [siteEvents.customizationUpdated],
    (t) => ({ ...siteOf(t), ...changesOfEvent(t) }),
  ),
  defineEvent("SitePublished", "A site was published.", [siteEvents.published], siteOf),
  defineEvent("SiteUnpublished", "A site was unpublished.", [siteEvents.unpublished], siteOf),
  defineEvent(
    "SiteShareKeyRotated",
    "The secret key of a share-link site was replaced: the former key no longer opens it.",
    [siteEvents.shareKeyRotated],
    siteOf,
  ),
  defineEvent(
    "SiteSigningKeyRotated",
    "The signing key for tokens of a site's visitors was rotated.",
    [siteEvents.signingKeyRotated],
    (t) => ({
      ...siteOf(t),
      signingKeyId: eventIdField(t, "signingKeyId", "Id of the new key."),
      overlapSeconds: eventField(
        t,
        "Int",
        "overlapSeconds",
        "How long the former keys stay valid at most, in seconds.",
      ),
    }),
  ),
  defineEvent(
    "SiteSigningKeyEnded",
    "A signing key for tokens of a site's visitors was ended: tokens signed with it are no longer valid.",
    [siteEvents.signingKeyEnded],
    (t) => ({ ...siteOf(t), signingKeyId: eventIdField(t, "signingKeyId", "Id of the key.") }),
  ),
  defineEvent("SiteStructureSorted", "The structure of a site was sorted.", [siteEvents.sorted], (t) => ({
    ...siteOf(t),
    version: eventField(t, "Int", "version", "The new version of its structure."),
  })),
  defineEvent(
    "SiteHostnameStateChanged",
    "A DNS check verified the hostname of a site, or found its record missing.",
    [siteEvents.hostnameChecked],
    (t) => ({
      ...siteOf(t),
      hostname: eventField(t, "String", "hostname", "The hostname."),
      state: eventField(t, SiteHostnameState, "state", "The new state."),
    }),
  ),
  defineEvent(
    "SiteDeleted",
    "A site was deleted. Ends streams that subscribe to this site only.",
    [siteTerminalEvents.deleted],
    (t) => ({ ...siteIdOf(t), ...title(t) }),
  ),
];

const ofSections = [
  defineEvent("SiteSectionCreated", "A section of a site was created.", [siteSectionEvents.created], (t) => ({
    ...sectionOf(t),
    ...title(t),
    path: eventField(t, "String", "path", "The path at the time of the event."),
  })),
  defineEvent("SiteSectionSettingsChanged", "A section was changed.", [siteSectionEvents.updated], (t) => ({
    ...sectionOf(t),
    ...changesOfEvent(t),
  })),
  defineEvent("SiteSectionMoved", "A section was moved.", [siteSectionEvents.moved], (t) => ({
    ...sectionOf(t),
    fromSiteSectionGroupId: eventIdField(t, "fromSiteSectionGroupId", "Id of its former group; null without one."),
    toSiteSectionGroupId: eventIdField(t, "toSiteSectionGroupId", "Id of its new group; null without one."),
  })),
  defineEvent(
    "SiteSectionDeleted",
    "A section was deleted, but not its site spaces.",
    [siteSectionEvents.deleted],
    (t) => ({
      ...sectionOf(t),
      ...title(t),
      toSiteSectionId: eventIdField(
        t,
        "toSiteSectionId",
        "Id of the section that received its site spaces; null for the root.",
      ),
    }),
  ),
  defineEvent("SiteSectionGroupCreated", "A section group was created.", [siteSectionGroupEvents.created], (t) => ({
    ...groupOf(t),
    ...title(t),
  })),
  defineEvent(
    "SiteSectionGroupSettingsChanged",
    "A section group was changed.",
    [siteSectionGroupEvents.updated],
    (t) => ({ ...groupOf(t), ...changesOfEvent(t) }),
  ),
  defineEvent(
    "SiteSectionGroupMoved",
    "A section group was moved with its sections.",
    [siteSectionGroupEvents.moved],
    groupOf,
  ),
  defineEvent(
    "SiteSectionGroupDeleted",
    "A section group was deleted; its sections took its place.",
    [siteSectionGroupEvents.deleted],
    (t) => ({ ...groupOf(t), ...title(t) }),
  ),
];

const ofSiteSpaces = [
  defineEvent("SiteSpaceCreated", "A space was placed on a site.", [siteSpaceEvents.created], (t) => ({
    ...siteSpaceOf(t),
    ...title(t),
    ...spaceShown(t),
    siteSectionId: eventIdField(t, "siteSectionId", "Id of its section; null for the root."),
  })),
  defineEvent("SiteSpaceSettingsChanged", "A site space was changed.", [siteSpaceEvents.updated], (t) => ({
    ...siteSpaceOf(t),
    ...changesOfEvent(t),
  })),
  defineEvent("SiteSpaceMoved", "A site space was moved.", [siteSpaceEvents.moved], (t) => ({
    ...siteSpaceOf(t),
    fromSiteSectionId: eventIdField(t, "fromSiteSectionId", "Id of its former section; null for the root."),
    toSiteSectionId: eventIdField(t, "toSiteSectionId", "Id of its new section; null for the root."),
  })),
  defineEvent(
    "SiteSpaceDeleted",
    "A space was removed from a site, moved to another organization, or permanently deleted, and so left the site.",
    [siteSpaceEvents.deleted],
    (t) => ({ ...siteSpaceOf(t), ...title(t), ...spaceShown(t) }),
  ),
];

defineSubscription({
  name: "siteEvents",
  description:
    "Sends the events of a site, or of all sites of an organization: settings, publishing and structure. For members of the organization, not for guests. A subscription to one site ends with NOT_FOUND when the site is deleted.",
  subjects: { siteId: "Id of the site.", organizationId: "Id of the organization." },
  events: [...ofSites, ...ofSections, ...ofSiteSpaces],
  open: ({ by, ids: [id = ""] }, context) =>
    by === "siteId" ? listenToSite(context, id) : listenToOrganizations(context, [id]),
});
