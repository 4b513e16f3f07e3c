// The feature "members".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/members/access.ts";
import { memberEvents } from "#src/features/members/events.ts";
import "#src/features/members/mutations.ts";
import "#src/features/members/queries.ts";
import "#src/features/members/subscriptions.ts";
import { memberAdditions, memberRoutes } from "#src/features/members/routes.ts";
import { memberPages } from "#src/features/members/pages.ts";
import type { Feature } from "#src/features/feature.ts";
import { sumUpMemberCounts } from "#src/features/members/commands.ts";

export const members: Feature = {
  name: "members",
  routes: [...memberRoutes, ...memberAdditions],
  events: [memberEvents],
  actions: actionsIn(access),
  appPages: memberPages,
  jobs: [{ name: "member.count", schedule: "7 * * * *", run: async ({ database }) => sumUpMemberCounts(database) }],
};
