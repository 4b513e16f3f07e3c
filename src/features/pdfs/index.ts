// The feature "pdfs", with its /v1 operation (spec 2, section 4.7).
import { changeRequestTag } from "#src/features/change-requests/routes.ts";
import type { Feature } from "#src/features/feature.ts";
import { pdfHttp } from "#src/features/pdfs/http.ts";
import "#src/features/pdfs/queries.ts";
import { defineRoutes } from "#src/rest/route.ts";

const pdfRoutes = defineRoutes(() => changeRequestTag, {
  getChangeRequestPdf: {
    request: "GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf",
    summary: "Export a change request as PDF",
    query: { page: "Id of the page to export.", only: "True exports only the given page." },
    answer: ["space", "changeRequest", "pdf"],
    fields: "url",
    tooLarge: "The PDF would have more than 1,000 pages, or making it takes more than a minute.",
  },
});

export const pdfs: Feature = { name: "pdfs", routes: pdfRoutes, http: pdfHttp };
