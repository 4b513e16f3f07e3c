// The feature "collections".
import "#src/features/collections/mutations.ts";
import "#src/features/collections/queries.ts";
import { collectionRoutes } from "#src/features/collections/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const collections: Feature = { name: "collections", routes: collectionRoutes };
