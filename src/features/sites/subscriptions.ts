// What subscriptions deliver of sites and of their structure.
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
  throw new DomainError(
    "FORBIDDEN",
    "You need to be a member of the organization of a site to subscribe to its events.",
  );
}

/** Listens to a site: for members of its organization. NOT_FOUND and FORBIDDEN for all others. */
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

const title = (t: EventFields) => ({ title: eventField(t, "String", "title", "Its title then.") });

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
    "The group as it is now; null when it has been deleted.",
  ),
});

const siteSpaceOf = (t: EventFields) => ({
  ...siteOf(t),
  siteSpaceId: t.value("ID", "Id of the site space.", ({ event }) => event.subjectId),
  siteSpace: t.rowOrNull(
    siteSpaces,
    ({ event }) => event.subjectId,
    "The site space as it is now; null when it is on the site no more.",
  ),
});

const spaceShown = (t: EventFields) => ({
  spaceId: eventIdField(t, "spaceId", "Id of the space that it showed then."),
  space: t.rowOrNull(
    spaces,
    ({ event }) => textIn(event, "spaceId"),
    "That space as it is now; null when it has been deleted, and for those who may not see it.",
  ),
});

const ofSites = [
  defineEvent("SiteCreated", "A site was created.", [siteEvents.created], (t) => ({
    ...siteOf(t),
    ...title(t),
    spaceIds: eventField(t, ["ID"], "spaceIds", "Ids of the spaces that it showed from the start."),
  })),
  defineEvent("SiteSettingsChanged", "The settings of a site were changed.", [siteEvents.updated], (t) => ({
    ...siteOf(t),
    ...changesOfEvent(t),
  })),
  defineEvent("SitePublished", "A site was published.", [siteEvents.published], siteOf),
  defineEvent("SiteUnpublished", "A site was taken off the net.", [siteEvents.unpublished], siteOf),
  defineEvent(
    "SiteShareKeyRotated",
    "A share-link site got another secret key: the one before opens it no more.",
    [siteEvents.shareKeyRotated],
    siteOf,
  ),
  defineEvent(
    "SiteSigningKeyRotated",
    "A site got another key for tokens of its visitors.",
    [siteEvents.signingKeyRotated],
    (t) => ({
      ...siteOf(t),
      signingKeyId: eventIdField(t, "signingKeyId", "Id of the new key."),
      overlapSeconds: eventField(t, "Int", "overlapSeconds", "How long the keys before stay good at most, in seconds."),
    }),
  ),
  defineEvent("SiteStructureSorted", "All that stands on a site was put in order.", [siteEvents.sorted], (t) => ({
    ...siteOf(t),
    version: eventField(t, "Int", "version", "The version of its structure from then on."),
  })),
  defineEvent(
    "SiteHostnameStateChanged",
    "A look at the DNS has shown that a hostname is that of a site, or that its record is gone.",
    [siteEvents.hostnameChecked],
    (t) => ({
      ...siteOf(t),
      hostname: eventField(t, "String", "hostname", "The hostname."),
      state: eventField(t, SiteHostnameState, "state", "What it is from then on."),
    }),
  ),
  defineEvent(
    "SiteDeleted",
    "A site was deleted. For who listens to this site only, the stream ends then.",
    [siteTerminalEvents.deleted],
    (t) => ({ ...siteIdOf(t), ...title(t) }),
  ),
];

const ofSections = [
  defineEvent("SiteSectionCreated", "A section of a site was created.", [siteSectionEvents.created], (t) => ({
    ...sectionOf(t),
    ...title(t),
    path: eventField(t, "String", "path", "Its path then."),
  })),
  defineEvent("SiteSectionSettingsChanged", "A section was changed.", [siteSectionEvents.updated], (t) => ({
    ...sectionOf(t),
    ...changesOfEvent(t),
  })),
  defineEvent("SiteSectionMoved", "A section was moved.", [siteSectionEvents.moved], (t) => ({
    ...sectionOf(t),
    fromSiteSectionGroupId: eventIdField(
      t,
      "fromSiteSectionGroupId",
      "Id of the group in which it was; null when it was in none.",
    ),
    toSiteSectionGroupId: eventIdField(t, "toSiteSectionGroupId", "Id of the group in which it is from then on."),
  })),
  defineEvent("SiteSectionDeleted", "A section was deleted, and nothing in it.", [siteSectionEvents.deleted], (t) => ({
    ...sectionOf(t),
    ...title(t),
    toSiteSectionId: eventIdField(
      t,
      "toSiteSectionId",
      "Id of the section into which its site spaces came; null for the root.",
    ),
  })),
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
    "A section group was deleted; its sections stayed in its place.",
    [siteSectionGroupEvents.deleted],
    (t) => ({ ...groupOf(t), ...title(t) }),
  ),
];

const ofSiteSpaces = [
  defineEvent("SiteSpaceCreated", "A space was placed on a site.", [siteSpaceEvents.created], (t) => ({
    ...siteSpaceOf(t),
    ...title(t),
    ...spaceShown(t),
    siteSectionId: eventIdField(t, "siteSectionId", "Id of the section in which it was placed; null for the root."),
  })),
  defineEvent("SiteSpaceSettingsChanged", "A site space was changed.", [siteSpaceEvents.updated], (t) => ({
    ...siteSpaceOf(t),
    ...changesOfEvent(t),
  })),
  defineEvent("SiteSpaceMoved", "A site space was moved.", [siteSpaceEvents.moved], (t) => ({
    ...siteSpaceOf(t),
    fromSiteSectionId: eventIdField(t, "fromSiteSectionId", "Id of the section in which it was; null for the root."),
    toSiteSectionId: eventIdField(
      t,
      "toSiteSectionId",
      "Id of the section in which it is from then on; null for the root.",
    ),
  })),
  defineEvent(
    "SiteSpaceDeleted",
    "A space was taken off a site, or left its organization or was removed for good, and so left the site.",
    [siteSpaceEvents.deleted],
    (t) => ({ ...siteSpaceOf(t), ...title(t), ...spaceShown(t) }),
  ),
];

defineSubscription({
  name: "siteEvents",
  description:
    "Sends what happens to a site, or to all sites of an organization: settings, publishing, and all that is placed and moved there. For members of the organization, who are no guests. That of a site ends with NOT_FOUND when the site is deleted.",
  subjects: { siteId: "Id of the site.", organizationId: "Id of the organization." },
  events: [...ofSites, ...ofSections, ...ofSiteSpaces],
  open: ({ by, ids: [id = ""] }, context) =>
    by === "siteId" ? listenToSite(context, id) : listenToOrganizations(context, [id]),
});
