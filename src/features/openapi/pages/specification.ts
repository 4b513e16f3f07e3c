// The page of an OpenAPI specification: its versions with what changed, its source, and the pages that show it.
import { newId } from "#src/base/ids.ts";
import { pathOfChangeRequest, pathOfPage, pathOfSpace } from "#src/features/content/views/place.ts";
import { sourceIn } from "#src/features/openapi/views/source-fields.ts";
import { type Answer, specificationView } from "#src/features/openapi/views/specification.ts";
import { specStateFields } from "#src/features/openapi/views/state.ts";
import { organizationFrame } from "#src/features/organizations/views/organization-frame.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { hereOf } from "#src/features/users/views/app-lists.ts";
import { type Asked, defineForm, definePage, type Form, type Page } from "#src/pages/page.ts";

const here = (_answer: object, asked: Asked): string => hereOf(asked);

/** The specification that a form is about; forms of an organization name it by its slug. */
const specIn = (fields: URLSearchParams) => ({
  organizationId: fields.get("organizationId"),
  slug: fields.get("slug"),
});

/** Where a form puts a page: a space, or a change request by its prefixed id. */
function ownerIn(fields: URLSearchParams) {
  const place = fields.get("place") ?? "";
  return place.startsWith("chr_") ? { changeRequestId: place } : { spaceId: place };
}

interface MadeIn {
  readonly spaceId: string;
  readonly changeRequestId: string | null;
  readonly page: { readonly pageId: string };
}

const addressOf = ({ spaceId, changeRequestId, page: { pageId } }: MadeIn): string =>
  pathOfPage(
    { root: changeRequestId === null ? pathOfSpace(spaceId) : pathOfChangeRequest(spaceId, changeRequestId) },
    pageId,
  );

const forms: Readonly<Record<string, Form<never>>> = {
  refresh: defineForm({
    mutation: `mutation RefreshSpecification($input: RefreshOpenApiSpecInput!) {
      refreshOpenApiSpec(input: $input) { openApiSpec { id } }
    }`,
    variables: (fields) => ({ input: specIn(fields) }),
    then: here,
  }),
  source: defineForm({
    mutation: `mutation SetSpecification($input: PutOpenApiSpecInput!) {
      putOpenApiSpec(input: $input) { openApiSpec { id } }
    }`,
    variables: (fields) => ({ input: { ...specIn(fields), source: sourceIn(fields) } }),
    then: (_answer, { root }) => root,
  }),
  visibility: defineForm({
    mutation: `mutation ShowSpecification($input: UpdateOpenApiSpecInput!) {
      updateOpenApiSpec(input: $input) { openApiSpec { id } }
    }`,
    variables: (fields) => ({ input: { ...specIn(fields), visibility: fields.get("visibility") } }),
    then: here,
  }),
  page: defineForm<{ readonly editContent: { readonly revision: MadeIn } }>({
    mutation: `mutation ShowSpecificationOnPage($input: EditContentInput!, $pageId: ID!) {
      editContent(input: $input) {
        revision { spaceId changeRequestId page(by: { id: $pageId }) { pageId } }
      }
    }`,
    variables(fields) {
      const pageId = newId("Page");
      const computed = { type: "BUILTIN_OPENAPI", spec: fields.get("spec") };
      const createPage = { pageId, title: fields.get("title")?.trim(), type: "COMPUTED", computed };
      return { pageId, input: { contentOf: ownerIn(fields), edits: [{ createPage }] } };
    },
    then: ({ editContent: { revision } }) => addressOf(revision),
  }),
  delete: defineForm<{ readonly deleteOpenApiSpec: { readonly organization: { readonly id: string } } }>({
    mutation: `mutation DeleteSpecification($input: DeleteOpenApiSpecInput!) {
      deleteOpenApiSpec(input: $input) { organization { id } }
    }`,
    variables: (fields) => ({ input: { ...specIn(fields), force: fields.has("force") } }),
    then: ({ deleteOpenApiSpec: { organization } }) => `/app/orgs/${organization.id}/specifications`,
  }),
};

const compared = `fragment ComparedVersion on OpenApiSpecVersion {
  id number apiVersion warningCount warnings { path line column message }
  changes {
    before { number } changeCount breakingCount isComplete
    changes(first: 50) { nodes { kind isBreaking reason method path model place before after } }
  }
}`;

export const specificationPage: Page = definePage<Answer>({
  path: "/app/openapi/:spec",
  query: `query Specification($spec: ID!, $version: ID!, $isChosen: Boolean!, $after: String) {
    node(id: $spec) { ... on OpenApiSpec {
      id slug title visibility ${specStateFields} lastProcessError lastProcessedAt nextProcessAt sourceURL organizationId
      permissions { edit }
      organization {
        ...OrganizationFrame
        spaces(first: 100) { nodes { id title editMode permissions { edit } } }
        changeRequests(first: 20, mine: true, statuses: [DRAFT, OPEN]) { nodes { id number subject space { title } } }
      }
      lastVersion @skip(if: $isChosen) { ...ComparedVersion }
      version(id: $version) @include(if: $isChosen) { ...ComparedVersion }
      versions(first: 20, after: $after) {
        nodes { id number apiVersion openapi createdAt operationCount modelCount warningCount url }
        pageInfo { hasNextPage endCursor }
      }
    } }
    ...AppFrame
  } ${compared} ${organizationFrame} ${appFrame}`,
  variables: ({ named: { spec }, search }) => {
    const version = search.get("version") ?? "";
    return { spec, version, isChosen: version !== "", after: search.get("after") };
  },
  view: specificationView,
  forms,
  listens: {
    subscription: `subscription SpecificationChanged($spec: ID!) {
      openApiEvents(of: { openApiSpecId: $spec }) { __typename }
    }`,
    variables: ({ named: { spec } }) => ({ spec }),
  },
});
