// The feature "sessions".
import { sessionEvents } from "#src/access/sessions.ts";
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/sessions/access.ts";
import { signInEmail } from "#src/features/sessions/commands/sign-in-links.ts";
import "#src/features/sessions/mutations.ts";
import "#src/features/sessions/type.ts";
import "#src/features/sessions/subscriptions.ts";
import { sessionHttp } from "#src/features/sessions/http.ts";
import { sessionPages } from "#src/features/sessions/pages.ts";
import type { Feature } from "#src/features/feature.ts";
import { removeOverSessions } from "#src/features/sessions/commands/sessions.ts";

export const sessions: Feature = {
  name: "sessions",
  routes: [],
  events: [sessionEvents],
  actions: actionsIn(access),
  jobs: [
    {
      name: "session.remove",
      schedule: "41 3 * * *",
      removesByAge: true,
      run: async ({ database, clock }) => removeOverSessions(database, clock.now()),
    },
  ],
  emails: [signInEmail],
  appPages: sessionPages,
  http: sessionHttp,
};
