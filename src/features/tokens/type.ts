// The GraphQL type ApiToken.
import { type ApiTokenRow, findToken } from "#src/features/tokens/reads.ts";
import { builder, Node } from "#src/graph/builder.ts";
import { connectionOf } from "#src/graph/connections.ts";
import { findNodesBy } from "#src/graph/nodes.ts";

export const ApiToken = builder.objectRef<ApiTokenRow>("ApiToken").implement({
  description: "A bearer token of the viewer's. Its text is shown once, when it is created.",
  interfaces: [Node],
  fields: (t) => ({
    name: t.exposeString("name", { description: "What it is for." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", nullable: true, description: "When it ends by itself." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last used, to the minute.",
    }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true, description: "When it was revoked." }),
  }),
});

export const ApiTokenConnection = connectionOf(ApiToken);

findNodesBy("ApiToken", findToken);
