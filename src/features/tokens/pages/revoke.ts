// The form that revokes a token, which the pages of all tokens have.
import { hereOf } from "#src/features/users/views/app-lists.ts";
import { defineForm } from "#src/pages/page.ts";

export const revokeForm = defineForm({
  mutation: `mutation RevokeToken($input: RevokeApiTokenInput!) { revokeApiToken(input: $input) { apiToken { id } } }`,
  variables: (fields) => ({ input: { apiTokenId: fields.get("apiTokenId") } }),
  then: (_answer, asked) => hereOf(asked),
});
