// The feature "tokens".
import "#src/features/tokens/mutations.ts";
import "#src/features/tokens/queries.ts";
import type { Feature } from "#src/rest/route.ts";

export const tokens: Feature = { name: "tokens", routes: [] };
