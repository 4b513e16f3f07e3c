// The feature "users".
import { userRoutes } from "#src/features/users/routes.ts";
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/users/commands/profile.ts";
import { userEvents } from "#src/features/users/events.ts";
import "#src/features/users/mutations.ts";
import "#src/features/users/queries.ts";
import "#src/features/users/type.ts";
import "#src/features/users/subscriptions.ts";
import { endNoticesRoute } from "#src/features/users/http.ts";
import { emailsPage } from "#src/features/users/pages/emails.ts";
import { profilePage } from "#src/features/users/pages/me.ts";
import { userPage } from "#src/features/users/pages/user.ts";
import type { Feature } from "#src/features/feature.ts";

export const users: Feature = {
  name: "users",
  routes: userRoutes,
  events: [userEvents],
  actions: actionsIn(access),
  http: (gateway) => [endNoticesRoute(gateway)],
  appPages: [profilePage, emailsPage, userPage],
};
