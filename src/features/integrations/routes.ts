// The /v1 operations on integrations and on events of installations (spec 2, sections 4.11 and 6).
import { organizationFields } from "#src/features/organizations/routes.ts";
import { defineAdditions, defineRoutes } from "#src/rest/route.ts";

export const tag = { name: "integrations", description: "Integrations, installations, events and development mode." };

export const integration = "/v1/integrations/{integrationName}";
const named = { name: "integrationName" };

const renderedFields =
  "fragment RenderedIntegrationBlockFields on RenderedIntegrationBlock { type element props state }";

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
      search: "Only integrations whose name contains this text, case-insensitive.",
      category: "Only integrations of this category.",
      blockDomain: "Only integrations with a block for addresses of one of these hosts; repeat it for several.",
      blocks: "True lists only integrations with blocks, false only those without.",
      contentSources: "True lists only integrations with content sources, false only those without.",
      owner: "Only integrations published by the organization with this id.",
      scope: "Only integrations that request this scope.",
      target: "Only integrations with this target.",
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
    summary: "Publish an integration, or a new version of it",
    named: { ...named, policy: "contentSecurityPolicy" },
    body: {
      runtime: { description: "Runtime; v1 by default.", notNull: true },
      icon: {
        description: "Icon: a PNG, JPEG, WebP or plain SVG in base64. It stays if absent.",
        notNull: true,
      },
      title: "Title, 1 to 128 characters.",
      description: { description: "Short description.", notNull: true },
      summary: { description: "Long description in Markdown.", notNull: true },
      previewImages: {
        description: "Preview images in the formats of the icon, at most 8. They stay if absent.",
        notNull: true,
      },
      visibility: { description: "Visibility; private by default.", notNull: true },
      target: { description: "Where it can be installed; all by default.", notNull: true },
      scopes: { description: "Requested scopes.", notNull: true },
      categories: { description: "Categories.", notNull: true },
      blocks: { description: "Blocks that it adds to the editor, each with a unique id.", notNull: true },
      contentSources: { description: "Content sources that it offers, each with a unique id.", notNull: true },
      externalLinks: { description: "Links to pages about it.", notNull: true },
      configurations: { description: "Declared settings of its installations.", notNull: true },
      script: "Script: a JavaScript module of at most 1 MB.",
      organization: "Id, hostname or subdomain of the publishing organization.",
      secrets: { description: "Secrets of its script by name. They stay if absent.", notNull: true },
      contentSecurityPolicy: {
        description: "Content security policy of the responses of its script: a text, or an object of directives.",
        notNull: true,
      },
    },
    variables: ["$script: String!"],
    given: { code: "{ script: $script }", contentSecurityPolicy: "null" },
    bodyLimit: 16_000_000,
    conflict: "The name belongs to another organization, or the organization has too many.",
    answer: ["publishIntegration", "integration"],
    fields: integrationFields,
  },
  deleteIntegration: {
    request: `DELETE ${integration}`,
    summary: "Delete an integration and all its installations",
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
    fields: renderedFields,
  },
  setIntegrationDevMode: {
    request: `PUT ${integration}/dev`,
    summary: "Send the events of an integration to a tunnel",
    named,
    body: {
      tunnelUrl: "Address that receives the events.",
      all: {
        description:
          "Whether it receives the events of all organizations that allow it, not only of the publishing one.",
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

export const integrationAdditions = defineAdditions(() => tag, {
  renderIntegrationUIWithPost: {
    request: `POST ${integration}/render`,
    summary: "Draw a block of an integration by a request without a limit of an address",
    named,
    body: {
      componentId: "Id of the component, such as the id of a block.",
      props: { description: "Its properties.", notNull: true },
      state: { description: "Its state, as returned by the previous response.", notNull: true },
      context: "The place: `spaceId`, `siteId` or `organizationId`, and further data for the script.",
      action: { description: "The action of its reader.", notNull: true },
    },
    answer: ["renderIntegrationBlock"],
    fields: renderedFields,
  },
  listOrganizationIntegrations: {
    request: "GET /v1/orgs/{organizationId}/integrations",
    summary: "List the integrations that an organization publishes",
    list: true,
    answer: ["organization", "integrations"],
    fields: integrationFields,
  },
});
