// The schema: every feature loaded, then built once.
import "#src/features/index.ts";
import "#src/graph/fields.ts";
import { builder } from "#src/graph/builder.ts";
import { defineEventKinds } from "#src/graph/events.ts";

builder.queryType({ description: "Everything that can be read." });
builder.mutationType({ description: "Everything that can be changed." });

builder.subscriptionType({ description: "Everything that is sent as it happens: by WebSocket or server-sent events." });

defineEventKinds();

export const schema = builder.toSchema();
