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

const nobody = "null when that is not known, and for those who share no organization with them.";

const filters = builder.args((t) => ({
  search: t.string({
    description:
      "Only those whose name contains this text, in any letter case; the list is looked through in its order.",
  }),
  category: t.field({ type: IntegrationCategory, description: "Only those of this category." }),
  blockDomains: t.stringList({
    extensions: limited({ items: { type: "string", pattern: namePattern } }),
    description: "Only those with a block for addresses of one of these hosts. INVALID_INPUT for what is no host.",
  }),
  hasBlocks: t.boolean({ description: "True lists only those with blocks, false only those without." }),
  hasContentSources: t.boolean({
    description: "True lists only those with content sources, false only those without.",
  }),
  scope: t.field({ type: IntegrationScope, description: "Only those that ask for this scope." }),
  target: t.field({ type: IntegrationTarget, description: "Only those with this target." }),
}));

function checked<Filter extends { readonly blockDomains?: readonly string[] | null | undefined }>(filter: Filter) {
  const { blockDomains } = filter;
  return { ...filter, blockDomains: blockDomains && checkBlockDomains(blockDomains) };
}

builder.queryFields((t) => ({
  integration: t.pick(
    listedIntegrations,
    "The integration of a name. INVALID_INPUT for what cannot be a name. NOT_FOUND when there is none that the viewer may see.",
    {
      args: builder.args((t) => ({ name: t.string({ ...named, description: "Its name." }) })),
      key: ({ name }) => ({ name: checkIntegrationName(name) }),
    },
  ),
  integrations: t.list(
    listedIntegrations,
    "The integrations that the viewer finds, by name: public ones, and all of the organizations that they are members of.",
    {
      args: {
        ...filters,
        organizationId: t.arg.id({ description: "Only those that the organization of this id publishes." }),
      },
      filter: checked,
    },
  ),
}));

const ofInstallations = {
  args: builder.args((t) => ({
    externalId: t.string({ description: "Only what another service knows by this name." }),
  })),
};

const ofEvents = {
  args: builder.args((t) => ({
    status: t.field({ type: IntegrationEventStatus, description: "Only those of which this came." }),
    type: t.field({ type: IntegrationEventType, description: "Only those that say this." }),
  })),
};

const seen = "newest first, of those in the organizations that the viewer is a member of";

builder.prismaObjectFields(Integration, (t) => ({
  organization: t.rowOrNull(
    organizations,
    "organizationId",
    "The organization that publishes it; null for those outside it.",
  ),
  publisher: t.field({
    type: OrganizationProfile,
    description: "The organization that publishes it, as everybody who sees the integration is shown it.",
    select: { organizationId: true },
    resolve: ({ organizationId }, _args, { reader }, info) =>
      reader.found(publishers, organizationId, projectionOf(info)),
  }),
  versions: t.list(versionsOfIntegration, "All that was published of it, the latest first."),
  createdBy: t.rowOrNull(users, "createdById", `Who published it first; ${nobody}`),
  installations: t.list(installationsOfIntegration, `Its installations, ${seen}.`, ofInstallations),
  spaces: t.list(spacesOfIntegration, `Its installations on spaces, ${seen}.`, ofInstallations),
  sites: t.list(sitesOfIntegration, `Its installations on sites, ${seen}.`, ofInstallations),
  events: t.list(
    eventsOfIntegration,
    "The events sent to its installations in the organizations that the viewer administers, newest first.",
    ofEvents,
  ),
  event: t.pick(anyOfIntegration, "One of these events. NOT_FOUND if the viewer sees none with this id."),
}));

builder.prismaObjectFields(IntegrationVersion, (t) => ({
  integration: t.row(integrations, "integrationId", "The integration, as it is now."),
  createdBy: t.rowOrNull(users, "createdById", `Who published it; ${nobody}`),
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

const integration = "The integration; null where the viewer may not see it any more.";

builder.prismaObjectFields(IntegrationInstallation, (t) => ({
  integration: t.rowOrNull(integrations, "integrationId", integration),
  organization: t.row(organizations, "organizationId", "The organization."),
  spaces: t.list(spacesOfInstallation, "On which spaces it is, newest first.", ofInstallations),
  sites: t.list(sitesOfInstallation, "On which sites it is, newest first.", ofInstallations),
  createdBy: t.rowOrNull(namedUsers, "createdById", "Who installed it; null when the user is gone."),
  events: t.list(
    eventsOfInstallation,
    "The events sent to it, newest first. Empty for all but admins of the organization.",
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

const installed = "The integrations that are installed on it, newest first; for members of its organization.";

builder.prismaObjectField(Site, "integrations", (t) => t.list(integrationsOfSite, installed, ofInstallations));

builder.prismaObjectFields(Space, (t) => ({
  integrations: t.list(integrationsOfSpace, installed, ofInstallations),
  unfurledLink: t.field({
    type: RenderedIntegrationBlock,
    nullable: true,
    description:
      "The block that a link becomes, drawn now: by an integration on the space with a block whose `urlUnfurl` matches the address; null for none. " +
      "INVALID_INPUT if the address is not valid. INTEGRATION_FAILED where its script fails.",
    args: { url: t.arg.string({ required: true, description: "The address." }) },
    select: { id: true },
    resolve: ({ id }, { url }, context) => unfurlLink(context, id, url),
  }),
}));

const refusals =
  "INVALID_INPUT with the place of what is wrong with the request, and for more than 20 blocks in an operation. NOT_FOUND where the viewer does not see " +
  "the place, the integration is not installed there or paused, or draws no such component. INTEGRATION_FAILED, with the reason for admins of the " +
  "organization, where its script fails.";

const object = { extensions: limited({ type: "object", additionalProperties: true }) };

builder.queryField("renderIntegration", (t) =>
  t.field({
    type: RenderedIntegrationBlock,
    nullable: true,
    description: `A block of an integration, drawn now; asked for in the compressed form of /v1. ${refusals}`,
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
    description: `A block of an integration, drawn now. ${refusals}`,
    args: {
      integrationName: t.arg.string({ ...named, description: "Name of the integration." }),
      componentId: t.arg.string({ required: true, description: "Which of its components, such as the id of a block." }),
      props: t.arg({ type: "JSON", ...object, description: "Its properties, as an object." }),
      state: t.arg({ type: "JSON", ...object, description: "Its state, as it was answered before." }),
      context: t.arg({
        type: "JSON",
        required: true,
        ...object,
        description:
          "Where it is drawn: `spaceId`, `siteId` or `organizationId`, the narrowest of which decides; beside them whatever its script is to know.",
      }),
      action: t.arg({
        type: "JSON",
        extensions: limited(actionForm),
        description: "What its reader has done: an object with the name as `action`.",
      }),
    },
    resolve: (_root, args, context) => renderBlock(context, args),
  }),
);
