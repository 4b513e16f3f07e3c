// The schema: every feature loaded, then built once.
import "#src/features/index.ts";
import "#src/graph/nodes.ts";
import { builder } from "#src/graph/builder.ts";

builder.queryType({ description: "Everything that can be read." });
builder.mutationType({ description: "Everything that can be changed." });

export const schema = builder.toSchema();
