// The GraphQL fields that return integrations, their installations, the events of these, and drawn blocks.
import {
  namePattern,
  checkBlockDomains,
  checkIntegrationName,
} from "#src/features/integrations/model/manifest/names.ts";
import {
  integrations,
  integrationsOfOrganization,
  listedIntegrations,
  versionsOfIntegration,
  anyOfIntegration,
  eventsOfInstallation,
  eventsOfIntegration,
} from "#src/features/integrations/reads.ts";
import {
  Integration,
  IntegrationVersion,
  IntegrationCategory,
  IntegrationScope,
  IntegrationTarget,
} from "#src/features/integrations/type/integration.ts";
import { organizations, publishers } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import { users, namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";
import { projectionOf } from "#src/graph/run/selection.ts";
import {
  installations,
  installationsOfIntegration,
  installationsOfOrganization,
  integrationsOfSite,
  integrationsOfSpace,
  sitesOfInstallation,
  sitesOfIntegration,
  spacesOfInstallation,
  spacesOfIntegration,
} from "#src/features/integrations/reads/installations.ts";
import {
  IntegrationInstallation,
  IntegrationSite,
  IntegrationSpace,
} from "#src/features/integrations/type/installation.ts";
import { sites } from "#src/features/sites/reads.ts";
import { Site } from "#src/features/sites/type/site.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import {
  IntegrationEvent,
  IntegrationEventStatus,
  IntegrationEventType,
  RenderedIntegrationBlock,
} from "#src/features/integrations/type/runs.ts";
import { renderBlock, renderCompressed, unfurlLink } from "#src/features/integrations/commands/runs/draw-block.ts";
import { actionForm } from "#src/features/integrations/model/runs/block-request.ts";

const named = { required: true, extensions: limited({ pattern: namePattern }) } as const;

const nobody = "null if unknown, and if you share no organization with them.";

const filters = builder.args((t) => ({
  search: t.string({
    description:
      "Only integrations whose name contains this text, case-insensitive. Matches are searched in the order of the list.",
  }),
  category: t.field({ type: IntegrationCategory, description: "Only integrations of this category." }),
  blockDomains: t.stringList({
    extensions: limited({ items: { type: "string", pattern: namePattern } }),
    description: "Only integrations with a block for addresses of one of these hosts. INVALID_INPUT for invalid hosts.",
  }),
  hasBlocks: t.boolean({ description: "True lists only integrations with blocks, false only those without." }),
  hasContentSources: t.boolean({
    description: "True lists only integrations with content sources, false only those without.",
  }),
  scope: t.field({ type: IntegrationScope, description: "Only integrations that request this scope." }),
  target: t.field({ type: IntegrationTarget, description: "Only integrations with this target." }),
}));

function checked<Filter extends { readonly blockDomains?: readonly string[] | null | undefined }>(filter: Filter) {
  const { blockDomains } = filter;
  return { ...filter, blockDomains: blockDomains && checkBlockDomains(blockDomains) };
}

builder.queryFields((t) => ({
  integration: t.pick(
    listedIntegrations,
    "An integration by its name. INVALID_INPUT if the name is not valid. NOT_FOUND if no integration with this name is visible to you.",
    {
      args: builder.args((t) => ({ name: t.string({ ...named, description: "Name of the integration." }) })),
      key: ({ name }) => ({ name: checkIntegrationName(name) }),
    },
  ),
  integrations: t.list(
    listedIntegrations,
    "The integrations that are listed for the viewer, by name: public ones, and all of their organizations.",
    {
      args: {
        ...filters,
        organizationId: t.arg.id({ description: "Only integrations published by the organization with this id." }),
      },
      filter: checked,
    },
  ),
}));

const ofInstallations = {
  args: builder.args((t) => ({
    externalId: t.string({ description: "Only installations with this external id." }),
  })),
};

const ofEvents = {
  args: builder.args((t) => ({
    status: t.field({ type: IntegrationEventStatus, description: "Only events with this status." }),
    type: t.field({ type: IntegrationEventType, description: "Only events of this type." }),
  })),
};

const seen = "newest first, in the organizations of the viewer";

builder.prismaObjectFields(Integration, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The publishing organization; null for outsiders."),
  publisher: t.field({
    type: OrganizationProfile,
    description: "The public profile of the publishing organization, for everybody who sees the integration.",
    select: { organizationId: true },
    resolve: ({ organizationId }, _args, { reader }, info) =>
      reader.found(publishers, organizationId, projectionOf(info)),
  }),
  versions: t.list(versionsOfIntegration, "All its published versions, latest first."),
  createdBy: t.rowOrNull(users, "createdById", `The user who first published it; ${nobody}`),
  installations: t.list(installationsOfIntegration, `Its installations, ${seen}.`, ofInstallations),
  installation: t.pick(
    installationsOfIntegration,
    "One of these installations by its id. NOT_FOUND if no installation with this id is visible to you.",
  ),
  spaces: t.list(spacesOfIntegration, `Its installations on spaces, ${seen}.`, ofInstallations),
  sites: t.list(sitesOfIntegration, `Its installations on sites, ${seen}.`, ofInstallations),
  events: t.list(
    eventsOfIntegration,
    "The events sent to its installations in the organizations that the viewer administers, newest first.",
    ofEvents,
  ),
  event: t.pick(
    anyOfIntegration,
    "One of these events by its id. NOT_FOUND if no event with this id is visible to you.",
  ),
}));

