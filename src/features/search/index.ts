// The feature "search".
import { searchParts } from "#src/features/search/commands.ts";
import "#src/features/search/queries.ts";
import { searchPages } from "#src/features/search/pages.ts";
import { searchRoutes } from "#src/features/search/routes.ts";
import type { Feature } from "#src/features/feature.ts";

export const search: Feature = { name: "search", routes: searchRoutes, appPages: searchPages, derived: [searchParts] };
