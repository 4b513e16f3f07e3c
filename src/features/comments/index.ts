// The feature "comments".
import "#src/features/comments/mutations.ts";
import "#src/features/comments/queries.ts";
import "#src/features/comments/subscriptions.ts";
import { changeRequestCommentRoutes } from "#src/features/comments/routes/change-request.ts";
import { spaceCommentRoutes } from "#src/features/comments/routes/space.ts";
import type { Feature } from "#src/rest/route.ts";

export const comments: Feature = { name: "comments", routes: [...spaceCommentRoutes, ...changeRequestCommentRoutes] };
