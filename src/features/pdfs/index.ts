// The feature "pdfs", with its /v1 operation (spec 2, section 4.7).
import { changeRequestTag } from "#src/features/change-requests/routes.ts";
import type { Feature } from "#src/features/feature.ts";
import { pdfHttp } from "#src/features/pdfs/http.ts";
import { pdfPages } from "#src/features/pdfs/pages.ts";
import "#src/features/pdfs/queries.ts";
import { spaceTag } from "#src/features/spaces/routes.ts";
import { defineAdditions, defineRoutes } from "#src/rest/route.ts";

const pdf = {
  query: { page: "Id of the page to export.", only: "True exports only the given page." },
  fields: "url",
  tooLarge: "The PDF would have more than 1,000 pages, or making it takes more than a minute.",
} as const;

const pdfRoutes = defineRoutes(() => changeRequestTag, {
  getChangeRequestPdf: {
    ...pdf,
    request: "GET /v1/spaces/{spaceId}/change-requests/{changeRequestId}/pdf",
    summary: "Export a change request as PDF",
    answer: ["space", "changeRequest", "pdf"],
  },
});

const pdfAdditions = defineAdditions(() => spaceTag, {
  getSpacePDF: {
    ...pdf,
    request: "GET /v1/spaces/{spaceId}/pdf",
    summary: "Export the main content of a space as PDF",
    answer: ["space", "pdf"],
  },
});

export const pdfs: Feature = {
  name: "pdfs",
  routes: [...pdfRoutes, ...pdfAdditions],
  http: pdfHttp,
  appPages: pdfPages,
};
