// The feature "templates".
import "#src/features/templates/mutations.ts";
import "#src/features/templates/type.ts";
import { templateRoutes } from "#src/features/templates/routes.ts";
import type { Feature } from "#src/features/feature.ts";

export const templates: Feature = { name: "templates", routes: templateRoutes, events: [] };
