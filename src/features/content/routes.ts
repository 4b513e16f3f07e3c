// The /v1 operations on the contents of spaces and change requests (spec 2, sections 4.8 and 4.9).
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineAdditions, defineRoutes, type Parent, parentAt, type RouteRow } from "#src/rest/route.ts";

/** A page without its text and subpages, and without values that have to be computed. */
const plainPageFields = /* GraphQL */ `
  id: pageId title emoji icon createdAt updatedAt type slug path description hidden noIndex noRobotsIndex
  urls { app }
  layout: shownLayout { width cover coverSize title description tableOfContents outline pagination metadata }
  cover { ref { ...ReferenceFields } refDark { ...ReferenceFields } yPos }
  variables { name value }
  target { ...ReferenceFields }
  computed { type dependencies { spec { ref { ...ReferenceFields } } } props { doc } }
`;

/** The same with them. */
const pageFields = /* GraphQL */ `
  ${plainPageFields}
  computedSeed @include(if: $computed)
  git @include(if: $metadata) { oid path }
`;

const referenceFields = /* GraphQL */ `
  fragment ReferenceFields on ContentReference {
    kind
    file: fileId
    page: pageId
    url
    anchor
    space: spaceId
    user: userId
    collection: collectionId
    spec
  }
`;

/** A page with its subpages, which are nested by `level`. */
export const pageWithSubpagesFields = /* GraphQL */ `
  fragment PageWithSubpagesFields on Page {
    ${plainPageFields}
    pages: allPages { ...PlainPageInTreeFields }
  }
  fragment PlainPageInTreeFields on Page { level ${plainPageFields} }
  ${referenceFields}
`;

/** Pages of a tree, which are nested by `level`. */
const pageTreeFields = /* GraphQL */ `
  ${referenceFields}
  fragment PageInTreeFields on Page { level ${pageFields} }
`;

const pageWithTextFields = /* GraphQL */ `
  fragment PageFields on Page {
    ${pageFields}
    document(evaluated: $evaluated) @skip(if: $asMarkdown)
    markdown(evaluated: $evaluated) @include(if: $asMarkdown)
    pages: allPages { ...PageInTreeFields }
  }
  ${pageTreeFields}
`;

const fileFields = /* GraphQL */ `
  fragment FileFields on File {
    id: fileId
    name
    contentType
    downloadURL
    size
    dimensions {
      width
      height
    }
    git @include(if: $metadata) {
      oid
      path
    }
  }
`;

/** A whole revision. Git objects are read unless `$metadata` is false. */
const revisionFields = /* GraphQL */ `
  fragment RevisionFields on Revision {
    object
    id
    type
    parents: parentRevisionIds
    createdAt
    mergedFrom: mergedFromId
    pages: allPages(computed: $computed) {
      ...PageInTreeFields
    }
    files: allFiles {
      ...FileFields
    }
    reusableContents {
      id: reusableContentId
      title
      git @include(if: $metadata) {
        oid
        path
      }
    }
    variables {
      name
      value
    }
    git @include(if: $metadata) {
      oid
      message
      url: __typename
    }
    urls {
      app
      published
      public
    }
  }
  ${pageTreeFields}
  ${fileFields}
`;

defineRestFields("RevisionGit", {
  url: {
    description:
      "URL of the repository with which the main content is synchronised. docgraph does not synchronise repositories.",
    schema: { type: "string" },
  },
});

/** The content of a parent: its current revision. */
const contentIn = ({ noun, path, answer }: Parent): Parent => ({
  noun,
  path: `${path}/content`,
  answer: [...answer, "content"],
});

const inSpace = contentIn(parentAt("space", "/v1/spaces/{spaceId}"));
const changeRequest = parentAt("change request", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}");
const inChangeRequest = contentIn(changeRequest);
const inRevision = parentAt("revision", "/v1/spaces/{spaceId}/revisions/{revisionId}");

