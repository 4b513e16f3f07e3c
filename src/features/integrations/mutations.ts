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
  id: t.string({ required: true, description: "Id, unique in the integration, 1 to 100 characters." }),
  title: t.string({ description: "Title, 1 to 128 characters." }),
  description: t.string({ description: "Description, at most 1024 characters." }),
  icon: t.string({ description: "Icon, at most 100 characters." }),
});

const IntegrationCodeInput = builder.inputType("IntegrationCodeInput", {
  description: "The receiver of an integration's events: set exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    script: t.string({ description: "Script: a JavaScript module of at most 1 MB." }),
    webhookUrl: t.string({
      extensions: limited({ format: "uri", maxLength: 2048 }),
      description: "Address that receives the events by POST, signed by the Standard Webhooks scheme.",
    }),
  }),
});

const IntegrationBlockMarkdownInput = builder.inputType("IntegrationBlockMarkdownInput", {
  description: "The form of a block in Markdown.",
  fields: (t) => ({
    codeblock: t.string({ description: "The language of the fenced code that becomes the block." }),
    body: t.string({ description: "The property of the block that receives the text of the fenced code." }),
  }),
});

const IntegrationBlockInput = builder.inputType("IntegrationBlockInput", {
  description: "A block that an integration adds to the editor.",
  fields: (t) => ({
    ...described(t),
    urlUnfurl: t.stringList({
      description:
        "Prefixes of addresses that turn into this block, such as `https://tides.example.com/ports/`; a host may begin with `*.`.",
    }),
    markdown: t.field({ type: IntegrationBlockMarkdownInput, description: "Its form in Markdown." }),
  }),
});

const IntegrationContentSourceConfigurationInput = builder.inputType("IntegrationContentSourceConfigurationInput", {
  description: "The setup of a content source.",
  fields: (t) => ({
    componentId: t.string({ required: true, description: "Id of the component that renders its settings." }),
  }),
});

const IntegrationContentSourceInput = builder.inputType("IntegrationContentSourceInput", {
  description: "A content source that an integration offers.",
  fields: (t) => ({
    ...described(t),
    configuration: t.field({ type: IntegrationContentSourceConfigurationInput, description: "Its setup." }),
  }),
});

const IntegrationExternalLinkInput = builder.inputType("IntegrationExternalLinkInput", {
  description: "A link to a page about an integration.",
  fields: (t) => ({
    url: t.string({ required: true, extensions: limited({ format: "uri" }), description: "Address of the page." }),
    label: t.string({ required: true, description: "Text of the link, 1 to 128 characters." }),
  }),
});

const name = {
  required: true,
  extensions: limited({ pattern: namePattern }),
  description: "Name: at most 100 letters, digits, -, _ and . characters.",
} as const;

const named = (t: InputFields) => ({ integrationName: t.string(name) });

const rights = "For admins of the publishing organization.";
const payload = rowPayload("integration", integrations, "The integration.");
const base64 = limited({ contentEncoding: "base64" });
const image = "a PNG, a JPEG, a WebP or a plain SVG, in base64";

/** The form in the contract, beside which an object of directives is taken. */
const policyForm = { type: "string" };

const manifest = (t: InputFields) => ({
  title: t.string({ required: true, description: "Title, 1 to 128 characters." }),
  description: t.string({ description: "Short description, at most 1024 characters." }),
  summary: t.string({ description: "Long description in Markdown, at most 100,000 characters." }),
  runtime: t.field({
    type: IntegrationRuntime,
    extensions: limited({ default: "v1" }),
    description: "Runtime; V1 by default.",
  }),
  visibility: t.field({
    type: IntegrationVisibility,
    extensions: limited({ default: "private" }),
    description: "Visibility; PRIVATE by default.",
  }),
  target: t.field({
    type: IntegrationTarget,
    extensions: limited({ default: "all" }),
    description: "Where it can be installed; ALL by default.",
  }),
  scopes: t.field({ type: [IntegrationScope], description: "Requested scopes." }),
  categories: t.field({ type: [IntegrationCategory], description: "Categories." }),
  blocks: t.field({
    type: [IntegrationBlockInput],
    description: "Blocks that it adds to the editor, at most 100.",
  }),
  contentSources: t.field({
    type: [IntegrationContentSourceInput],
    description: "Content sources that it offers, at most 100.",
  }),
  externalLinks: t.field({ type: [IntegrationExternalLinkInput], description: "Links to pages about it, at most 20." }),
  configurations: t.field({
    type: "JSON",
    extensions: limited(configurationsForm),
    description:
      "Declared settings of its installations: for the organization (`account`), each space and each site, " +
      "each with its `properties` by name, and the names of those that are `required`.",
  }),
  contentSecurityPolicy: t.string({
    description: "Content security policy of the responses of its script, at most 4000 characters without commas.",
  }),
  policy: t.field({
    type: "JSON",
    extensions: limited(policyForm),
    description: "The policy as a text, or as an object of directives, in place of `contentSecurityPolicy`.",
  }),
});

