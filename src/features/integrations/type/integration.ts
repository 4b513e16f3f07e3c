// The GraphQL types Integration and IntegrationVersion.
import { integrationPermissions } from "#src/features/integrations/access.ts";
import { imagesPath, namePattern } from "#src/features/integrations/model/manifest/names.ts";
import { configurationsForm } from "#src/features/integrations/model/manifest/configurations.ts";
import type { Block, ContentSource, ExternalLink } from "#src/features/integrations/model/manifest/manifest.ts";
import { integrations, integrationVersions } from "#src/features/integrations/reads.ts";
import {
  IntegrationBlock,
  IntegrationCategory,
  IntegrationContentSource,
  IntegrationDevMode,
  IntegrationExternalLink,
  IntegrationPermissions,
  IntegrationRuntime,
  IntegrationScope,
  IntegrationTarget,
  IntegrationUrls,
  IntegrationVisibility,
} from "#src/features/integrations/type/parts.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

// The columns of lists are written only in the forms that are read here.
type Scope = typeof IntegrationScope.$inferType;
type Category = typeof IntegrationCategory.$inferType;

export const Integration = defineNode("Integration", integrations, {
  description: "An extension of the platform, as its latest version says.",
  resource: "integration",
  fields: (t) => ({
    name: t.exposeString("name", {
      extensions: limited({ pattern: namePattern }),
      description: "Its name, which no other integration has, and which stays the same.",
    }),
    organizationId: t.exposeID("organizationId", { description: "Id of the organization that publishes it." }),
    title: t.exposeString("title", { description: "Title." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "What it is, in short; null for nothing.",
    }),
    summary: t.exposeString("summary", { nullable: true, description: "What it is, as Markdown; null for nothing." }),
    version: t.exposeInt("version", { description: "The number of its latest version, which each publication makes." }),
    runtime: t.expose("runtime", { type: IntegrationRuntime, description: "What its latest version runs on." }),
    target: t.expose("target", { type: IntegrationTarget, description: "Where it can be installed." }),
    visibility: t.expose("visibility", { type: IntegrationVisibility, description: "Who finds it." }),
    verified: t.exposeBoolean("verified", { description: "Whether those who run docgraph have checked it." }),
    scopes: t.value([IntegrationScope], "What it asks to be allowed.", ["scopes"], ({ scopes }) => scopes as Scope[]),
    categories: t.value(
      [IntegrationCategory],
      "What it is good for.",
      ["categories"],
      ({ categories }) => categories as Category[],
    ),
    blocks: t.value(
      [IntegrationBlock],
      "The blocks that it adds to the editor.",
      ["blocks"],
      ({ blocks }) => blocks as unknown as Block[],
    ),
    contentSources: t.value(
      [IntegrationContentSource],
      "The content sources that it offers.",
      ["contentSources"],
      ({ contentSources }) => contentSources as unknown as ContentSource[],
    ),
    externalLinks: t.value(
      [IntegrationExternalLink],
      "Links to pages about it.",
      ["externalLinks"],
      ({ externalLinks }) => externalLinks as unknown as ExternalLink[],
    ),
    configurations: t.expose("configurations", {
      type: "JSON",
      extensions: limited(configurationsForm),
      description:
        "What its installations are asked for: settings of the organization (`account`), of each space and of each site, " +
        "each with its `properties` by their names, and the names of those that are `required`.",
    }),
    previewImages: t.value(
      ["String"],
      "The addresses of its preview images.",
      ["previewImages"],
      ({ id, previewImages }, { publicUrl }) => previewImages.map((image) => publicUrl + imagesPath(id) + image),
    ),
    contentSecurityPolicy: t.exposeString("contentSecurityPolicy", {
      nullable: true,
      description: "The policy that goes as a header with what its script answers; null without one.",
    }),
    devMode: t.valueOrNull(
      IntegrationDevMode,
      "Its development mode; null while that is off, and for those who are no admins of the organization.",
      ["organizationId", "visibility", "tunnelUrl", "tunnelAll"],
      ({ tunnelUrl, tunnelAll, ...integration }, { viewer }) =>
        tunnelUrl !== null && integrationPermissions(viewer, integration).admin ? { tunnelUrl, all: tunnelAll } : null,
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was published first." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was published last." }),
    permissions: t.value(
      IntegrationPermissions,
      "What the viewer may do.",
      ["organizationId", "visibility"],
      (integration, { viewer }) => integrationPermissions(viewer, integration),
    ),
    urls: t.value(IntegrationUrls, "Links.", ["name", "icon"], ({ id, name, icon }, { publicUrl, links }) => ({
      location: `${publicUrl}/v1/integrations/${name}`,
      app: links.app(`integrations/${name}`, id),
      icon: icon === null ? null : publicUrl + imagesPath(id) + icon,
    })),
  }),
});

/** Manifests are written only by publications, in this form. */
type PublishedManifest = { readonly scopes?: readonly Scope[]; readonly contentSecurityPolicy?: string | null };

const manifestOf = ({ manifest }: { readonly manifest: unknown }): PublishedManifest => manifest as PublishedManifest;

export const IntegrationVersion = defineNode("IntegrationVersion", integrationVersions, {
  description: "What was published of an integration once, which never changes.",
  fields: (t) => ({
    integrationId: t.exposeID("integrationId", { description: "Id of the integration." }),
    number: t.exposeInt("number", { description: "1, 2, 3 and so on within the integration." }),
    runtime: t.expose("runtime", { type: IntegrationRuntime, description: "What it runs on." }),
    scriptSize: t.exposeInt("scriptSize", {
      description: "Bytes of its script; 0 where its events go to an address instead.",
    }),
    webhookUrl: t.valueOrNull(
      "String",
      "The address that gets its events by POST, signed; null where it has a script, and for those who are no admins of the organization.",
      ["organizationId", "webhookUrl"],
      ({ organizationId, webhookUrl }, { viewer }) =>
        organizationPermissions(viewer, organizationId).admin ? webhookUrl : null,
    ),
    scopes: t.value([IntegrationScope], "The scopes that it asks for.", ["manifest"], (row) => [
      ...(manifestOf(row).scopes ?? []),
    ]),
    contentSecurityPolicy: t.valueOrNull(
      "String",
      "The policy that is sent with what its script answers; null without one.",
      ["manifest"],
      (row) => manifestOf(row).contentSecurityPolicy ?? null,
    ),
    scriptHash: t.exposeString("script", {
      nullable: true,
      description: "SHA-256 of its script, in hexadecimal; null if its events go to an address instead.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was published." }),
  }),
});
