// Where blocks of integrations are asked for as they are drawn.
import { renderBlock, renderCompressed, unfurlLink } from "#src/features/integrations/commands/runs/render.ts";
import { namePattern } from "#src/features/integrations/model/manifest/names.ts";
import { actionForm } from "#src/features/integrations/model/runs/block-request.ts";
import { RenderedIntegrationBlock } from "#src/features/integrations/type/drawn.ts";
import { Space } from "#src/features/spaces/type.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited } from "#src/graph/schema/rest-forms.ts";

const integrationName = builder.args((t) => ({
  integrationName: t.string({
    required: true,
    extensions: limited({ pattern: namePattern }),
    description: "Name of the integration.",
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
      ...integrationName,
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
      ...integrationName,
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

builder.prismaObjectField(Space, "unfurledLink", (t) =>
  t.field({
    type: RenderedIntegrationBlock,
    nullable: true,
    description:
      "The block that a link becomes, drawn now: by an integration on the space with a block whose `urlUnfurl` matches the address; null for none. " +
      "INVALID_INPUT for what is no address. INTEGRATION_FAILED where its script fails.",
    args: { url: t.arg.string({ required: true, description: "The address." }) },
    select: { id: true },
    resolve: ({ id }, { url }, context) => unfurlLink(context, id, url),
  }),
);
