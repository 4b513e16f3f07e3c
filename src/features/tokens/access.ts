// Who may do what with API tokens: everybody with their own, nobody with those of others.
import type { Action } from "#src/domain/change.ts";

interface Owned {
  readonly userId: string;
}

export const mayCreateApiToken: Action<Owned> = {
  name: "apiToken.create",
  isAllowed: ({ viewer }, { userId }) => viewer.userId === userId,
  refusal: "You may create API tokens for yourself only.",
};

export const mayRevokeApiToken: Action<Owned> = {
  name: "apiToken.revoke",
  isAllowed: ({ viewer }, { userId }) => viewer.userId === userId,
  refusal: "You may revoke your own API tokens only.",
};
