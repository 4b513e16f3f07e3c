// Pages, files and revisions as /v1 answers them.

/** A page without its text and the pages below it. What has to be computed depends on `$computed`. */
const pageFields = /* GraphQL */ `
  id: pageId title emoji icon createdAt updatedAt type slug path description hidden noIndex noRobotsIndex
  urls { app }
  layout { width cover coverSize title description tableOfContents outline pagination metadata }
  cover { ref { ...ReferenceFields } refDark { ...ReferenceFields } yPos }
  variables { name value }
  target { ...ReferenceFields }
  computed { type dependencies { spec { ref { ...ReferenceFields } } } props { doc } }
  computedSeed @include(if: $computed)
`;

/** Pages of a tree: `level` puts them into one another. */
export const pageTreeFields = /* GraphQL */ `
  fragment ReferenceFields on ContentReference { kind file page url anchor space user collection spec }
  fragment PageInTreeFields on Page { level ${pageFields} }
`;

/** A page with its text and the pages below it. */
export const pageWithTextFields = /* GraphQL */ `
  fragment PageFields on Page {
    ${pageFields}
    document(evaluated: $evaluated) @skip(if: $asMarkdown)
    markdown(evaluated: $evaluated) @include(if: $asMarkdown)
    pages: allPages { ...PageInTreeFields }
  }
  ${pageTreeFields}
`;

export const fileFields = /* GraphQL */ `
  fragment FileFields on File {
    id
    name
    contentType
    downloadURL
    size
    dimensions {
      width
      height
    }
  }
`;

/** A whole revision. What is known of its repository is looked up unless `$metadata` is false. */
export const revisionFields = /* GraphQL */ `
  fragment RevisionFields on Revision {
    object
    id
    type
    parents
    createdAt
    mergedFrom: mergedFromId
    pages: allPages {
      ...PageInTreeFields
    }
    files: allFiles {
      ...FileFields
    }
    reusableContents {
      id: reusableContentId
      title
    }
    variables {
      name
      value
    }
    git @include(if: $metadata) {
      url
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
