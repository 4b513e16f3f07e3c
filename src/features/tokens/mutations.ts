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
  description: "Creates an API token for the viewer. Its text is returned in this response only.",
  input: (t) => ({
    name: t.string({ required: true, description: "Purpose, 1 to 100 characters." }),
    scope: t.field({
      type: TokenScope,
      description: "Which rights of the viewer it has; all by default.",
    }),
    organizationId: t.id({
      description: "Id of the only organization it is valid for; by default all organizations of the viewer.",
    }),
    expiresAt: t.field({ type: "DateTime", description: "When it expires; never by default." }),
  }),
  run: (input, context) => createApiToken(context, input),
  payload: (t) => ({ ...text(t), ...newToken(t) }),
});

defineMutation({
  name: "createServiceToken",
  reach: "access",
  description:
    "Creates an API token that an organization owns, for services. It acts as itself, with only a role in the organization. Its text is returned in this response only. For admins of the organization.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    name: t.string({ required: true, description: "Purpose, 1 to 100 characters." }),
    role: t.field({ type: Role, required: true, description: "Its role in the organization." }),
    scope: t.field({ type: TokenScope, description: "Which rights of its role it has; all by default." }),
    expiresAt: t.field({ type: "DateTime", description: "When it expires; never by default." }),
  }),
  run: (input, context) => createServiceToken(context, input),
  payload: (t) => ({ ...text(t), ...newServiceToken(t) }),
});

defineMutation({
  name: "rotateApiToken",
  reach: "access",
  description:
    "Replaces a token by a new one with the same name and limits; the old one ends after an overlap. The text of the new one is returned in this response only. A session renews the lifetime of the old token, a token only up to its own end. CONFLICT if the token has ended, FORBIDDEN if it opens an organization that is closed to the viewer, or if the calling token ends before it.",
  input: (t) => ({
    apiTokenId: t.id({ required: true, description: "Id of the old token." }),
    overlapSeconds: t.int({
      description: "How long the old token stays valid, 0 to 604800 seconds; an hour by default.",
    }),
  }),
  run: (input, context) => rotateApiToken(context, input),
  payload: (t) => ({ ...text(t), ...newToken(t) }),
});

defineMutation({
  name: "revokeApiToken",
  reach: "access",
  description: "Revokes an API token at once: one of the viewer, or of an organization that the viewer administers.",
  input: (t) => ({ apiTokenId: t.id({ required: true, description: "Id of the token." }) }),
  run: ({ apiTokenId }, context) => revokeApiToken(context, apiTokenId),
  payload: rowPayload("apiToken", tokens, "The revoked token."),
});
