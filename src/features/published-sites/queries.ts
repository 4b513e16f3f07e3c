// The query of published sites.
import { oneOf } from "#src/domain/input.ts";
import { findPublishedSite, type PublishedSiteKey } from "#src/features/published-sites/reads/sites.ts";
import { PublishedSite } from "#src/features/published-sites/type/site.ts";
import { builder } from "#src/graph/schema/builder.ts";
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
