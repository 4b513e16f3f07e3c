// The schema: every feature loaded, then built once.
import { GraphQLSchema } from "graphql";
import "#src/features/index.ts";
import "#src/graph/schema/fields.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineEventKinds } from "#src/graph/schema/events.ts";
import { DeferDirective, StreamDirective } from "#src/graph/run/incremental/directives.ts";
import { closeToVisitors } from "#src/graph/run/visitors.ts";

builder.queryType({ description: "Everything that can be read." });
builder.mutationType({ description: "Everything that can be changed." });

builder.subscriptionType({ description: "Everything that is sent as it happens: by WebSocket or server-sent events." });

defineEventKinds();

// That it is valid is tested: to look again, type by type, would take a tenth of each start.
const { directives, ...config } = builder.toSchema().toConfig();
export const schema = closeToVisitors(
  new GraphQLSchema({ ...config, directives: [...directives, DeferDirective, StreamDirective], assumeValid: true }),
);
