// The queries of published sites, and of what an address shows.
import { oneOf } from "#src/domain/input.ts";
import { addressLimit } from "#src/features/published-sites/model/address.ts";
import { findContentAt } from "#src/features/published-sites/reads/content-at.ts";
import { findPlaceAt } from "#src/features/published-sites/reads/places.ts";
import { findPublishedSite, type PublishedSiteKey } from "#src/features/published-sites/reads/sites.ts";
import { ContentAddress, PublishedAddress } from "#src/features/published-sites/type/address.ts";
import { PublishedSite } from "#src/features/published-sites/type/site.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { openToVisitors } from "#src/graph/run/visitors.ts";

const BasenameKey = builder.inputType("PublishedSiteBasename", {
  description: "The name of a site in the addresses of its organization.",
  fields: (t) => ({
    organizationHostname: t.string({ required: true, description: "The hostname of the organization." }),
    basename: t.string({ required: true, description: "The basename of the site." }),
  }),
});

const SiteKey = builder.inputType("PublishedSiteKey", {
  description: "The key of a published site: set exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "Id of the site." }),
    hostname: t.string({ description: "Custom hostname." }),
    basename: t.field({ type: BasenameKey, description: "Basename in an organization." }),
  }),
});

builder.queryField("publishedSite", (t) =>
  t.field({
    type: PublishedSite,
    nullable: true,
    description:
      "A published site from the view of one visitor, who needs no account. Public and unlisted sites are open to anyone, share-link sites to callers with the key, and sites with visitor authentication to visitors with a token of the site. Members of its organization, except guests, may always read it, even before it is published; conditions apply to them as to the visitor whose token they send. NOT_FOUND for everybody else.",
    args: {
      by: t.arg({ type: SiteKey, required: true, description: "Key of the site." }),
      organizationId: t.arg.id({
        description: "Id of the organization; NOT_FOUND if the site belongs to another one.",
      }),
      shareKey: t.arg.string({ description: "Secret key of the link, which opens a share-link site." }),
      visitorToken: t.arg.string({
        description: "The visitor's token; the header `x-visitor-token` by default.",
      }),
    },
    extensions: openToVisitors,
    resolve: (_root, { by, organizationId, shareKey = null, visitorToken }, context) =>
      findPublishedSite(
        context,
        { by: keyOf(by), organizationId },
        { shareKey, visitorToken: visitorToken ?? context.visitorToken },
      ),
  }),
);

type GivenKey = typeof SiteKey.$inferInput;

function keyOf(by: GivenKey): PublishedSiteKey {
  const [name, value] = oneOf("by", { id: by.id, hostname: by.hostname, basename: by.basename });
  if (name === "id") return { id: value };
  return name === "hostname" ? { hostname: value } : value;
}

const url = (show: string) =>
  ({
    required: true,
    extensions: limited({ format: "uri", maxLength: addressLimit }),
    description: `The address, at most ${addressLimit} characters; ${show}`,
  }) as const;

builder.queryField("publishedAddress", (t) =>
  t.field({
    type: PublishedAddress,
    nullable: true,
    description:
      "The part of a published site at an address, from the view of one visitor, who has the rights of `publishedSite`. The address is compared with those of this gateway, and not requested. NOT_FOUND for other addresses.",
    args: {
      url: t.arg.string(url("with the key of a share-link site.")),
      visitorToken: t.arg.string({
        description: "The visitor's token; the header `x-visitor-token` by default.",
      }),
    },
    extensions: openToVisitors,
    resolve: (_root, given, context) => findPlaceAt(context, given.url, given.visitorToken ?? context.visitorToken),
  }),
);

builder.queryField("contentAddress", (t) =>
  t.field({
    type: ContentAddress,
    nullable: true,
    description:
      "The content at an address of the application, or of a published space or site. The address is compared with those of this gateway, and not requested. NOT_FOUND if the content is not visible to you, and for other addresses.",
    args: { url: t.arg.string(url("a page of the application, or `urls.published`.")) },
    resolve: (_root, given, context) => findContentAt(context, given.url),
  }),
);
