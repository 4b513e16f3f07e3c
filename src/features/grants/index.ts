// The feature "grants".
import "#src/features/grants/mutations.ts";
import "#src/features/grants/queries.ts";
import type { Feature } from "#src/rest/route.ts";

export const grants: Feature = { name: "grants", routes: [] };
