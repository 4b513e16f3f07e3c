// The feature "users".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/users/commands.ts";
import { userEvents } from "#src/features/users/events.ts";
import "#src/features/users/mutations.ts";
import "#src/features/users/type.ts";
import "#src/features/users/subscriptions.ts";
import { profilePage } from "#src/features/users/pages/me.ts";
import { userPage } from "#src/features/users/pages/user.ts";
import type { Feature } from "#src/features/feature.ts";

export const users: Feature = {
  name: "users",
  routes: [],
  events: [userEvents],
  actions: actionsIn(access),
  appPages: [profilePage, userPage],
};
