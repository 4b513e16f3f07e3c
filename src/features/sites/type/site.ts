// The GraphQL type Site, and what tokens of its visitors are checked by.
import type { Instant } from "#src/base/time.ts";
import { sitePermissions, siteRoleColumns } from "#src/features/sites/access.ts";
import type { StoredIcon } from "#src/features/sites/commands/site.ts";
import { type AdaptiveSchema, templateConditions } from "#src/features/sites/model/adaptive-schema.ts";
import { hostnameLimit, hostnamePattern } from "#src/features/sites/model/hostname.ts";
import { type SigningKeyFacts, sites } from "#src/features/sites/reads.ts";
import { SiteAdaptiveSchema, SiteTemplateCondition } from "#src/features/sites/type/adaptive.ts";
import { claimColumns, claimOf, SiteHostnameClaim } from "#src/features/sites/type/hostname.ts";
import {
  AgentsContext,
  proxyOf,
  SiteAdaptiveContent,
  SiteIcon,
  SiteProxy,
  SiteType,
  SiteVisibility,
} from "#src/features/sites/type/parts.ts";
import {
  publishedAddress,
  publishedColumns,
  shareKeyArgument,
  SiteUrls,
  urlsOf,
} from "#src/features/sites/type/urls.ts";
import { ShareLink } from "#src/features/spaces/type.ts";
import { columnsOf } from "#src/graph/run/selection.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineFlags } from "#src/graph/schema/flag-types.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { defineOrder } from "#src/graph/schema/orders.ts";
import { limited, ofLength } from "#src/graph/schema/rest-forms.ts";

export const SiteOrder = defineOrder("Site", "sites", {
  title: "Their title, in any letter case.",
  createdAt: "When they were created.",
});

const SitePermissions = defineFlags("SitePermissions", "What the viewer may do with a site.", {
  view: "See it.",
  admin: "Change, publish and delete it, and place spaces on it.",
});

// The column `icon` is written only in the form that is read here.
export const Site = defineNode("Site", sites, {
  description: "A docs site, which publishes spaces.",
  resource: "site",
  fields: (t) => ({
    type: t.expose("type", { type: SiteType, description: "The product that it is on." }),
    title: t.exposeString("title", {
      extensions: ofLength({ min: 2, max: 128 }),
      description: "Title, 2 to 128 characters.",
    }),
    icon: t.valueOrNull(SiteIcon, "Its icon.", ["icon"], ({ icon }) => icon as StoredIcon | null),
    hostname: t.exposeString("hostname", {
      extensions: limited({ maxLength: hostnameLimit, pattern: hostnamePattern }),
      nullable: true,
      description: "Custom hostname, which leads to this site alone: there once the DNS shows that it is theirs.",
    }),
    hostnameClaim: t.valueOrNull(
      SiteHostnameClaim,
      "The hostname that was asked for by `updateSite`, and the record of the DNS that shows whose it is; null without one, and for those who may not change the site.",
      ["organizationId", "createdById", ...claimColumns],
      (site, { viewer }) => (sitePermissions(viewer, site).admin ? claimOf(site) : null),
    ),
    basename: t.exposeString("basename", {
      extensions: ofLength({ min: 1, max: 100 }),
      nullable: true,
      description: "Its name in addresses, unique in its organization.",
    }),
    proxy: t.valueOrNull(
      SiteProxy,
      "The address of another server under which it is served, for that server to know. Nothing shows whose it is, so no link of the site leads there.",
      ["proxyOrigin", "proxyTarget"],
      proxyOf,
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
    adaptiveSchema: t.valueOrNull(
      SiteAdaptiveSchema,
      "Which claims of visitors conditions may ask for; null where it was not set, and for those outside the organization.",
      ["organizationId", "adaptiveSchema", "adaptiveSchemaUpdatedAt"],
      ({ organizationId, adaptiveSchema, adaptiveSchemaUpdatedAt }, { viewer }) =>
        adaptiveSchema === null || !viewer.memberOf.includes(organizationId)
          ? null
          : { jsonSchema: adaptiveSchema, updatedAt: adaptiveSchemaUpdatedAt },
    ),
    templateConditions: t.value(
      [SiteTemplateCondition],
      "Ready-made conditions: two for each claim of the adaptive schema. None for those outside the organization.",
      ["organizationId", "adaptiveSchema"],
      ({ organizationId, adaptiveSchema }, { viewer }) =>
        viewer.memberOf.includes(organizationId) ? templateConditions(adaptiveSchema as AdaptiveSchema | null) : [],
    ), // written only when checked
    agentsContext: t.expose("agentsContext", { type: AgentsContext, description: "Whether agents may access it." }),
    shareLink: t.valueOrNull(
      ShareLink,
      "The link to pass on, for admins of a share-link site, which opens it once it is published; null for everybody else, and for other visibilities.",
      [...siteRoleColumns, ...publishedColumns],
      (site, { viewer, links }) => {
        const { visibility, shareKey: key } = site;
        if (visibility !== "share_link" || key === null || !sitePermissions(viewer, site).admin) return null;
        const url = publishedAddress({ ...site, published: true }, { links, shareKey: key });
        return url === null ? null : { key, url };
      },
    ),
    visitorAuth: t.valueOrNull(
      SiteVisitorAuth,
      "What tokens of its visitors are checked by, for its admins; null for everybody else.",
      [...siteRoleColumns, "jwksUrl", "signingKeys"],
      (site, { viewer }) => (sitePermissions(viewer, site).admin ? site : null),
    ),
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
      resolve: (site, { shareKey }, context) => urlsOf(site, context, shareKey),
    }),
  }),
});

const instantOf = (time: string): Instant => new Date(time).toISOString();

const SiteSigningKey = builder.objectRef<SigningKeyFacts>("SiteSigningKey").implement({
  description: "A key with which tokens of visitors of a site are signed by HS256. It is shown once, when it is made.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Id of the key." }),
    createdAt: t.value("DateTime", "When it was made.", ({ createdAt }) => instantOf(createdAt)),
    expiresAt: t.valueOrNull(
      "DateTime",
      "Until when tokens signed with it are taken; null for the present key.",
      ({ expiresAt }) => expiresAt && instantOf(expiresAt),
    ),
  }),
});

const SiteVisitorAuth = builder
  .objectRef<{ jwksUrl: string | null; signingKeys: readonly SigningKeyFacts[] }>("SiteVisitorAuth")
  .implement({
    description: "What tokens of visitors of a site are checked by.",
    fields: (t) => ({
      signingKeys: t.value(
        [SiteSigningKey],
        "Its own keys (HS256) that are good now, newest first; none before `rotateSiteSigningKey`.",
        ({ signingKeys }) => [...signingKeys],
      ),
      jwksUrl: t.exposeString("jwksUrl", {
        nullable: true,
        description: "The address of the public keys (JWKS) of those who sign by RS256 or ES256; null without one.",
      }),
    }),
  });
