// The events of sites and their structure, sent to members, who see all sites of their organization.
import { defineEvents } from "#src/events/declared.ts";

export const siteEvents = defineEvents(
  {
    created: "site.created",
    updated: "site.updated",
    sorted: "site.sorted",
    published: "site.published",
    unpublished: "site.unpublished",
    shareKeyRotated: "site.shareKeyRotated",
    signingKeyRotated: "site.signingKeyRotated",
    signingKeyEnded: "site.signingKeyEnded",
    hostnameChecked: "site.hostnameChecked",
    customizationUpdated: "site.customizationUpdated",
  },
  {
    changesRights: false,
    audience: "members",
    isAudited: [
      "created",
      "updated",
      "published",
      "unpublished",
      "shareKeyRotated",
      "signingKeyRotated",
      "signingKeyEnded",
      "customizationUpdated",
    ],
  },
);

export const siteTerminalEvents = defineEvents(
  { deleted: "site.deleted" },
  { audience: "members", isTerminal: true, isAudited: true },
);

export const siteSectionEvents = defineEvents(
  {
    created: "siteSection.created",
    updated: "siteSection.updated",
    moved: "siteSection.moved",
    deleted: "siteSection.deleted",
  },
  { changesRights: false, audience: "members", isAudited: ["created", "updated", "deleted"] },
);

export const siteSectionGroupEvents = defineEvents(
  {
    created: "siteSectionGroup.created",
    updated: "siteSectionGroup.updated",
    moved: "siteSectionGroup.moved",
    deleted: "siteSectionGroup.deleted",
  },
  { changesRights: false, audience: "members" },
);

export const siteSpaceEvents = defineEvents(
  {
    created: "siteSpace.created",
    updated: "siteSpace.updated",
    moved: "siteSpace.moved",
    deleted: "siteSpace.deleted",
  },
  { changesRights: false, audience: "members", isAudited: true },
);
