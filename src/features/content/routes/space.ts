// The /v1 operations on the contents of spaces (spec 2, section 4.8).
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

const contentPath = "/v1/spaces/{spaceId}/content";

export const spaceContentRoutes: readonly Route[] = [
  {
    operationId: "getSpaceContent",
    method: "GET",
    path: contentPath,
    summary: "Get the content of a space",
    noun: "space",
    query: { ...metadata, ...computed },
    answer: ["space", "content"],
    document: /* GraphQL */ `
      query GetSpaceContent($spaceId: ID!, ${metadataVariable}, ${computedVariable}) {
        space(id: $spaceId) { content { ...RevisionFields } }
      }
      ${revisionFields}
    `,
  },
  {
    operationId: "listSpacePages",
    method: "GET",
    path: `${contentPath}/pages`,
    summary: "List the pages of a space",
    noun: "space",
    query: computed,
    idle: metadata,
    answer: ["space", "content"],
    document: /* GraphQL */ `
      query ListSpacePages($spaceId: ID!, ${computedVariable}) {
        space(id: $spaceId) { content { pages: allPages { ...PageInTreeFields } } }
      }
      ${pageTreeFields}
    `,
  },
  {
    operationId: "listSpaceFiles",
    method: "GET",
    path: `${contentPath}/files`,
    summary: "List the files of a space",
    noun: "space",
    list: true,
    idle: { ...metadata, ...computed },
    answer: ["space", "content", "files"],
    document: /* GraphQL */ `
      query ListSpaceFiles($spaceId: ID!, $first: Int, $after: String) {
        space(id: $spaceId) {
          content { files(first: $first, after: $after) { nodes { ...FileFields } ${listFields} } }
        }
      }
      ${fileFields}
    `,
  },
  {
    operationId: "getSpaceFile",
    method: "GET",
    path: `${contentPath}/files/{fileId}`,
    summary: "Get a file of a space",
    noun: "file",
    idle: { ...metadata, ...computed },
    answer: ["space", "content", "file"],
    document: /* GraphQL */ `
      query GetSpaceFile($spaceId: ID!, $fileId: ID!) {
        space(id: $spaceId) {
          content {
            file(id: $fileId) {
              ...FileFields
            }
          }
        }
      }
      ${fileFields}
    `,
  },
  {
    operationId: "getSpacePage",
    method: "GET",
    path: `${contentPath}/page/{pageId}`,
    summary: "Get a page of a space",
    noun: "page",
    query: { ...evaluated, ...computed },
    choices: format,
    idle: metadata,
    answer: ["space", "content", "page"],
    document: /* GraphQL */ `
      query GetSpacePage($spaceId: ID!, $pageId: ID!, ${textVariables}, ${computedVariable}) {
        space(id: $spaceId) { content { page(id: $pageId) { ...PageFields } } }
      }
      ${pageWithTextFields}
    `,
  },
];
