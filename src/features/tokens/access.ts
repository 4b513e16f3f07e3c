// Who may do what with API tokens: everybody with their own, nobody with those of others.
import { actionsOn } from "#src/domain/change.ts";

const onToken = actionsOn((viewer, { userId }: { readonly userId: string }) => ({ own: viewer.userId === userId }));

export const mayCreateApiToken = onToken("own", "apiToken.create", "You may create API tokens for yourself only.");
export const mayRevokeApiToken = onToken("own", "apiToken.revoke", "You may revoke your own API tokens only.");
