// The schema: loads every feature, then builds it once.
import { GraphQLSchema } from "graphql";
import "#src/features/index.ts";
import "#src/graph/schema/fields.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineEventKinds } from "#src/graph/schema/events.ts";
import { DeferDirective, StreamDirective } from "#src/graph/run/incremental/directives.ts";
import { closeToVisitors } from "#src/graph/run/visitors.ts";

builder.queryType({ description: "Operations that read." });
builder.mutationType({ description: "Operations that change something." });

builder.subscriptionType({
  description: "Operations that deliver changes as they happen, over WebSocket or server-sent events.",
});

defineEventKinds();

const description =
  "The API of docgraph, a documentation platform: organizations with spaces, whose content changes by change requests " +
  "with reviews and is published on sites. Ids are opaque and the same as in /v1. Lists are Relay connections of 50 " +
  "rows by default. Requests need `Authorization: Bearer <token>`, except for fields that are open to visitors. Errors " +
  "have a code in `extensions.code`, listed at /reference/errors.";

// A test validates the schema: validating it again at each start would take a tenth of the start.
const { directives, ...config } = builder.toSchema().toConfig();
export const schema = closeToVisitors(
  new GraphQLSchema({
    ...config,
    description,
    directives: [...directives, DeferDirective, StreamDirective],
    assumeValid: true,
  }),
);
