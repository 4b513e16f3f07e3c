// The requests to each system in each case; change them here when a schema changes.
import type { World } from "#test/bench/world.ts";

/** `limit` checks the token in its statement as a service must; `limit-open` trusts the caller. */
export const systems = ["docgraph", "postgraphile", "stock", "stock-joins", "limit", "limit-open"] as const;
export type System = (typeof systems)[number];

export interface Ask {
  readonly path: string;
  /** Sent without the token. */
  readonly isPublic?: boolean;
  /** A GraphQL body; without it the request is a GET. */
  readonly body?: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };
}

/** The request of one case to one system; null if the system has no such interface. */
export type Asks = (system: System) => Ask | null;

const isLimit = (system: System) => system === "limit" || system === "limit-open";

function limitAsk(system: System, name: string, parameters: Record<string, string>): Ask {
  return { path: `${system === "limit-open" ? "/open" : ""}/${name}?${new URLSearchParams(parameters).toString()}` };
}

/** `documents` has a text for docgraph, stock and PostGraphile; aliases make the results equal. */
function graphql(
  limitName: string,
  variables: Record<string, string>,
  documents: Record<"docgraph" | "stock" | "postgraphile", string>,
): Asks {
  return (system) => {
    if (isLimit(system)) return limitAsk(system, limitName, variables);
    const query = documents[system === "docgraph" || system === "postgraphile" ? system : "stock"];
    return { path: "/graphql", body: { query, variables } };
  };
}

const space = "id title emoji visibility";
const change = "id number subject status createdAt";
const comment = "id postedAt status body { markdown }";
const flatComment = "id postedAt status markdown";
const pgSpace = "id: rowId title emoji visibility";
const pgChange = "id: rowId number subject status createdAt";
const pgComment = "id: rowId postedAt status markdown";
const pgSpaces = (first: number, fields: string) =>
  `spaces: spacesByOrganizationId(first: ${first}, orderBy: [ROW_ID_ASC], condition: {deletedAt: null}) { nodes { ${fields} } }`;
const pgChanges = (fields: string) =>
  `changeRequests: changeRequestsBySpaceId(first: 10, orderBy: [NUMBER_DESC], condition: {status: open}) { nodes { ${fields} } }`;

/** Three levels under an organization, or two when `withComments` is false. */
function levels(name: string, organization: string, withComments: boolean): Asks {
  const document = (
    commentFields: string,
  ) => `query Levels($id: ID!) { organization(id: $id) { id title spaces(first: 20) { nodes { ${space}
    changeRequests(first: 10, statuses: [OPEN]) { nodes { ${change} ${withComments ? `comments(first: 5) { nodes { ${commentFields} } }` : ""} } } } } } }`;
  const comments = withComments
    ? `comments(first: 5, orderBy: [POSTED_AT_DESC, ROW_ID_DESC]) { nodes { ${pgComment} } }`
    : "";
  return graphql(
    name,
    { id: organization },
    {
      docgraph: document(comment),
      stock: document(flatComment),
      postgraphile: `query Levels($id: String!) { organization: organizationByRowId(rowId: $id) { id: rowId title ${pgSpaces(20, `${pgSpace} ${pgChanges(`${pgChange} ${comments}`)}`)} } }`,
    },
  );
}

export const nested = (organization: string) => levels("nested", organization, true);
export const threeLevels = (organization: string) => levels("levels", organization, false);

export function counts(world: World): Asks {
  const numbers = "commentCount changeRequestCount openChangeRequestCount draftChangeRequestCount";
  const permissions = "permissions { view access admin viewInviteLinks edit triggerGitSync comment merge review }";
  const document = (fields: string) =>
    `query Counts($id: ID!) { organization(id: $id) { id spaces(first: 50) { nodes { ${space} ${fields} } } } }`;
  return graphql(
    "counts",
    { id: world.organization },
    {
      docgraph: document(`${numbers} ${permissions}`),
      stock: document(numbers),
      postgraphile: `query Counts($id: String!) { organization: organizationByRowId(rowId: $id) { id: rowId ${pgSpaces(
        50,
        `${pgSpace}
      commentCount: commentsBySpaceId(condition: {changeRequestId: null, status: open}) { totalCount }
      changeRequestCount: changeRequestsBySpaceId { totalCount }
      openChangeRequestCount: changeRequestsBySpaceId(condition: {status: open}) { totalCount }
      draftChangeRequestCount: changeRequestsBySpaceId(condition: {status: draft}) { totalCount }`,
      )} } }`,
    },
  );
}

export function oneRow(world: World): Asks {
  const document = `query Row($id: ID!) { space(id: $id) { ${space} } }`;
  return graphql(
    "row",
    { id: world.space },
    {
      docgraph: document,
      stock: document,
      postgraphile: `query Row($id: String!) { space: spaceByRowId(rowId: $id) { ${pgSpace} } }`,
    },
  );
}

/** A published site, whole; the rivals know no conditions. */
export function publishedSite({ site: id }: World): Asks {
  const query = `query Published($id: ID!) { publishedSite(by: { id: $id }) { siteId site { title siteSpaceCount } defaultSiteSpace { id }
    sectionGroups { id title sections { id title path isDefault siteSpaces { id title path isDefault } } } } }`;
  return (system) => {
    if (system === "limit") return limitAsk(system, "site", { id });
    return system === "docgraph" ? { path: "/graphql", body: { query, variables: { id } } } : null;
  };
}

const rest =
  (limitName: string, id: string, path: string): Asks =>
  (system) => {
    if (isLimit(system)) return limitAsk(system, limitName, { id });
    return system === "docgraph" ? { path } : null;
  };

export const restList = ({ collection }: World) =>
  rest("rest-list", collection, `/v1/collections/${collection}/spaces?limit=50`);
export const restOne = ({ space: id }: World) => rest("rest-one", id, `/v1/spaces/${id}`);

/** A page of the comments of the long change request, `first` of them after a cursor. */
export function commentPage(world: World, page: { first: number; after: string | null }): Asks {
  const document = (fields: string) => `query Page($id: ID!, $first: Int!, $after: String) { changeRequest(id: $id) {
    comments(first: $first, after: $after) { nodes { ${fields} } pageInfo { hasNextPage endCursor } } } }`;
  const id = world.longChangeRequest;
  const postgraphile = `query Page($id: String!, $first: Int!, $after: Cursor) { changeRequest: changeRequestByRowId(rowId: $id) {
    comments(first: $first, after: $after, orderBy: [POSTED_AT_DESC, ROW_ID_DESC]) { nodes { ${pgComment} } pageInfo { hasNextPage endCursor } } } }`;
  return (system) => {
    if (isLimit(system))
      return limitAsk(system, "page", {
        id,
        first: String(page.first),
        ...(page.after !== null && { after: page.after }),
      });
    const query =
      system === "docgraph" ? document(comment) : system === "postgraphile" ? postgraphile : document(flatComment);
    return { path: "/graphql", body: { query, variables: { id, ...page } } };
  };
}