const metadata = { metadata: "False omits the Git metadata, which is faster." } as const;
const metadataVariable = "$metadata: Boolean! = true";

const computed = { computed: "False skips the computed content." } as const;

const getContent = (of: Parent): RouteRow => ({
  request: `GET ${of.path}`,
  summary: `Get the content of a ${of.noun}`,
  query: { ...metadata, ...computed },
  variables: [metadataVariable, "$computed: Boolean! = true"],
  answer: of.answer,
  fields: revisionFields,
});

const listPages = (of: Parent): RouteRow => ({
  ...getContent(of),
  request: `GET ${of.path}/pages`,
  summary: `List the pages of a ${of.noun}`,
  fields: `pages: allPages(computed: $computed) { ...PageInTreeFields } ${pageTreeFields}`,
});

const ofFiles = { query: metadata, variables: [metadataVariable], ignored: computed, fields: fileFields };

const listFiles = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/files`,
  summary: `List the files of a ${of.noun}`,
  list: true,
  ...ofFiles,
  answer: [...of.answer, "files"],
});

const getFile = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/files/{fileId}`,
  summary: `Get a file of a ${of.noun}`,
  ...ofFiles,
  answer: [...of.answer, "file"],
});

const format = {
  description: "Format of the page content in the response.",
  variable: "asMarkdown",
  values: ["document", "markdown"],
} as const;

const getPage = (of: Parent): RouteRow => ({
  request: `GET ${of.path}/page/{pageId}`,
  summary: `Get a page of a ${of.noun}`,
  query: { evaluated: "True evaluates expressions in the document.", ...metadata, ...computed },
  variables: ["$evaluated: Boolean! = false", metadataVariable],
  choices: { format },
  answer: [...of.answer, "page"],
  fields: pageWithTextFields,
});

const getPageByPath = (of: Parent): RouteRow => ({
  ...getPage(of),
  request: `GET ${of.path}/path/{pagePath}`,
  summary: `Get a page of a ${of.noun} by its path`,
  named: { path: "pagePath" },
});

const tags = {
  space: { name: "space-content", description: "Main content of a space." },
  changeRequest: { name: "change-request-content", description: "Content of a change request." },
};

const revisionTag = { name: "revisions", description: "Revisions of spaces and change requests." };

export const contentTagOf = (path: string) => (path.includes("{changeRequestId}") ? tags.changeRequest : tags.space);

export const contentRoutes = defineRoutes(contentTagOf, {
  getSpaceContent: getContent(inSpace),
  listSpacePages: listPages(inSpace),
  listSpaceFiles: listFiles(inSpace),
  getSpaceFile: getFile(inSpace),
  getSpacePage: getPage(inSpace),
  getChangeRequestContent: getContent(inChangeRequest),
  listChangeRequestPages: listPages(inChangeRequest),
  listChangeRequestFiles: listFiles(inChangeRequest),
  getChangeRequestFile: getFile(inChangeRequest),
  getChangeRequestPage: getPage(inChangeRequest),
});

const tagOfAddition = (path: string) => (path.includes("{revisionId}") ? revisionTag : contentTagOf(path));

export const contentAdditions = defineAdditions(tagOfAddition, {
  getPageByPath: getPageByPath(inSpace),
  getPageInChangeRequestByPath: getPageByPath(inChangeRequest),
  getRevisionById: getContent(inRevision),
  listPagesInRevisionById: listPages(inRevision),
  listFilesInRevisionById: listFiles(inRevision),
  getFileInRevisionById: getFile(inRevision),
  getPageInRevisionById: getPage(inRevision),
  getPageInRevisionByPath: getPageByPath(inRevision),
  getPageDocumentInRevisionById: {
    request: `GET ${inRevision.path}/page/{pageId}/document`,
    summary: "Get the document of a page of a revision",
    query: { evaluated: "True evaluates expressions in the document." },
    answer: [...inRevision.answer, "page", "document"],
  },
});