builder.prismaObjectFields(IntegrationVersion, (t) => ({
  integration: t.row(integrations, "integrationId", "The integration in its current state."),
  createdBy: t.rowOrNull(users, "createdById", `The user who published it; ${nobody}`),
}));

builder.prismaObjectFields(Organization, (t) => ({
  integrations: t.list(
    integrationsOfOrganization,
    "The integrations that it publishes, by name. FORBIDDEN for guests.",
    { args: filters, filter: checked },
  ),
  installations: t.list(
    installationsOfOrganization,
    "The integrations that are installed in it, newest first. FORBIDDEN for guests.",
    ofInstallations,
  ),
}));

const integration = "The integration; null if you can no longer see it.";

builder.prismaObjectFields(IntegrationInstallation, (t) => ({
  integration: t.rowOrNull(integrations, "integrationId", integration),
  organization: t.row(organizations, "organizationId", "The organization."),
  spaces: t.list(spacesOfInstallation, "Its installations on spaces, newest first.", ofInstallations),
  sites: t.list(sitesOfInstallation, "Its installations on sites, newest first.", ofInstallations),
  onSpace: t.pick(spacesOfInstallation, "Its installation on a space. NOT_FOUND if you cannot see it there.", {
    args: { spaceId: t.arg.id({ required: true, description: "Id of the space." }) },
    key: ({ spaceId }) => ({ spaceId }),
  }),
  onSite: t.pick(sitesOfInstallation, "Its installation on a site. NOT_FOUND if you cannot see it there.", {
    args: { siteId: t.arg.id({ required: true, description: "Id of the site." }) },
    key: ({ siteId }) => ({ siteId }),
  }),
  createdBy: t.rowOrNull(namedUsers, "createdById", "The user who installed it; null if the user was deleted."),
  events: t.list(
    eventsOfInstallation,
    "The events sent to it, newest first. Empty unless you administer the organization.",
    ofEvents,
  ),
}));

builder.prismaObjectFields(IntegrationSpace, (t) => ({
  installation: t.row(installations, "installationId", "The installation in the organization."),
  space: t.row(spaces, "spaceId", "The space."),
}));

builder.prismaObjectFields(IntegrationSite, (t) => ({
  installation: t.row(installations, "installationId", "The installation in the organization."),
  site: t.row(sites, "siteId", "The site."),
}));

builder.prismaObjectFields(IntegrationEvent, (t) => ({
  integration: t.rowOrNull(integrations, "integrationId", integration),
  installation: t.row(installations, "installationId", "The installation."),
}));

const installed = "The installations on it, newest first; for members of its organization.";

builder.prismaObjectField(Site, "integrations", (t) => t.list(integrationsOfSite, installed, ofInstallations));

builder.prismaObjectFields(Space, (t) => ({
  integrations: t.list(integrationsOfSpace, installed, ofInstallations),
  unfurledLink: t.field({
    type: RenderedIntegrationBlock,
    nullable: true,
    description:
      "Draws the block of a link by an integration on the space with a block whose `urlUnfurl` matches the address; null without a match. " +
      "INVALID_INPUT if the address is not valid. INTEGRATION_FAILED if its script fails.",
    args: { url: t.arg.string({ required: true, description: "The address." }) },
    select: { id: true },
    resolve: ({ id }, { url }, context) => unfurlLink(context, id, url),
  }),
}));

const refusals =
  "INVALID_INPUT, with the path, if the request is not valid, and for more than 20 blocks in an operation. NOT_FOUND if you may not see " +
  "the place, or the integration is not installed there, is paused, or does not have the component. INTEGRATION_FAILED, with the reason for admins of the " +
  "organization, if its script fails.";

const object = { extensions: limited({ type: "object", additionalProperties: true }) };

builder.queryField("renderIntegration", (t) =>
  t.field({
    type: RenderedIntegrationBlock,
    nullable: true,
    description: `Draws a block of an integration by a request in the compressed form of /v1. ${refusals}`,
    args: {
      integrationName: t.arg.string({ ...named, description: "Name of the integration." }),
      request: t.arg.string({
        required: true,
        description:
          "The request as JSON (`componentId`, `props`, and optionally `state` and `action`, and `context` with `spaceId`, `siteId` or `organizationId`), " +
          "compressed by LZ-string `compressToEncodedURIComponent` to at most 8,000 characters.",
      }),
    },
    resolve: (_root, args, context) => renderCompressed(context, args),
  }),
);

builder.queryField("renderIntegrationBlock", (t) =>
  t.field({
    type: RenderedIntegrationBlock,
    nullable: true,
    description: `Draws a block of an integration. ${refusals}`,
    args: {
      integrationName: t.arg.string({ ...named, description: "Name of the integration." }),
      componentId: t.arg.string({ required: true, description: "Id of the component, such as the id of a block." }),
      props: t.arg({ type: "JSON", ...object, description: "Its properties, as an object." }),
      state: t.arg({ type: "JSON", ...object, description: "Its state, as returned by the previous response." }),
      context: t.arg({
        type: "JSON",
        required: true,
        ...object,
        description:
          "The place of the block: `spaceId`, `siteId` or `organizationId`, of which the narrowest decides, and further data for its script.",
      }),
      action: t.arg({
        type: "JSON",
        extensions: limited(actionForm),
        description: "The action of its reader: an object with its name as `action`.",
      }),
    },
    resolve: (_root, args, context) => renderBlock(context, args),
  }),
);
