// The /v1 operations on the contents of change requests (spec 2, section 4.9).
import {
  computed,
  computedVariable,
  evaluated,
  format,
  fileFields,
  listFields,
  metadata,
  metadataVariable,
  pageTreeFields,
  pageWithTextFields,
  revisionFields,
  textVariables,
} from "#src/features/content/routes/fragments.ts";
import type { Route } from "#src/rest/route.ts";

const contentPath = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content";

export const changeRequestContentRoutes: readonly Route[] = [
  {
    operationId: "getChangeRequestContent",
    method: "GET",
    path: contentPath,
    summary: "Get the content of a change request",
    noun: "change request",
    query: { ...metadata, ...computed },
    answer: ["space", "changeRequest", "content"],
    document: /* GraphQL */ `
      query GetChangeRequestContent($spaceId: ID!, $changeRequestId: ID!, ${metadataVariable}, ${computedVariable}) {
        space(id: $spaceId) { changeRequest(id: $changeRequestId) { content { ...RevisionFields } } }
      }
      ${revisionFields}
    `,
  },
  {
    operationId: "listChangeRequestPages",
    method: "GET",
    path: `${contentPath}/pages`,
    summary: "List the pages of a change request",
    noun: "change request",
    query: computed,
    idle: metadata,
    answer: ["space", "changeRequest", "content"],
    document: /* GraphQL */ `
      query ListChangeRequestPages($spaceId: ID!, $changeRequestId: ID!, ${computedVariable}) {
        space(id: $spaceId) { changeRequest(id: $changeRequestId) { content { pages: allPages { ...PageInTreeFields } } } }
      }
      ${pageTreeFields}
    `,
  },
  {
    operationId: "listChangeRequestFiles",
    method: "GET",
    path: `${contentPath}/files`,
    summary: "List the files of a change request",
    noun: "change request",
    list: true,
    idle: { ...metadata, ...computed },
    answer: ["space", "changeRequest", "content", "files"],
    document: /* GraphQL */ `
      query ListChangeRequestFiles($spaceId: ID!, $changeRequestId: ID!, $first: Int, $after: String) {
        space(id: $spaceId) { changeRequest(id: $changeRequestId) {
          content { files(first: $first, after: $after) { nodes { ...FileFields } ${listFields} } }
        } }
      }
      ${fileFields}
    `,
  },
  {
    operationId: "getChangeRequestFile",
    method: "GET",
    path: `${contentPath}/files/{fileId}`,
    summary: "Get a file of a change request",
    noun: "file",
    idle: { ...metadata, ...computed },
    answer: ["space", "changeRequest", "content", "file"],
    document: /* GraphQL */ `
      query GetChangeRequestFile($spaceId: ID!, $changeRequestId: ID!, $fileId: ID!) {
        space(id: $spaceId) {
          changeRequest(id: $changeRequestId) {
            content {
              file(id: $fileId) {
                ...FileFields
              }
            }
          }
        }
      }
      ${fileFields}
    `,
  },
  {
    operationId: "getChangeRequestPage",
    method: "GET",
    path: `${contentPath}/page/{pageId}`,
    summary: "Get a page of a change request",
    noun: "page",
    query: { ...evaluated, ...computed },
    choices: format,
    idle: metadata,
    answer: ["space", "changeRequest", "content", "page"],
    document: /* GraphQL */ `
      query GetChangeRequestPage($spaceId: ID!, $changeRequestId: ID!, $pageId: ID!, ${textVariables}, ${computedVariable}) {
        space(id: $spaceId) { changeRequest(id: $changeRequestId) { content { page(id: $pageId) { ...PageFields } } } }
      }
      ${pageWithTextFields}
    `,
  },
];
