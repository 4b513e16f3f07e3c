// The /v1 operations that import content (spec 2, sections 4.8 and 4.9).
import { contentTagOf } from "#src/features/content/routes.ts";
import { defineRoutes, type Parent, parentAt, type RouteRow } from "#src/rest/route.ts";

const importContent = (of: Parent): RouteRow => ({
  request: `POST ${of.path}/content/import`,
  summary: `Import content into a ${of.noun}`,
  success: 201,
  body: { url: "URL to import.", source: "Kind of the source." },
  variables: ["$url: String!", "$source: ImportSource!"],
  given: { from: "{ address: { url: $url, source: $source } }" },
  answer: ["importContent"],
  fields: "revision: revisionId importedResources totalResources",
  conflict: `The ${of.noun} cannot be edited, or the import takes longer than a minute: then it continues, and \`details\` has its id.`,
});

export const importRoutes = defineRoutes(contentTagOf, {
  importSpaceContent: importContent(parentAt("space", "/v1/spaces/{spaceId}")),
  importChangeRequestContent: importContent(
    parentAt("change request", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}"),
  ),
});
