// The /v1 operation on templates (spec 2, section 4.8).
import { contentTagOf } from "#src/features/content/routes.ts";
import { fileReferencesForm } from "#src/rest/request/property-forms.ts";
import { defineRoutes } from "#src/rest/route.ts";

export const templateRoutes = defineRoutes(contentTagOf, {
  applySpaceTemplate: {
    request: "POST /v1/spaces/{spaceId}/content/template",
    summary: "Apply a template",
    body: {
      id: "The template.",
      params: { description: "What fills its places: `contentRefs` has files by name.", form: fileReferencesForm() },
    },
    named: { template: "id", contentRefs: "params" },
    success: 201,
    withoutBody: true,
    conflict: "The space is locked against edits.",
    answer: ["applyTemplate", "revision"],
    fields: "id",
  },
});
