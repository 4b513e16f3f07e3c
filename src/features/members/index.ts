// The feature "members".
import "#src/features/members/queries.ts";
import { memberRoutes } from "#src/features/members/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const members: Feature = { name: "members", routes: memberRoutes };
