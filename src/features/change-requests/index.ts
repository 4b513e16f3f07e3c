// The feature "change-requests".
import "#src/features/change-requests/mutations.ts";
import "#src/features/change-requests/queries.ts";
import "#src/features/change-requests/subscriptions.ts";
import { changeRequestRoutes } from "#src/features/change-requests/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const changeRequests: Feature = { name: "change-requests", routes: changeRequestRoutes };
