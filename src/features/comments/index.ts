// The feature "comments".
import "#src/features/comments/queries.ts";
import { commentRoutes } from "#src/features/comments/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const comments: Feature = { name: "comments", routes: commentRoutes };
