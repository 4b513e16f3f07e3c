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

export const IntegrationVisibility = defineEnum("IntegrationVisibility", "The visibility of an integration.", {
  public: "All signed-in users.",
  private: "Members of the publishing organization, except guests.",
  unlisted: "All signed-in users who know its name; listed only for those members.",
});

export const IntegrationRuntime = defineEnum(
  "IntegrationRuntime",
  "The runtime of a version of an integration. An installation runs the latest version for its own runtime.",
  { v1: "First runtime.", v2: "Second runtime." },
);

export const IntegrationCategory = defineEnum(
  "IntegrationCategory",
  "The category of an integration.",
  {
    analytics: "Statistics of readers.",
    collaboration: "Collaboration of authors.",
    content: "Additions to content.",
    marketing: "Marketing.",
    visitor_auth: "Sign-in of visitors.",
    other: "Anything else.",
  },
  { hyphens: true },
);

export const IntegrationScope = defineEnum("IntegrationScope", "A permission that an integration requests.", {
  "space:content:read": "Read the content of spaces.",
  "space:content:write": "Write the content of spaces, in change requests, and comment on it.",
  "space:metadata:read": "Read spaces and their settings.",
  "space:metadata:write": "Change the settings of spaces.",
  "space:git:sync": "Synchronise spaces with Git.",
  "space:views:read": "Read the number of views of pages of spaces.",
  "page:feedback:read": "Read the feedback of readers on pages.",
  "site:metadata:read": "Read sites and their settings.",
  "site:views:read": "Read the number of views of pages of sites.",
  "site:script:inject": "Add scripts to sites.",
  "site:script:cookies": "Set cookies on sites.",
  "site:visitor:auth": "Sign in visitors of sites.",
  "site:visitor:claims": "Read the claims of visitors.",
  "site:adaptive:read": "Read the adaptive content of sites.",
  "site:adaptive:write": "Change the adaptive content of sites.",
  "conversations:ingest": "Add conversations.",
  "openapi:read": "Read OpenAPI specifications.",
  "openapi:write": "Change OpenAPI specifications.",
});

const IntegrationBlockMarkdown = builder.objectRef<BlockMarkdown>("IntegrationBlockMarkdown").implement({
  description: "The form of a block in Markdown.",
  fields: (t) => ({
    codeblock: t.exposeString("codeblock", {
      nullable: true,
      description: "The language of the fenced code that becomes the block; null without one.",
    }),
    body: t.exposeString("body", {
      nullable: true,
      description: "The property of the block that receives the text of the fenced code; null without one.",
    }),
  }),
});

const IntegrationBlock = builder.objectRef<Block>("IntegrationBlock").implement({
  description: "A block that an integration adds to the editor.",
  fields: (t) => ({
    id: t.exposeString("id", { description: "Id, unique in the integration." }),
    title: t.exposeString("title", { nullable: true, description: "Title; null without one." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "Description; null without one.",
    }),
    icon: t.exposeString("icon", { nullable: true, description: "Icon; null without one." }),
    urlUnfurl: t.exposeStringList("urlUnfurl", {
      nullable: true,
      description: "Prefixes of addresses that turn into this block; null without any.",
    }),
    markdown: t.expose("markdown", {
      type: IntegrationBlockMarkdown,
      nullable: true,
      description: "Its form in Markdown; null if it has no such form.",
    }),
  }),
});

const IntegrationContentSourceConfiguration = defineTexts(
  "IntegrationContentSourceConfiguration",
  "The setup of a content source.",
  { componentId: "Id of the component that renders its settings." },
);

const IntegrationContentSource = builder.objectRef<ContentSource>("IntegrationContentSource").implement({
  description: "A content source that an integration offers.",
  fields: (t) => ({
    id: t.exposeString("id", { description: "Id, unique in the integration." }),
    title: t.exposeString("title", { nullable: true, description: "Title; null without one." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "Description; null without one.",
    }),
    icon: t.exposeString("icon", { nullable: true, description: "Icon; null without one." }),
    configuration: t.expose("configuration", {
      type: IntegrationContentSourceConfiguration,
      nullable: true,
      description: "Its setup; null if it needs none.",
    }),
  }),
});

const IntegrationExternalLink = builder.objectRef<ExternalLink>("IntegrationExternalLink").implement({
  description: "A link to a page about an integration.",
  fields: (t) => ({
    url: t.exposeString("url", { extensions: limited({ format: "uri" }), description: "Address of the page." }),
    label: t.exposeString("label", { description: "Text of the link." }),
  }),
});

const IntegrationDevMode = builder
  .objectRef<{ readonly tunnelUrl: string; readonly all: boolean }>("IntegrationDevMode")
  .implement({
    description: "The development mode of an integration.",
    fields: (t) => ({
      tunnelUrl: t.exposeString("tunnelUrl", {
        extensions: limited({ format: "uri" }),
        description: "Address that receives its events by signed POST requests.",
      }),
      all: t.exposeBoolean("all", {
        description:
          "Whether it receives the events of all organizations that allow it, not only of the publishing one.",
      }),
    }),
  });

