// The feature "users".
import "#src/features/users/queries.ts";
import type { Feature } from "#src/rest/route.ts";

export const users: Feature = { name: "users", routes: [] };
