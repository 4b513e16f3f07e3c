// The GraphQL type ApiToken.
import { tokens } from "#src/features/tokens/reads.ts";
import { defineNode } from "#src/graph/nodes.ts";

defineNode("ApiToken", tokens, {
  description: "A bearer token of the viewer's. Its text is shown once, when it is created.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "What it is for." }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", nullable: true, description: "When it expires." }),
    lastUsedAt: t.expose("lastUsedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was last used, to the minute.",
    }),
    revokedAt: t.expose("revokedAt", { type: "DateTime", nullable: true, description: "When it was revoked." }),
  }),
});
