// The feature "activity".
import "#src/features/activity/queries.ts";
import { homePages } from "#src/features/activity/pages.ts";
import type { Feature } from "#src/features/feature.ts";

export const activity: Feature = { name: "activity", routes: [], appPages: homePages };
