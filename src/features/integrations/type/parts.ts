// The enumerations of integrations, and the object types inside Integration.
import type { Block, ContentSource, ExternalLink } from "#src/features/integrations/model/manifest/manifest.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineFlags, defineLinks, defineTexts } from "#src/graph/schema/flag-types.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { defineEnum } from "#src/graph/schema/scalars.ts";

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

const IntegrationBlockMarkdown = defineTexts(
  "IntegrationBlockMarkdown",
  "How a block is written in Markdown.",
  {},
  {
    codeblock: "The language of the fenced code that is the block; null without one.",
    body: "The property of the block that the text of the fenced code is; null without one.",
  },
);

export const IntegrationBlock = builder.objectRef<Block>("IntegrationBlock").implement({
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

export const IntegrationContentSource = builder.objectRef<ContentSource>("IntegrationContentSource").implement({
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

export const IntegrationExternalLink = builder.objectRef<ExternalLink>("IntegrationExternalLink").implement({
  description: "A link to a page about an integration.",
  fields: (t) => ({
    url: t.exposeString("url", { extensions: limited({ format: "uri" }), description: "Where it leads." }),
    label: t.exposeString("label", { description: "What it says." }),
  }),
});

export const IntegrationDevMode = builder
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

export const IntegrationPermissions = defineFlags("IntegrationPermissions", "What the viewer may do with it.", {
  admin: "Publish it anew, delete it, and develop it.",
  install: "Install it in an organization.",
});

export const IntegrationUrls = defineLinks(
  "IntegrationUrls",
  "Links of an integration.",
  {
    location: "The integration in the REST interface.",
    app: "The integration in the application.",
  },
  { icon: "Its icon; null without one." },
);
