// The input types of what integrations publish.
import { builder } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

const id = { required: true, description: "Its name within the integration, 1 to 100 characters." } as const;
const title = { description: "Title, 1 to 128 characters." } as const;
const description = { description: "What it is, at most 1024 characters." } as const;
const icon = { description: "Its icon, at most 100 characters." } as const;

export const IntegrationCodeInput = builder.inputType("IntegrationCodeInput", {
  description: "What gets the events of an integration: exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    script: t.string({ description: "Its script: a module, at most 1 MB." }),
    webhookUrl: t.string({
      extensions: limited({ format: "uri", maxLength: 2048 }),
      description: "The address that gets them by POST, signed as Standard Webhooks are.",
    }),
  }),
});

const IntegrationBlockMarkdownInput = builder.inputType("IntegrationBlockMarkdownInput", {
  description: "How a block is written in Markdown.",
  fields: (t) => ({
    codeblock: t.string({ description: "The language of the fenced code that is the block." }),
    body: t.string({ description: "The property of the block that the text of the fenced code is." }),
  }),
});

export const IntegrationBlockInput = builder.inputType("IntegrationBlockInput", {
  description: "A block that an integration adds to the editor.",
  fields: (t) => ({
    id: t.string(id),
    title: t.string(title),
    description: t.string(description),
    icon: t.string(icon),
    urlUnfurl: t.stringList({
      description:
        "Addresses that turn into this block, by their beginnings, such as `https://tides.example.com/ports/`; a host may begin with `*.`.",
    }),
    markdown: t.field({ type: IntegrationBlockMarkdownInput, description: "How it is written in Markdown." }),
  }),
});

const IntegrationContentSourceConfigurationInput = builder.inputType("IntegrationContentSourceConfigurationInput", {
  description: "How a content source is set up.",
  fields: (t) => ({
    componentId: t.string({ required: true, description: "The component that asks for its settings." }),
  }),
});

export const IntegrationContentSourceInput = builder.inputType("IntegrationContentSourceInput", {
  description: "A content source that an integration offers.",
  fields: (t) => ({
    id: t.string(id),
    title: t.string(title),
    description: t.string(description),
    icon: t.string(icon),
    configuration: t.field({ type: IntegrationContentSourceConfigurationInput, description: "How it is set up." }),
  }),
});

export const IntegrationExternalLinkInput = builder.inputType("IntegrationExternalLinkInput", {
  description: "A link to a page about an integration.",
  fields: (t) => ({
    url: t.string({ required: true, extensions: limited({ format: "uri" }), description: "Where it leads." }),
    label: t.string({ required: true, description: "What it says, 1 to 128 characters." }),
  }),
});
