// The feature "organizations".
import "#src/features/organizations/mutations.ts";
import "#src/features/organizations/queries.ts";
import { organizationRoutes } from "#src/features/organizations/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const organizations: Feature = { name: "organizations", routes: organizationRoutes };
