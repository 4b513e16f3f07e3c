// Mutations on integrations.
import { builder, type InputFields } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import {
  deleteIntegration,
  disableIntegrationDevMode,
  rotateIntegrationSigningKey,
  setIntegrationDevMode,
} from "#src/features/integrations/commands/manage.ts";
import { publishIntegration } from "#src/features/integrations/commands/publish.ts";
import { configurationsForm } from "#src/features/integrations/model/manifest/configurations.ts";
import { namePattern } from "#src/features/integrations/model/manifest/names.ts";
import { integrations, integrationsOfOrganization } from "#src/features/integrations/reads.ts";
import {
  IntegrationCategory,
  IntegrationRuntime,
  IntegrationScope,
  IntegrationTarget,
  IntegrationVisibility,
} from "#src/features/integrations/type/integration.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";

const described = (t: InputFields) => ({
  id: t.string({ required: true, description: "Its name within the integration, 1 to 100 characters." }),
  title: t.string({ description: "Title, 1 to 128 characters." }),
  description: t.string({ description: "What it is, at most 1024 characters." }),
  icon: t.string({ description: "Its icon, at most 100 characters." }),
});

const IntegrationCodeInput = builder.inputType("IntegrationCodeInput", {
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

const IntegrationBlockInput = builder.inputType("IntegrationBlockInput", {
  description: "A block that an integration adds to the editor.",
  fields: (t) => ({
    ...described(t),
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

const IntegrationContentSourceInput = builder.inputType("IntegrationContentSourceInput", {
  description: "A content source that an integration offers.",
  fields: (t) => ({
    ...described(t),
    configuration: t.field({ type: IntegrationContentSourceConfigurationInput, description: "How it is set up." }),
  }),
});

const IntegrationExternalLinkInput = builder.inputType("IntegrationExternalLinkInput", {
  description: "A link to a page about an integration.",
  fields: (t) => ({
    url: t.string({ required: true, extensions: limited({ format: "uri" }), description: "Where it leads." }),
    label: t.string({ required: true, description: "What it says, 1 to 128 characters." }),
  }),
});

const name = {
  required: true,
  extensions: limited({ pattern: namePattern }),
  description: "Its name: letters, digits, -, _ and ., at most 100.",
} as const;

const named = (t: InputFields) => ({ integrationName: t.string(name) });

const rights = "For admins of the organization that publishes it.";
const payload = rowPayload("integration", integrations, "The integration.");
const base64 = limited({ contentEncoding: "base64" });
const image = "a PNG, a JPEG, a WebP or a plain SVG, in base64";

const manifest = (t: InputFields) => ({
  title: t.string({ required: true, description: "Title, 1 to 128 characters." }),
  description: t.string({ description: "What it is, in short: at most 1024 characters." }),
  summary: t.string({ description: "What it is, as Markdown: at most 100,000 characters." }),
  runtime: t.field({
    type: IntegrationRuntime,
    extensions: limited({ default: "v1" }),
    description: "What it runs on; V1 when left out.",
  }),
  visibility: t.field({
    type: IntegrationVisibility,
    extensions: limited({ default: "private" }),
    description: "Who finds it; PRIVATE when left out.",
  }),
  target: t.field({
    type: IntegrationTarget,
    extensions: limited({ default: "all" }),
    description: "Where it can be installed; ALL when left out.",
  }),
  scopes: t.field({ type: [IntegrationScope], description: "What it asks to be allowed." }),
  categories: t.field({ type: [IntegrationCategory], description: "What it is good for." }),
  blocks: t.field({
    type: [IntegrationBlockInput],
    description: "The blocks that it adds to the editor, at most 100.",
  }),
  contentSources: t.field({
    type: [IntegrationContentSourceInput],
    description: "The content sources that it offers, at most 100.",
  }),
  externalLinks: t.field({ type: [IntegrationExternalLinkInput], description: "Links to pages about it, at most 20." }),
  configurations: t.field({
    type: "JSON",
    extensions: limited(configurationsForm),
    description:
      "What its installations are asked for: settings of the organization (`account`), of each space and of each site, " +
      "each with its `properties` by their names, and the names of those that are `required`.",
  }),
  contentSecurityPolicy: t.string({
    description: "The policy that goes as a header with what its script answers; at most 4000 characters, no commas.",
  }),
});

defineMutation({
  name: "publishIntegration",
  description:
    "Publishes an integration under a name, for the first time or anew. Each publication makes a version, and takes the place of all that was published " +
    "before, but that secrets, icon and preview images stay where they are left out. Installations go on with the latest version of their runtime, unless one is pinned. " +
    "What a version asks for beyond the terms that an organization agreed to (scopes, policy, blocks, target) waits there until an admin agrees; scopes that it does not ask for end at once. " +
    "CONFLICT for the name of another organization's integration, where the organization has 100 integrations, and where docgraph has no `SECRETS_KEY` " +
    "to keep secrets with. For admins of the organization.",
  input: (t) => ({
    name: t.string(name),
    organizationId: t.id({
      required: true,
      description: "Id of the organization that publishes it, or its subdomain: the first part of its hostname.",
    }),
    ...manifest(t),
    code: t.field({ type: IntegrationCodeInput, required: true, description: "What gets its events." }),
    secrets: t.field({
      type: "JSON",
      extensions: limited({ type: "object", additionalProperties: { type: "string" } }),
      description:
        "Secrets of its script, texts by their names: kept encrypted, never answered, read by its script alone. They stay when left out; an empty object takes them away.",
    }),
    icon: t.string({
      extensions: base64,
      description: `Its icon: ${image}, at most 256 KB. It stays when left out; null takes it away.`,
    }),
    previewImages: t.stringList({
      extensions: limited({ items: { type: "string", contentEncoding: "base64" } }),
      description: `Images of it, at most 8: each ${image}, at most 1 MB. They stay when left out.`,
    }),
  }),
  run: ({ code, ...input }, context) => publishIntegration(context, { ...input, ...code }),
  payload: (t) => ({
    ...createdPayload("integration", integrationsOfOrganization, {
      description: "The integration.",
      in: "Organization.integrations",
    })(t),
    signingKey: t.exposeString("signingKey", {
      nullable: true,
      description:
        "The key (`whsec_...`) that signs what goes to `webhookUrl`, where it is made now: shown in this answer only. Null otherwise.",
    }),
  }),
});

defineMutation({
  name: "deleteIntegration",
  description: `Deletes an integration with its versions, wherever it is installed. ${rights}`,
  input: named,
  run: (input, context) => deleteIntegration(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The organization that has published it; null when it was not there.",
    ),
  }),
});

defineMutation({
  name: "setIntegrationDevMode",
  description: `Sends the events of an integration to a tunnel from now on, and not to its script or address. ${rights}`,
  input: (t) => ({
    ...named(t),
    tunnelUrl: t.string({
      required: true,
      extensions: limited({ format: "uri" }),
      description: "The address that gets the events by POST, signed.",
    }),
    all: t.boolean({
      extensions: limited({ default: false }),
      description:
        "Whether it gets those of all organizations that allow it, and not only those of the one that publishes it.",
    }),
  }),
  run: (input, context) => setIntegrationDevMode(context, input),
  payload: (t) => ({
    ...payload(t),
    signingKey: t.exposeString("signingKey", {
      nullable: true,
      description:
        "The key (`whsec_...`) that signs what goes there, where it is made now: shown in this answer only. Null otherwise.",
    }),
  }),
});

defineMutation({
  name: "disableIntegrationDevMode",
  description: `Ends the development mode of an integration, whether or not it was on. ${rights}`,
  input: named,
  run: (input, context) => disableIntegrationDevMode(context, input),
  payload,
});

defineMutation({
  name: "rotateIntegrationSigningKey",
  description: `Makes another key that signs what goes to the address or tunnel of an integration, and shows it in this answer only. The one before signs nothing more. ${rights}`,
  input: named,
  run: (input, context) => rotateIntegrationSigningKey(context, input),
  payload: (t) => ({
    ...payload(t),
    signingKey: t.exposeString("signingKey", { description: "The key: `whsec_` and 32 bytes in base64." }),
  }),
});
