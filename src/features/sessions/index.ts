// The feature "sessions".
import { sessionEvents } from "#src/access/sessions.ts";
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/sessions/access.ts";
import { signInEmail } from "#src/features/sessions/commands/sign-in-links.ts";
import { sessionJobs } from "#src/features/sessions/jobs.ts";
import "#src/features/sessions/mutations.ts";
import "#src/features/sessions/queries.ts";
import "#src/features/sessions/subscriptions.ts";
import "#src/features/sessions/type.ts";
import { sessionHttp } from "#src/features/sessions/http.ts";
import type { Feature } from "#src/features/feature.ts";

export const sessions: Feature = {
  name: "sessions",
  routes: [],
  events: [sessionEvents],
  actions: actionsIn(access),
  jobs: sessionJobs,
  emails: [signInEmail],
  http: sessionHttp,
};
