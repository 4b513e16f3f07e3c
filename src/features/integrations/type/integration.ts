// The GraphQL types of integrations, their parts, and their versions.
import type {
  Block,
  BlockMarkdown,
  ContentSource,
  ExternalLink,
} from "#src/features/integrations/model/manifest/manifest.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineFlags, defineLinks, defineTexts } from "#src/graph/schema/flag-types.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";
import { integrationPermissions } from "#src/features/integrations/access.ts";
import { imagesPath, namePattern } from "#src/features/integrations/model/manifest/names.ts";
import { configurationsForm } from "#src/features/integrations/model/manifest/configurations.ts";
import { integrations, integrationVersions } from "#src/features/integrations/reads.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";

export const IntegrationTarget = defineEnum("IntegrationTarget", "Where an integration can be installed.", {
  all: "Everywhere.",
  site: "On sites.",
  space: "On spaces.",
  organization: "In organizations.",
});

export const IntegrationVisibility = defineEnum("IntegrationVisibility", "Who finds an integration.", {
  public: "Everybody who is signed in.",
  private: "Members of the organization that publishes it, who are no guests.",
  unlisted: "Everybody who knows its name, and those members.",
});

export const IntegrationRuntime = defineEnum(
  "IntegrationRuntime",
  "What a version of an integration runs on. An installation goes on with the latest version of its own.",
  { v1: "The first one.", v2: "The second one." },
);

export const IntegrationCategory = defineEnum(
  "IntegrationCategory",
  "What an integration is good for.",
  {
    analytics: "Counting who reads what.",
    collaboration: "Working together.",
    content: "Adding to content.",
    marketing: "Finding readers.",
    visitor_auth: "Signing visitors in.",
    other: "Anything else.",
  },
  { hyphens: true },
);

export const IntegrationScope = defineEnum("IntegrationScope", "What an integration asks to be allowed.", {
  "space:content:read": "Read the content of spaces.",
  "space:content:write": "Write the content of spaces, in change requests, and comment on it.",
  "space:metadata:read": "Read spaces and their settings.",
  "space:metadata:write": "Change the settings of spaces.",
  "space:git:sync": "Synchronise spaces with Git.",
  "space:views:read": "Hear how often pages of spaces are seen.",
  "page:feedback:read": "Read what readers say of pages.",
  "site:metadata:read": "Read sites and their settings.",
  "site:views:read": "Hear how often pages of sites are seen.",
  "site:script:inject": "Add scripts to sites.",
  "site:script:cookies": "Set cookies on sites.",
  "site:visitor:auth": "Sign visitors of sites in.",
  "site:visitor:claims": "Read what is claimed of visitors.",
  "site:adaptive:read": "Read the adaptive content of sites.",
  "site:adaptive:write": "Change the adaptive content of sites.",
  "conversations:ingest": "Add conversations.",
  "openapi:read": "Read OpenAPI specifications.",
  "openapi:write": "Change OpenAPI specifications.",
});

const IntegrationBlockMarkdown = builder.objectRef<BlockMarkdown>("IntegrationBlockMarkdown").implement({
  description: "How a block is written in Markdown.",
  fields: (t) => ({
    codeblock: t.exposeString("codeblock", {
      nullable: true,
      description: "The language of the fenced code that is the block; null without one.",
    }),
    body: t.exposeString("body", {
      nullable: true,
      description: "The property of the block that the text of the fenced code is; null without one.",
    }),
  }),
});

const IntegrationBlock = builder.objectRef<Block>("IntegrationBlock").implement({
  description: "A block that an integration adds to the editor.",
  fields: (t) => ({
    id: t.exposeString("id", { description: "Its name within the integration." }),
    title: t.exposeString("title", { nullable: true, description: "Title; null without one." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "What it is; null where none is given.",
    }),
    icon: t.exposeString("icon", { nullable: true, description: "Its icon; null without one." }),
    urlUnfurl: t.exposeStringList("urlUnfurl", {
      nullable: true,
      description: "Addresses that turn into this block, by their beginnings; null where none are given.",
    }),
    markdown: t.expose("markdown", {
      type: IntegrationBlockMarkdown,
      nullable: true,
      description: "How it is written in Markdown; null where it cannot be.",
    }),
  }),
});

const IntegrationContentSourceConfiguration = defineTexts(
  "IntegrationContentSourceConfiguration",
  "How a content source is set up.",
  { componentId: "The component that asks for its settings." },
);

const IntegrationContentSource = builder.objectRef<ContentSource>("IntegrationContentSource").implement({
  description: "A content source that an integration offers.",
  fields: (t) => ({
    id: t.exposeString("id", { description: "Its name within the integration." }),
    title: t.exposeString("title", { nullable: true, description: "Title; null without one." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "What it is; null where none is given.",
    }),
    icon: t.exposeString("icon", { nullable: true, description: "Its icon; null without one." }),
    configuration: t.expose("configuration", {
      type: IntegrationContentSourceConfiguration,
      nullable: true,
      description: "How it is set up; null where it needs nothing.",
    }),
  }),
});

const IntegrationExternalLink = builder.objectRef<ExternalLink>("IntegrationExternalLink").implement({
  description: "A link to a page about an integration.",
  fields: (t) => ({
    url: t.exposeString("url", { extensions: limited({ format: "uri" }), description: "Where it leads." }),
    label: t.exposeString("label", { description: "What it says." }),
  }),
});

const IntegrationDevMode = builder
  .objectRef<{ readonly tunnelUrl: string; readonly all: boolean }>("IntegrationDevMode")
  .implement({
    description: "The development mode of an integration.",
    fields: (t) => ({
      tunnelUrl: t.exposeString("tunnelUrl", {
        extensions: limited({ format: "uri" }),
        description: "The address that gets its events by POST, signed.",
      }),
      all: t.exposeBoolean("all", {
        description:
          "Whether it gets those of all organizations that allow it, and not only those of the one that publishes it.",
      }),
    }),
  });

const IntegrationPermissions = defineFlags("IntegrationPermissions", "What the viewer may do with it.", {
  admin: "Publish a new version, delete it, and develop it.",
  install: "Install it in an organization.",
});

const IntegrationUrls = defineLinks(
  "IntegrationUrls",
  "Links of an integration.",
  { location: "The integration in the REST interface.", app: "The integration in the application." },
  { icon: "Its icon; null without one." },
);

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
