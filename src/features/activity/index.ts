// The feature "activity".
import "#src/features/activity/queries.ts";
import type { Feature } from "#src/features/feature.ts";

export const activity: Feature = { name: "activity", routes: [] };
