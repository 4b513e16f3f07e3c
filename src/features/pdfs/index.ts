// The feature "pdfs".
import "#src/features/pdfs/queries.ts";
import { pdfRoutes } from "#src/features/pdfs/routes.ts";
import type { Feature } from "#src/rest/route.ts";

export const pdfs: Feature = { name: "pdfs", routes: pdfRoutes };
