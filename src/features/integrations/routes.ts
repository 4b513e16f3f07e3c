// The /v1 operations on integrations and on events of installations (spec 2, sections 4.11 and 6).
import { organizationFields } from "#src/features/organizations/routes.ts";
import { defineRoutes } from "#src/rest/route.ts";

export const tag = { name: "integrations", description: "Integrations, installations, events and development mode." };

export const integration = "/v1/integrations/{integrationName}";
const named = { name: "integrationName" };

const integrationFields = `
  fragment IntegrationFields on Integration {
    object name version title description summary previewImages target verified visibility scopes categories
    blocks { id title description icon urlUnfurl markdown { codeblock body } }
    contentSources { id title description icon configuration { componentId } }
    configurations
    externalLinks { url label }
    owner: publisher { ...OrganizationProfileFields ...OrganizationFields }
    urls { location icon app }
    permissions { admin install }
    contentSecurityPolicy
  }
  ${organizationFields}
`;

export const integrationRoutes = defineRoutes(() => tag, {
  listIntegrations: {
    request: "GET /v1/integrations",
    summary: "List integrations",
    list: true,
    query: {
      search: "Only those whose name contains this text, in any letter case.",
      category: "Only those of this category.",
      blockDomain: "Only those with a block for addresses of one of these hosts; repeat it for several.",
      blocks: "True lists only those with blocks, false only those without.",
      contentSources: "True lists only those with content sources, false only those without.",
      owner: "Only those that the organization of this id publishes.",
      scope: "Only those that ask for this scope.",
      target: "Only those with this target.",
    },
    named: {
      organizationId: "owner",
      blockDomains: "blockDomain",
      hasBlocks: "blocks",
      hasContentSources: "contentSources",
    },
    answer: ["integrations"],
    fields: integrationFields,
  },
  getIntegration: {
    request: `GET ${integration}`,
    summary: "Get an integration",
    named,
    answer: ["integration"],
    fields: integrationFields,
  },
  publishIntegration: {
    request: `POST ${integration}`,
    summary: "Publish an integration, for the first time or anew",
    named,
    body: {
      runtime: { description: "What it runs on; v1 when left out.", notNull: true },
      icon: {
        description: "Its icon: a PNG, JPEG, WebP or plain SVG in base64. It stays when left out.",
        notNull: true,
      },
      title: "Title, 1 to 128 characters.",
      description: { description: "What it is, in short.", notNull: true },
      summary: { description: "What it is, as Markdown.", notNull: true },
      previewImages: { description: "Images of it, as the icon, at most 8. They stay when left out.", notNull: true },
      visibility: { description: "Who finds it; private when left out.", notNull: true },
      target: { description: "Where it can be installed; all when left out.", notNull: true },
      scopes: { description: "What it asks to be allowed.", notNull: true },
      categories: { description: "What it is good for.", notNull: true },
      blocks: { description: "The blocks that it adds to the editor, each with an id of its own.", notNull: true },
      contentSources: { description: "The content sources that it offers, each with an id of its own.", notNull: true },
      externalLinks: { description: "Links to pages about it.", notNull: true },
      configurations: { description: "What its installations are asked for.", notNull: true },
      script: "Its script: a module, at most 1 MB.",
      organization: "Id or subdomain of the organization that publishes it.",
      secrets: { description: "Secrets of its script by their names. They stay when left out.", notNull: true },
      contentSecurityPolicy: {
        description: "The policy that goes as a header with what its script answers.",
        notNull: true,
      },
    },
    variables: ["$script: String!"],
    given: { code: "{ script: $script }" },
    bodyLimit: 16_000_000,
    conflict: "The name belongs to another organization, or the organization has too many.",
    answer: ["publishIntegration", "integration"],
    fields: integrationFields,
  },
  deleteIntegration: {
    request: `DELETE ${integration}`,
    summary: "Delete an integration, wherever it is installed",
    named,
    answer: ["deleteIntegration", "deletedId"],
  },
  renderIntegration: {
    request: `GET ${integration}/render`,
    summary: "Draw a block of an integration",
    named,
    query: {
      request:
        "The request as JSON (`componentId`, `props`, `context` with `spaceId`, `siteId` or `organizationId`, and optionally `state` and `action`), " +
        "compressed by LZ-string `compressToEncodedURIComponent`.",
    },
    answer: ["renderIntegration"],
    fields: "fragment RenderedIntegrationBlockFields on RenderedIntegrationBlock { type element props state }",
  },
  setIntegrationDevMode: {
    request: `PUT ${integration}/dev`,
    summary: "Send the events of an integration to a tunnel",
    named,
    body: {
      tunnelUrl: "The address that gets the events.",
      all: {
        description:
          "Whether it gets those of all organizations that allow it, and not only those of the one that publishes it.",
        notNull: true,
      },
    },
    success: 204,
    answer: ["setIntegrationDevMode", "integration"],
    fields: "id",
  },
  disableIntegrationDevMode: {
    request: `DELETE ${integration}/dev`,
    summary: "End the development mode of an integration, whether or not it was on",
    named,
    success: 204,
    answer: ["disableIntegrationDevMode", "integration"],
    fields: "id",
  },
});

const eventFields = `
  fragment IntegrationEventFields on IntegrationEvent {
    id integrationId installationId createdAt payload status
  }
`;

export const integrationEventRoutes = defineRoutes(() => tag, {
  listIntegrationEvents: {
    request: `GET ${integration}/events`,
    summary: "List the events sent to the installations in organizations that the caller administers",
    list: true,
    named: { name: "integrationName" },
    answer: ["integration", "events"],
    fields: eventFields,
  },
  getIntegrationEvent: {
    request: `GET ${integration}/events/{eventId}`,
    summary: "Get an event and its trace",
    named: { name: "integrationName" },
    answer: ["integration"],
    variables: ["$eventId: ID!"],
    fields: `
      fragment IntegrationEventTraceFields on Integration {
        event(id: $eventId) { ...IntegrationEventFields }
        trace: event(id: $eventId) { logs { message timestamp level } }
      }
      ${eventFields}
    `,
  },
});
