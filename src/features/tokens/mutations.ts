// Mutations on API tokens.
import { Role } from "#src/features/organizations/type/enums.ts";
import { createApiToken, createServiceToken, revokeApiToken, rotateApiToken } from "#src/features/tokens/commands.ts";
import { serviceTokensOfOrganization, tokens, tokensOfViewer } from "#src/features/tokens/reads.ts";
import { TokenScope } from "#src/features/tokens/type.ts";
import type { ObjectFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";

const newToken = createdPayload("apiToken", tokensOfViewer, {
  description: "The new token, without its text.",
  in: "Query.apiTokens",
});

const newServiceToken = createdPayload("apiToken", serviceTokensOfOrganization, {
  description: "The new token, without its text.",
  in: "Organization.serviceTokens",
});

const text = (t: ObjectFields<{ id: string; token: string }>) => ({
  token: t.exposeString("token", { description: "The token, to send as `Authorization: Bearer <token>`." }),
});

defineMutation({
  name: "createApiToken",
  reach: "access",
  description: "Creates an API token for the viewer. The text is shown in this answer only.",
  input: (t) => ({
    name: t.string({ required: true, description: "What it is for, 1 to 100 characters." }),
    scope: t.field({
      type: TokenScope,
      description: "What it may do of what the viewer may; everything when left out.",
    }),
    organizationId: t.id({
      description: "Id of the one organization that it is for; for all of the viewer's when left out.",
    }),
    expiresAt: t.field({ type: "DateTime", description: "When it expires; never when left out." }),
  }),
  run: (input, context) => createApiToken(context, input),
  payload: (t) => ({ ...text(t), ...newToken(t) }),
});

defineMutation({
  name: "createServiceToken",
  reach: "access",
  description:
    "Creates an API token that an organization owns, for what works without a person. It acts as itself, with a role there and nothing else. The text is shown in this answer only. For admins of the organization.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    name: t.string({ required: true, description: "What it is for, 1 to 100 characters." }),
    role: t.field({ type: Role, required: true, description: "Its role in the organization." }),
    scope: t.field({ type: TokenScope, description: "What it may do of what its role allows; all when left out." }),
    expiresAt: t.field({ type: "DateTime", description: "When it expires; never when left out." }),
  }),
  run: (input, context) => createServiceToken(context, input),
  payload: (t) => ({ ...text(t), ...newServiceToken(t) }),
});

defineMutation({
  name: "rotateApiToken",
  reach: "access",
  description:
    "Creates a token in place of another one, with the same name and limits; the old one ends after an overlap. The text is shown in this answer only. A session renews the lifetime of the old one, a token up to its own end. CONFLICT for a token that has ended, FORBIDDEN for one that opens an organization which is closed to the viewer, and for a token that ends before the one that it would rotate.",
  input: (t) => ({
    apiTokenId: t.id({ required: true, description: "Id of the old token." }),
    overlapSeconds: t.int({
      description: "How many seconds the old token stays good, 0 to 604800; an hour when left out.",
    }),
  }),
  run: (input, context) => rotateApiToken(context, input),
  payload: (t) => ({ ...text(t), ...newToken(t) }),
});

defineMutation({
  name: "revokeApiToken",
  reach: "access",
  description: "Ends an API token at once: one of the viewer's, or of an organization where they are admin.",
  input: (t) => ({ apiTokenId: t.id({ required: true, description: "Id of the token." }) }),
  run: ({ apiTokenId }, context) => revokeApiToken(context, apiTokenId),
  payload: rowPayload("apiToken", tokens, "The revoked token."),
});
