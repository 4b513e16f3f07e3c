// The feature "members".
import "#src/features/members/mutations.ts";
import "#src/features/members/queries.ts";
import { belongingRoutes } from "#src/features/members/routes/belongings.ts";
import { memberRoutes } from "#src/features/members/routes/members.ts";
import type { Feature } from "#src/rest/route.ts";

export const members: Feature = { name: "members", routes: [...memberRoutes, ...belongingRoutes] };
