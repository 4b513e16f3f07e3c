// The GraphQL type Site.
import { limited, ofLength } from "#src/graph/rest-forms.ts";
import { sitePermissions } from "#src/features/sites/access.ts";
import { sites } from "#src/features/sites/reads.ts";
import {
  AgentsContext,
  SiteAdaptiveContent,
  SiteAds,
  type SiteAdsShape,
  SiteFeature,
  type SiteFeatureShape,
  SiteIcon,
  type SiteIconShape,
  SiteProxy,
  SiteType,
  SiteVisibility,
} from "#src/features/sites/type/parts.ts";
import { publishedAddress, publishedColumns, shareKeyArgument, SiteUrls } from "#src/features/sites/type/urls.ts";
import { defineNode } from "#src/graph/nodes.ts";
import { defineOrder } from "#src/graph/orders.ts";
import { defineFlags } from "#src/graph/records.ts";
import { columnsOf } from "#src/graph/selection.ts";

export const SiteOrder = defineOrder("Site", "sites", {
  title: "Their title, in any letter case.",
  createdAt: "When they were created.",
});

const SitePermissions = defineFlags("SitePermissions", "What the viewer may do with a site.", {
  view: "See it.",
  admin: "Change, publish and delete it, and place spaces on it.",
});

/** Host names of sites: three parts or more, in lower case (spec 2, section 2.1). */
const hostnamePattern = "^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$";

// Columns of JSON (`icon`, `ads` and `features`) are written only in the form that is read here.
export const Site = defineNode("Site", sites, {
  description: "A docs site, which publishes spaces.",
  resource: "site",
  fields: (t) => ({
    type: t.expose("type", { type: SiteType, description: "The product that it is on." }),
    title: t.exposeString("title", {
      extensions: ofLength({ min: 2, max: 128 }),
      description: "Title, 2 to 128 characters.",
    }),
    icon: t.valueOrNull(SiteIcon, "Its icon.", ["icon"], ({ icon }) => icon as SiteIconShape | null),
    hostname: t.exposeString("hostname", {
      extensions: limited({ maxLength: 512, pattern: hostnamePattern }),
      nullable: true,
      description: "Custom hostname.",
    }),
    basename: t.exposeString("basename", {
      extensions: ofLength({ min: 1, max: 100 }),
      nullable: true,
      description: "Its name in addresses, unique in its organization.",
    }),
    proxy: t.valueOrNull(
      SiteProxy,
      "The address of another server under which it is served.",
      ["proxyOrigin", "proxyTarget"],
      ({ proxyOrigin: origin, proxyTarget: target }) =>
        origin === null || target === null ? null : { origin, target },
    ),
    visibility: t.expose("visibility", { type: SiteVisibility, description: "Its audience once it is published." }),
    published: t.exposeBoolean("published", { description: "Whether its audience can reach it." }),
    publishedAt: t.expose("publishedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was published; null while it is not, and where that is not known.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    organizationId: t.exposeID("organizationId", { description: "Id of the owning organization." }),
    siteSpaceCount: t.exposeInt("siteSpaceCount", { description: "Number of spaces placed on it." }),
    structureVersion: t.exposeInt("structureVersion", {
      description:
        "Counts the changes of its structure: of what stands on it, where, and in which order. `sortSiteStructure` takes it as `expectedVersion`.",
    }),
    adaptiveContent: t.value(
      SiteAdaptiveContent,
      "Content that depends on the visitor.",
      ["adaptiveContentEnabled"],
      ({ adaptiveContentEnabled: enabled }) => ({ enabled }),
    ),
    ads: t.valueOrNull(SiteAds, "Advertising on it.", ["ads"], ({ ads }) => ads as SiteAdsShape | null),
    agentsContext: t.expose("agentsContext", { type: AgentsContext, description: "Whether agents may access it." }),
    features: t.value(
      [SiteFeature],
      "Its features.",
      ["features"],
      ({ features }) => features as unknown as SiteFeatureShape[],
    ), // written only in this form
    permissions: t.value(
      SitePermissions,
      "What the viewer may do.",
      ["organizationId", "createdById"],
      (site, { viewer }) => sitePermissions(viewer, site),
    ),
    urls: t.field({
      type: SiteUrls,
      description: "Links.",
      args: shareKeyArgument,
      select: { organizationId: true, ...columnsOf(publishedColumns) },
      resolve: (site, { shareKey }, { publicUrl, links }) => ({
        location: `${publicUrl}/v1/orgs/${site.organizationId}/sites/${site.id}`,
        app: links.app(`orgs/${site.organizationId}/sites/${site.id}`, site.id),
        published: publishedAddress(site, { links, shareKey }),
      }),
    }),
  }),
});