defineMutation({
  name: "publishIntegration",
  description:
    "Publishes an integration under a name, or a new version of it. Each publication creates a version, which replaces everything published " +
    "before; only secrets, icon and preview images stay if absent. Installations run the latest version of their runtime, unless one is pinned. " +
    "Terms of a version beyond those that an organization agreed to (scopes, policy, blocks, target) do not apply there until an admin agrees; scopes it no longer requests end at once. " +
    "CONFLICT if an integration of another organization has the name, if the organization has 100 integrations, or if the gateway has no `SECRETS_KEY` " +
    "to encrypt secrets with. For admins of the organization.",
  input: (t) => ({
    name: t.string(name),
    organizationId: t.id({
      required: true,
      description: "Id of the publishing organization, or its subdomain: the first part of its hostname.",
    }),
    ...manifest(t),
    code: t.field({ type: IntegrationCodeInput, required: true, description: "Receiver of its events." }),
    secrets: t.field({
      type: "JSON",
      extensions: limited({ type: "object", additionalProperties: { type: "string" } }),
      description:
        "Secrets of its script, strings by name: stored encrypted, never returned, readable only by its script. They stay if absent; an empty object removes them.",
    }),
    icon: t.string({
      extensions: base64,
      description: `Icon: ${image}, at most 256 KB. It stays if absent; null removes it.`,
    }),
    previewImages: t.stringList({
      extensions: limited({ items: { type: "string", contentEncoding: "base64" } }),
      description: `Preview images, at most 8: each ${image}, at most 1 MB. They stay if absent.`,
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
        "The key (`whsec_...`) that signs requests to `webhookUrl`, if this publication created it: returned in this response only. Null otherwise.",
    }),
  }),
});

defineMutation({
  name: "deleteIntegration",
  description: `Deletes an integration with its versions and all its installations. ${rights}`,
  input: named,
  run: (input, context) => deleteIntegration(context, input),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The organization that published it; null if it did not exist.",
    ),
  }),
});

defineMutation({
  name: "setIntegrationDevMode",
  description: `Sends the events of an integration to a tunnel instead of its script or address. ${rights}`,
  input: (t) => ({
    ...named(t),
    tunnelUrl: t.string({
      required: true,
      extensions: limited({ format: "uri" }),
      description: "Address that receives the events by signed POST requests.",
    }),
    all: t.boolean({
      extensions: limited({ default: false }),
      description: "Whether it receives the events of all organizations that allow it, not only of the publishing one.",
    }),
  }),
  run: (input, context) => setIntegrationDevMode(context, input),
  payload: (t) => ({
    ...payload(t),
    signingKey: t.exposeString("signingKey", {
      nullable: true,
      description:
        "The key (`whsec_...`) that signs these requests, if it was created now: returned in this response only. Null otherwise.",
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
  description: `Replaces the key that signs requests to the address or tunnel of an integration, and returns it in this response only. The former key stops working. ${rights}`,
  input: named,
  run: (input, context) => rotateIntegrationSigningKey(context, input),
  payload: (t) => ({
    ...payload(t),
    signingKey: t.exposeString("signingKey", { description: "The key: `whsec_` and 32 bytes in base64." }),
  }),
});
