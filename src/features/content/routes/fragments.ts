// What the /v1 operations on contents of spaces and of change requests have in common: the fields of the answers, and the flags.

/** Everything of a page but its text and the pages below it. What has to be computed for it is left out by `$computed`. */
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

/** Pages in a tree: \`level\` puts them into one another. */
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

/** The form in which the text is read. */
export const format = {
  format: {
    description: "Format of the page content in the answer.",
    variable: "asMarkdown",
    values: ["document", "markdown"],
  },
} as const;

/** Whether expressions in the text become what they stand for. */
export const evaluated = { evaluated: "True evaluates the document first." } as const;
export const textVariables = "$asMarkdown: Boolean! = false, $evaluated: Boolean! = false";

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

/** A whole revision. What is told of its repository is looked up unless `$metadata` is false. */
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

/** What every list asks for beside its rows. */
export const listFields = "totalCount pageInfo { hasNextPage endCursor }";

/** Whether to look up what is told of the repository: of revisions, since nothing is known of single pages and files there. */
export const metadata = { metadata: "False leaves the changing git metadata out, which is faster." } as const;
export const metadataVariable = "$metadata: Boolean! = true";

/** Whether to compute: the settings of computed pages are told either way. */
export const computed = { computed: "False skips the computed content." } as const;
export const computedVariable = "$computed: Boolean! = true";
