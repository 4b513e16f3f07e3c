// The /v1 operations of search (spec 1, section 4.1, and spec 2, section 4.8).
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineRoutes } from "#src/rest/route.ts";

const hitFields = /* GraphQL */ `
  id: pageId title description path score
  ancestors { title }
  sections { id: sectionId title path score body urls { app } }
  urls { app }
`;

defineRestFields("SearchedSpace", {
  type: { description: "The kind of result.", schema: { type: "string", const: "space" }, value: "space" },
});

const tags = {
  organizations: { name: "organizations", description: "Organizations and search across them." },
  content: { name: "space-content", description: "Main content of a space." },
};

const searched = {
  list: true,
  query: { query: 'Search text: words, `"phrases"`, `-excluded` words, and `or`.' },
  named: { text: "query" },
} as const;

export const searchRoutes = defineRoutes((path) => (path.startsWith("/v1/orgs/") ? tags.organizations : tags.content), {
  searchOrganizationContent: {
    request: "GET /v1/orgs/{organizationId}/search",
    summary: "Search an organization",
    ...searched,
    answer: ["organization", "searchedSpaces"],
    fields: `type: __typename id: spaceId title score pages: hits { ${hitFields} } urls { app }`,
  },
  searchSpaceContent: {
    request: "GET /v1/spaces/{spaceId}/search",
    summary: "Search a space",
    ...searched,
    answer: ["space", "search"],
    fields: `${hitFields} rank`,
  },
});
