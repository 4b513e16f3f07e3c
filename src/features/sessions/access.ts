// Rights on sessions: everybody may end their own.
import { actionsOn } from "#src/domain/change.ts";

const onSession = actionsOn((viewer, { userId }: { readonly userId: string }) => ({ own: viewer.userId === userId }));

export const mayRevokeSession = onSession("own", "session.revoke", "You may only end your own sessions.");
