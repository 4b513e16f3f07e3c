// The feature "teams".
import "#src/features/teams/mutations.ts";
import "#src/features/teams/queries.ts";
import { teamRoutes } from "#src/features/teams/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const teams: Feature = { name: "teams", routes: teamRoutes };
