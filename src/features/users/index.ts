// The feature "users".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/users/commands.ts";
import { userEvents } from "#src/features/users/events.ts";
import "#src/features/users/mutations.ts";
import "#src/features/users/type.ts";
import "#src/features/users/subscriptions.ts";
import { accountPages } from "#src/features/users/pages.ts";
import type { Feature } from "#src/features/feature.ts";

export const users: Feature = {
  name: "users",
  routes: [],
  events: [userEvents],
  actions: actionsIn(access),
  appPages: accountPages,
  pages: [{ path: "users/:user", type: "User", query: "node(id: $user) { ... on User * }" }],
};
