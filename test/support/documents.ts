// Documents that cover execution: nested lists, fragments, directives, nulls and each kind of error.

interface Case {
  readonly document: string;
  /** Variables in addition to those of the world. */
  readonly given?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

const nested = /* GraphQL */ `
  query ($organizationId: ID!, $withBodies: Boolean! = true) {
    organization(id: $organizationId) {
      __typename
      ...Titled
      spaces(first: 20) {
        totalCount
        edges {
          cursor
          node {
            id
            title
            visibility
            permissions {
              edit
              admin
            }
            ...Reviews
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  }
  fragment Titled on Organization {
    title
    createdAt
    urls {
      location
      logo
    }
  }
  fragment Reviews on Space {
    changeRequests(first: 10) {
      nodes {
        id
        number
        status
        outdated
        createdBy {
          displayName
        }
        comments(first: 5, orderBy: { field: POSTED_AT }) {
          nodes {
            id
            postedAt
            body @include(if: $withBodies) {
              markdown
            }
            reactions {
              emoji
              count
              reactorList {
                user {
                  id
                }
              }
            }
          }
        }
      }
    }
  }
`;

/**
 * By purpose. Variables: `organizationId`, `spaceId`, `changeRequestId`, `commentId`, `userId`, `foreignId`
 * and so on.
 */
export const documents: Readonly<Record<string, Case>> = {
  "a nested query": { document: nested },
  "a field left out by a directive": { document: nested, given: { withBodies: false } },
  "the same field under two aliases": {
    document: "query ($spaceId: ID!) { one: space(id: $spaceId) { title } other: space(id: $spaceId) { id editMode } }",
  },
  "a field written twice": {
    document:
      "query ($organizationId: ID!) { organization(id: $organizationId) { spaces { nodes { id } } spaces { nodes { title } } } }",
  },
  "a node of every interface": {
    document:
      "query ($spaceId: ID!) { node(id: $spaceId) { __typename id ... on Resource { object } ... on Space { title emoji } } }",
  },
  "nodes that are there, hidden and malformed": {
    document: `query ($spaceId: ID!, $foreignId: ID!) { nodes(ids: [$spaceId, $foreignId, "x", ""]) { __typename id } }`,
  },
  introspection: { document: '{ __schema { queryType { name } } __type(name: "Space") { fields { name } } }' },
  "nothing found": { document: `{ space(id: "spc_01h000000000000000000000000") { id } viewer { id } }` },
  "a refusal below a list": {
    document:
      "query ($organizationId: ID!) { organization(id: $organizationId) { spaces { nodes { changeRequest(by: { number: 99 }) { id } } } } }",
  },
  "a page size out of range": {
    document: "query ($spaceId: ID!) { space(id: $spaceId) { changeRequests(first: 1001) { nodes { id } } } }",
  },
  "an error that takes a non-null parent away": {
    document:
      "query ($organizationId: ID!) { organization(id: $organizationId) { title spaces(first: 0) { nodes { id } } } }",
  },
  "a cursor of another list": {
    document: `query ($spaceId: ID!) { space(id: $spaceId) { changeRequests(after: "WyJhIl0") { nodes { id } } } }`,
  },
  "a missing variable": { document: "query ($missing: ID!) { space(id: $missing) { id } }" },
  "a variable of the wrong type": {
    document: "query ($spaceId: ID!, $n: Int) { space(id: $spaceId) { changeRequests(first: $n) { nodes { id } } } }",
    given: { n: "many" },
  },
  "an unknown enumeration value": {
    document:
      "query ($spaceId: ID!, $status: ChangeRequestStatus!) { space(id: $spaceId) { changeRequests(statuses: [$status]) { nodes { id } } } }",
    given: { status: "LOST" },
  },
  "one of several operations": {
    document: "query A { viewer { id } } query B { viewer { email } }",
    operationName: "B",
  },
  "an unknown operation": { document: "query A { viewer { id } }", operationName: "C" },
  "a document that does not parse": { document: "{ viewer {" },
  "a document that does not validate": { document: "{ viewer { nothing } }" },
};
