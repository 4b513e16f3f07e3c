// The GraphQL type Site, and the keys that verify tokens of its visitors.
import type { Instant } from "#src/base/time.ts";
import { sitePermissions, siteRoleColumns } from "#src/features/sites/access.ts";
import type { StoredIcon } from "#src/features/sites/commands/site.ts";
import { type AdaptiveSchema, templateConditions } from "#src/features/sites/model/adaptive-schema.ts";
import { hostnameLimit, hostnamePattern } from "#src/features/sites/model/hostname.ts";
import { type SigningKeyFacts, sites } from "#src/features/sites/reads.ts";
import { SiteAdaptiveSchema, SiteTemplateCondition } from "#src/features/sites/type/adaptive.ts";
import { customizationOf, shownTitleOf, SiteCustomization } from "#src/features/sites/type/customization.ts";
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
  title: "Title, case-insensitive.",
  createdAt: "When they were created.",
});

const SitePermissions = defineFlags("SitePermissions", "Permissions of the viewer on a site.", {
  view: "See it.",
  access: "See it before it is published.",
  admin: "Change, publish and delete it, and place spaces on it.",
});

// The column `icon` is only ever written in the form that is read here.
export const Site = defineNode("Site", sites, {
  description: "A docs site, which publishes spaces.",
  resource: "site",
  fields: (t) => ({
    type: t.expose("type", { type: SiteType, description: "Plan of the site." }),
    title: t.exposeString("title", {
      extensions: ofLength({ min: 2, max: 128 }),
      description: "Title, 2 to 128 characters.",
    }),
    icon: t.valueOrNull(SiteIcon, "Its icon.", ["icon"], ({ icon }) => icon as StoredIcon | null),
    hostname: t.exposeString("hostname", {
      extensions: limited({ maxLength: hostnameLimit, pattern: hostnamePattern }),
      nullable: true,
      description: "Verified custom hostname, which serves only this site; null until the DNS check succeeds.",
    }),
    hostnameClaim: t.valueOrNull(
      SiteHostnameClaim,
      "The hostname claimed by `updateSite`, and the DNS record that verifies it; null without a claim, and if you may not change the site.",
      ["organizationId", "createdById", ...claimColumns],
      (site, { viewer }) => (sitePermissions(viewer, site).admin ? claimOf(site) : null),
    ),
    basename: t.exposeString("basename", {
      extensions: ofLength({ min: 1, max: 100 }),
      nullable: true,
      description: "Name in addresses, unique in the organization.",
    }),
    proxy: t.valueOrNull(
      SiteProxy,
      "The address on another server that passes requests on to the site. Links of the site lead there.",
      ["proxyOrigin", "proxyTarget"],
      proxyOf,
    ),
    visibility: t.expose("visibility", { type: SiteVisibility, description: "Audience once the site is published." }),
    published: t.exposeBoolean("published", { description: "Whether its audience can reach it." }),
    publishedAt: t.expose("publishedAt", {
      type: "DateTime",
      nullable: true,
      description: "Time of publication; null while it is not published, and if unknown.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    organizationId: t.exposeID("organizationId", { description: "Id of the owning organization." }),
    siteSpaceCount: t.exposeInt("siteSpaceCount", { description: "Number of spaces placed on it." }),
    structureVersion: t.exposeInt("structureVersion", {
      description:
        "Version of the structure, which increases when entries are added, removed or moved. `sortSiteStructure` takes it as `expectedVersion`.",
    }),
    adaptiveContent: t.value(
      SiteAdaptiveContent,
      "Settings of content that depends on the visitor.",
      ["adaptiveContentEnabled"],
      ({ adaptiveContentEnabled: enabled }) => ({ enabled }),
    ),
    adaptiveSchema: t.valueOrNull(
      SiteAdaptiveSchema,
      "The claims of visitors that conditions may use; null if not set, and for outsiders.",
      ["organizationId", "adaptiveSchema", "adaptiveSchemaUpdatedAt"],
      ({ organizationId, adaptiveSchema, adaptiveSchemaUpdatedAt }, { viewer }) =>
        adaptiveSchema === null || !viewer.memberOf.includes(organizationId)
          ? null
          : { jsonSchema: adaptiveSchema, updatedAt: adaptiveSchemaUpdatedAt },
    ),
    templateConditions: t.value(
      [SiteTemplateCondition],
      "Ready-made conditions: two for each claim of the adaptive schema. Empty for outsiders.",
      ["organizationId", "adaptiveSchema"],
      ({ organizationId, adaptiveSchema }, { viewer }) =>
        viewer.memberOf.includes(organizationId) ? templateConditions(adaptiveSchema as AdaptiveSchema | null) : [],
    ), // written only when checked
    agentsContext: t.expose("agentsContext", {
      type: AgentsContext,
      description: "Whether agents may access the site.",
    }),
    customization: t.value(
      SiteCustomization,
      "Its appearance for visitors.",
      ["title", "customization"],
      customizationOf,
    ),
    shownTitle: t.value(
      "String",
      "Title in the header for visitors, as in `customization`.",
      ["title", "customization"],
      (site) => shownTitleOf(customizationOf(site)),
    ),
    shareLink: t.valueOrNull(
      ShareLink,
      "The link that opens a published share-link site, for its admins; null for everybody else, and for other visibilities.",
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
      "The keys that verify tokens of its visitors, for its admins; null for everybody else.",
      [...siteRoleColumns, "jwksUrl", "signInUrl", "signingKeys"],
      (site, { viewer }) => (sitePermissions(viewer, site).admin ? site : null),
    ),
    permissions: t.value(
      SitePermissions,
      "Permissions of the viewer.",
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
  description: "A key that signs tokens of visitors of a site (HS256). Its value is shown only once, on creation.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Id of the key." }),
    createdAt: t.value("DateTime", "When it was created.", ({ createdAt }) => instantOf(createdAt)),
    expiresAt: t.valueOrNull(
      "DateTime",
      "Time until which tokens signed with it are valid; null for the current key.",
      ({ expiresAt }) => expiresAt && instantOf(expiresAt),
    ),
  }),
});

const SiteVisitorAuth = builder
  .objectRef<{ jwksUrl: string | null; signInUrl: string | null; signingKeys: readonly SigningKeyFacts[] }>(
    "SiteVisitorAuth",
  )
  .implement({
    description: "The keys that verify tokens of visitors of a site.",
    fields: (t) => ({
      signingKeys: t.value(
        [SiteSigningKey],
        "Its valid signing keys (HS256), newest first; empty before the first `rotateSiteSigningKey`.",
        ({ signingKeys }) => [...signingKeys],
      ),
      jwksUrl: t.exposeString("jwksUrl", {
        nullable: true,
        description: "The address of the public keys (JWKS) that verify RS256 and ES256 tokens; null if unset.",
      }),
      signInUrl: t.exposeString("signInUrl", {
        nullable: true,
        description: "The address where visitors without a valid token sign in; null if unset.",
      }),
    }),
  });
