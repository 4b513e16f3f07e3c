// The feature "activity".
import "#src/features/activity/queries.ts";
import type { Feature } from "#src/rest/route.ts";

export const activity: Feature = { name: "activity", routes: [] };
