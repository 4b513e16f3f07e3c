// The feature "templates".
import "#src/features/templates/mutations.ts";
import "#src/features/templates/type.ts";
import type { Feature } from "#src/features/feature.ts";
import { contentTagOf } from "#src/features/content/routes.ts";
import { fileReferencesForm } from "#src/rest/request/property-forms.ts";
import { defineRoutes } from "#src/rest/route.ts";

const routes = defineRoutes(contentTagOf, {
  applySpaceTemplate: {
    request: "POST /v1/spaces/{spaceId}/content/template",
    summary: "Apply a template",
    body: {
      id: "The template.",
      params: {
        description: "Parameters of the template: `contentRefs` has files by name.",
        form: fileReferencesForm(),
      },
    },
    named: { template: "id", contentRefs: "params" },
    success: 201,
    withoutBody: true,
    conflict: "The space is locked against edits.",
    answer: ["applyTemplate", "revision"],
    fields: "id",
  },
});

export const templates: Feature = { name: "templates", routes, events: [] };
