// Mutations on sessions.
import { revokeSession } from "#src/features/sessions/commands/sessions.ts";
import { sessions } from "#src/features/sessions/reads.ts";
import { defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "revokeSession",
  reach: "access",
  description: "Signs the viewer out of one of their sessions at once; what was opened by it ends within a second.",
  input: (t) => ({ sessionId: t.id({ required: true, description: "Id of the session." }) }),
  run: ({ sessionId }, context) => revokeSession(context, sessionId),
  payload: rowPayload("session", sessions, "The session, which has ended."),
});
