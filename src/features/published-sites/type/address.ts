// GraphQL types of what an address shows: a part of a published site, and content.
import { changeRequests } from "#src/features/change-requests/reads/change-requests.ts";
import { collections } from "#src/features/collections/reads.ts";
import { Page } from "#src/features/content/type/page.ts";
import { findPageInSpace } from "#src/features/published-sites/reads/pages.ts";
import type { ContentAt as ContentAtValue } from "#src/features/published-sites/reads/content-at.ts";
import type { PublishedPlace as PublishedPlaceValue } from "#src/features/published-sites/reads/places.ts";
import { PublishedPage } from "#src/features/published-sites/type/page.ts";
import { PublishedSite } from "#src/features/published-sites/type/site.ts";
import { addressAt, PublishedSection, PublishedSpace } from "#src/features/published-sites/type/structure.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

export const PublishedAddress = builder.objectRef<PublishedPlaceValue>("PublishedAddress").implement({
  description: "What an address of a published site shows to a visitor.",
  fields: (t) => ({
    organizationId: t.value("ID", "Id of the organization of the site.", ({ site }) => site.row.organizationId),
    site: t.value(PublishedSite, "The site.", ({ site }) => site),
    siteId: t.value("ID", "Id of the site.", ({ site }) => site.id),
    siteSection: t.valueOrNull(PublishedSection, "The section, if any.", ({ space }) => space.section),
    siteSectionId: t.valueOrNull("ID", "Id of the section, if any.", ({ space }) => space.section?.id),
    siteSpace: t.value(
      PublishedSpace,
      "The site space; the default one if the address names none.",
      ({ space }) => space,
    ),
    siteSpaceId: t.value("ID", "Id of the site space.", ({ space }) => space.id),
    spaceId: t.value("ID", "Id of the space.", ({ space }) => space.spaceId),
    page: t.field({
      type: PublishedPage,
      nullable: true,
      description: "The page; null if no page is visible at the path.",
      resolve: ({ space, path }, _args, context) => findPageInSpace(context, space, path),
    }),
    siteBasePath: t.exposeString("siteBasePath", {
      description: "The part of the path of the address before the site.",
    }),
    basePath: t.exposeString("basePath", { description: "The part of the path of the address before the page." }),
    pathname: t.exposeString("pathname", {
      description: "The part of the path of the address for the page, with a slash.",
    }),
    isComplete: t.exposeBoolean("isComplete", { description: "Whether the address names the site space itself." }),
    shareKey: t.exposeString("shareKey", {
      nullable: true,
      description: "The key of a share-link site in the address.",
    }),
    canonicalUrl: t.field({
      type: "String",
      nullable: true,
      extensions: limited({ format: "uri" }),
      description: "The public address of the same page; null while the site is not published.",
      resolve: ({ site, space, path }, _args, context) =>
        addressAt(site, path === "" ? space.segments : [...space.segments, path], context),
    }),
  }),
});

export const ContentAddress = builder.objectRef<ContentAtValue>("ContentAddress").implement({
  description: "The content that an address shows: a collection, or a space with a page of it or of a change request.",
  fields: (t) => ({
    collection: t.rowOrNull(collections, "collectionId", "The collection; null for content of a space."),
    space: t.rowOrNull(spaces, "spaceId", "The space; null for a collection."),
    changeRequest: t.rowOrNull(changeRequests, "changeRequestId", "The change request; null for the main content."),
    page: t.valueOrNull(Page, "The page; null if the address names none.", ({ page }) => page),
  }),
});
