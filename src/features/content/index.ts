// The feature "content".
import "#src/features/content/mutations.ts";
import "#src/features/content/queries.ts";
import type { Feature } from "#src/rest/route.ts";

export const content: Feature = { name: "content", routes: [] };
