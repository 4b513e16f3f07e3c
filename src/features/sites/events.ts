// What happens to sites, and to what stands on them.
import { defineEvents } from "#src/events/declared.ts";

export const siteEvents = defineEvents(
  {
    created: "site.created",
    updated: "site.updated",
    sorted: "site.sorted",
    published: "site.published",
    unpublished: "site.unpublished",
    deleted: "site.deleted",
  },
  { changesRights: false },
);

export const siteSectionEvents = defineEvents(
  {
    created: "siteSection.created",
    updated: "siteSection.updated",
    moved: "siteSection.moved",
    deleted: "siteSection.deleted",
  },
  { changesRights: false },
);

export const siteSectionGroupEvents = defineEvents(
  {
    created: "siteSectionGroup.created",
    updated: "siteSectionGroup.updated",
    moved: "siteSectionGroup.moved",
    deleted: "siteSectionGroup.deleted",
  },
  { changesRights: false },
);

export const siteSpaceEvents = defineEvents(
  {
    created: "siteSpace.created",
    updated: "siteSpace.updated",
    moved: "siteSpace.moved",
    deleted: "siteSpace.deleted",
  },
  { changesRights: false },
);
