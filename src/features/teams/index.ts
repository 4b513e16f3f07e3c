// The feature "teams".
import { actionsIn } from "#src/domain/change.ts";
import * as access from "#src/features/teams/access.ts";
import { teamEvents } from "#src/features/teams/events.ts";
import "#src/features/teams/mutations.ts";
import "#src/features/teams/queries.ts";
import "#src/features/teams/subscriptions.ts";
import { teamRoutes } from "#src/features/teams/routes.ts";
import { teamPage } from "#src/features/teams/pages/team.ts";
import { teamsPage } from "#src/features/teams/pages/teams.ts";
import type { Feature } from "#src/features/feature.ts";

export const teams: Feature = {
  name: "teams",
  routes: teamRoutes,
  events: [teamEvents],
  actions: actionsIn(access),
  appPages: [teamsPage, teamPage],
};
