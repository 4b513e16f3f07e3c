// The GraphQL type PublishedSiteProfile: what a site says of itself to its visitors.
import type { StoredIcon } from "#src/features/sites/commands/icon.ts";
import { hostnameLimit, hostnamePattern } from "#src/features/sites/model/hostname.ts";
import type { PublishedSite } from "#src/features/published-sites/reads/sites.ts";
import {
  AgentsContext,
  proxyOf,
  SiteAdaptiveContent,
  SiteIcon,
  SiteProxy,
  SiteType,
  SiteVisibility,
} from "#src/features/sites/type/parts.ts";
import { SiteUrls, urlsOf } from "#src/features/sites/type/urls.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited, ofLength, type RestResourceExtensions } from "#src/graph/schema/rest-forms.ts";

// The column `icon` is written only in the form that is read here.
export const PublishedSiteProfile = builder.objectRef<PublishedSite>("PublishedSiteProfile").implement({
  description: "What a published site says of itself, as its visitor sees it.",
  extensions: { restResource: "site" } satisfies RestResourceExtensions,
  fields: (t) => ({
    object: t.value("String", "Always `site`.", () => "site"),
    siteId: t.exposeID("id", { description: "Id of the site." }),
    type: t.value(SiteType, "The product that it is on.", ({ row }) => row.type),
    title: t.string({
      extensions: ofLength({ min: 2, max: 128 }),
      description: "Title, 2 to 128 characters.",
      resolve: ({ row }) => row.title,
    }),
    icon: t.valueOrNull(SiteIcon, "Its icon.", ({ row }) => row.icon as StoredIcon | null),
    hostname: t.string({
      extensions: limited({ maxLength: hostnameLimit, pattern: hostnamePattern }),
      nullable: true,
      description: "Custom hostname.",
      resolve: ({ row }) => row.hostname,
    }),
    basename: t.string({
      extensions: ofLength({ min: 1, max: 100 }),
      nullable: true,
      description: "Its name in addresses, unique in its organization.",
      resolve: ({ row }) => row.basename,
    }),
    proxy: t.valueOrNull(SiteProxy, "The address of another server under which it is served.", ({ row }) =>
      proxyOf(row),
    ),
    visibility: t.value(SiteVisibility, "Its audience once it is published.", ({ row }) => row.visibility),
    published: t.value(
      "Boolean",
      "Whether its audience can reach it; false only for members, who may look before.",
      ({ row }) => row.published,
    ),
    createdAt: t.value("DateTime", "When it was created.", ({ row }) => row.createdAt),
    siteSpaceCount: t.value("Int", "Number of spaces on it that are shown.", ({ shown }) => shown.siteSpaces.length),
    adaptiveContent: t.value(SiteAdaptiveContent, "Content that depends on the visitor.", ({ row }) => ({
      enabled: row.adaptiveContentEnabled,
    })),
    agentsContext: t.value(AgentsContext, "Whether agents may access it.", ({ row }) => row.agentsContext),
    urls: t.value(SiteUrls, "Links.", ({ row, shareKey }, context) => urlsOf(row, context, shareKey)),
  }),
});