const IntegrationPermissions = defineFlags("IntegrationPermissions", "Permissions of the viewer.", {
  admin: "Publish a new version, delete it, and develop it.",
  install: "Install it in an organization.",
});

const IntegrationUrls = defineLinks(
  "IntegrationUrls",
  "Links of an integration.",
  { location: "The integration in the REST interface.", app: "The integration in the application." },
  { icon: "Its icon; null without one." },
);

// The list columns are only ever written in the forms that are read here.
type Scope = typeof IntegrationScope.$inferType;
type Category = typeof IntegrationCategory.$inferType;

export const Integration = defineNode("Integration", integrations, {
  description: "An extension of the platform, in its latest version.",
  resource: "integration",
  fields: (t) => ({
    name: t.exposeString("name", {
      extensions: limited({ pattern: namePattern }),
      description: "Name, which is unique and never changes.",
    }),
    organizationId: t.exposeID("organizationId", { description: "Id of the publishing organization." }),
    title: t.exposeString("title", { description: "Title." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "Short description; null without one.",
    }),
    summary: t.exposeString("summary", {
      nullable: true,
      description: "Long description in Markdown; null without one.",
    }),
    version: t.exposeInt("version", {
      description: "Number of its latest version, which each publication increments.",
    }),
    runtime: t.expose("runtime", { type: IntegrationRuntime, description: "Runtime of its latest version." }),
    target: t.expose("target", { type: IntegrationTarget, description: "Where it can be installed." }),
    visibility: t.expose("visibility", { type: IntegrationVisibility, description: "Visibility." }),
    verified: t.exposeBoolean("verified", { description: "Whether the operators of docgraph have reviewed it." }),
    scopes: t.value([IntegrationScope], "Requested scopes.", ["scopes"], ({ scopes }) => scopes as Scope[]),
    categories: t.value(
      [IntegrationCategory],
      "Categories.",
      ["categories"],
      ({ categories }) => categories as Category[],
    ),
    blocks: t.value(
      [IntegrationBlock],
      "Blocks that it adds to the editor.",
      ["blocks"],
      ({ blocks }) => blocks as unknown as Block[],
    ),
    contentSources: t.value(
      [IntegrationContentSource],
      "Content sources that it offers.",
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
        "Declared settings of its installations: for the organization (`account`), each space and each site, " +
        "each with its `properties` by name, and the names of those that are `required`.",
    }),
    previewImages: t.value(
      ["String"],
      "The addresses of its preview images.",
      ["previewImages"],
      ({ id, previewImages }, { publicUrl }) => previewImages.map((image) => publicUrl + imagesPath(id) + image),
    ),
    contentSecurityPolicy: t.exposeString("contentSecurityPolicy", {
      nullable: true,
      description: "Content security policy of the responses of its script; null without one.",
    }),
    devMode: t.valueOrNull(
      IntegrationDevMode,
      "Its development mode; null while it is off, and unless you administer the organization.",
      ["organizationId", "visibility", "tunnelUrl", "tunnelAll"],
      ({ tunnelUrl, tunnelAll, ...integration }, { viewer }) =>
        tunnelUrl !== null && integrationPermissions(viewer, integration).admin ? { tunnelUrl, all: tunnelAll } : null,
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was first published." }),
    updatedAt: t.expose("updatedAt", { type: "DateTime", description: "When it was last published." }),
    permissions: t.value(
      IntegrationPermissions,
      "Permissions of the viewer.",
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
  description: "A published version of an integration, which never changes.",
  fields: (t) => ({
    integrationId: t.exposeID("integrationId", { description: "Id of the integration." }),
    number: t.exposeInt("number", { description: "Version number: 1, 2, 3 and so on in each integration." }),
    runtime: t.expose("runtime", { type: IntegrationRuntime, description: "Runtime." }),
    scriptSize: t.exposeInt("scriptSize", {
      description: "Size of its script in bytes; 0 if its events go to an address instead.",
    }),
    webhookUrl: t.valueOrNull(
      "String",
      "Address that receives its events by signed POST requests; null if it has a script, and unless you administer the organization.",
      ["organizationId", "webhookUrl"],
      ({ organizationId, webhookUrl }, { viewer }) =>
        organizationPermissions(viewer, organizationId).admin ? webhookUrl : null,
    ),
    scopes: t.value([IntegrationScope], "Requested scopes.", ["manifest"], (row) => [
      ...(manifestOf(row).scopes ?? []),
    ]),
    contentSecurityPolicy: t.valueOrNull(
      "String",
      "Content security policy of the responses of its script; null without one.",
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
