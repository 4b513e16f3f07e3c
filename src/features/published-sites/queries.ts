// Where published sites are asked for.
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
  description: "What a published site is found by: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "Id of the site." }),
    hostname: t.string({ description: "Its custom hostname." }),
    basename: t.field({ type: BasenameKey, description: "Its basename, in an organization." }),
  }),
});

builder.queryField("publishedSite", (t) =>
  t.field({
    type: PublishedSite,
    nullable: true,
    description:
      "A published site as one visitor sees it, who needs no account: anyone for a public or unlisted one, callers with the key for a share-link one, and visitors with a token of the site for one with visitor authentication. Members of its organization, except guests, may read it in any case, also before it is published; conditions hold for them as for the visitor whose token they give. NOT_FOUND for everybody else.",
    args: {
      by: t.arg({ type: SiteKey, required: true, description: "What it is found by." }),
      organizationId: t.arg.id({ description: "Id of an organization: only when the site belongs to it." }),
      shareKey: t.arg.string({ description: "Secret key of the link, which opens a share-link site." }),
      visitorToken: t.arg.string({
        description: "The visitor's token; without it, that of the header `x-visitor-token`.",
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
