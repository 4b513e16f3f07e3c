// Mutations on API tokens.
import { createApiToken, revokeApiToken } from "#src/features/tokens/commands.ts";
import { tokens, tokensOfViewer } from "#src/features/tokens/reads.ts";
import { createdPayload, defineMutation, rowPayload } from "#src/graph/mutations.ts";
import { renamed } from "#src/graph/renamed.ts";

const newToken = createdPayload("apiToken", tokensOfViewer, {
  description: "The new token, without its text.",
  in: "Query.apiTokens",
});

defineMutation({
  name: "createApiToken",
  description: "Creates an API token for the viewer. The text is shown in this answer only.",
  input: (t) => ({
    name: t.string({ required: true, description: "What it is for, 1 to 100 characters." }),
    expiresAt: t.field({ type: "DateTime", description: "When it expires; never when left out." }),
  }),
  run: (input, context) => createApiToken(context, input),
  payload: (t) => ({
    token: t.exposeString("token", { description: "The token, to send as `Authorization: Bearer <token>`." }),
    ...newToken(t),
  }),
});

defineMutation({
  name: "revokeApiToken",
  description: "Ends an API token of the viewer's at once.",
  input: (t) =>
    renamed("apiTokenId", "id", (naming) => t.id({ required: true, description: "Id of the token.", ...naming })),
  run: ({ apiTokenId }, context) => revokeApiToken(context, apiTokenId),
  payload: rowPayload("apiToken", tokens, "The revoked token."),
});
