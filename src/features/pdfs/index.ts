// The feature "pdfs", with its /v1 operation (spec 2, section 4.7).
import { changeRequestTag } from "#src/features/change-requests/routes.ts";
import { defineRoutes, type Feature } from "#src/rest/route.ts";
import "#src/features/pdfs/queries.ts";
import { pdfRoutes } from "#src/features/pdfs/routes.ts";
import { pdfHttp } from "#src/features/pdfs/http.ts";
import type { Feature } from "#src/features/feature.ts";

export const pdfs: Feature = { name: "pdfs", routes: pdfRoutes, http: pdfHttp };
