// Mutations on sessions.
import { revokeSession } from "#src/features/sessions/commands/sessions.ts";
import { sessions } from "#src/features/sessions/reads.ts";
import { defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "revokeSession",
  reach: "access",
  description: "Ends a session of the viewer at once; its connections end within a second.",
  input: (t) => ({ sessionId: t.id({ required: true, description: "Id of the session." }) }),
  run: ({ sessionId }, context) => revokeSession(context, sessionId),
  payload: rowPayload("session", sessions, "The session, which has ended."),
});
