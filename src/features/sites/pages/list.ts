// The page of the sites of an organization: creates sites, and places a space on one.
import { organizationFrame } from "#src/features/organizations/views/organization-frame.ts";
import { type SitesAnswer, sitesView } from "#src/features/sites/views/list.ts";
import { pathOfSite } from "#src/features/sites/views/site-frame.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Created {
  readonly createSite: { readonly site: { readonly id: string } };
}

interface Placed {
  readonly createSiteSpace: { readonly siteSpace: { readonly id: string; readonly siteId: string } };
}

/** What a new site shows; nothing if the field is empty. */
const spacesIn = (spaceId: string | null): object => {
  if (!spaceId) return {};
  return { spaces: spaceId === "new" ? { newSpace: {} } : { spaceIds: [spaceId] } };
};

export const listPage: Page = definePage<SitesAnswer>({
  path: "/app/orgs/:org/sites",
  query: `query Sites($org: ID!, $after: String, $ofSpace: ID, $space: ID!, $hasSpace: Boolean!) {
    organization(id: $org) {
      ...OrganizationFrame viewerRole permissions { createContent }
      sites(first: 50, after: $after, spaceId: $ofSpace) {
        nodes { id title icon { emoji } published visibility siteSpaceCount hostname urls { published } }
        pageInfo { hasNextPage endCursor }
      }
      spaces(first: 100, orderBy: { field: TITLE }) { nodes { id title permissions { review } } }
      others: sites(first: 100, orderBy: { field: TITLE }) @include(if: $hasSpace) {
        nodes { id title permissions { admin } }
      }
    }
    space(id: $space) @include(if: $hasSpace) { id title permissions { review } }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org }, search }) => {
    const ofSpace = search.get("space") || null;
    return { org, after: search.get("after"), ofSpace, space: ofSpace ?? "", hasSpace: ofSpace !== null };
  },
  view: sitesView,
  listens: {
    subscription: `subscription ChangesOfSitesInApp($org: ID!) {
      siteEvents(of: { organizationId: $org }) { __typename }
    }`,
    variables: ({ named: { org } }) => ({ org }),
  },
  forms: {
    site: defineForm<Created>({
      mutation: `mutation NewSite($input: CreateSiteInput!) { createSite(input: $input) { site { id } } }`,
      variables: (fields, { named }) => ({
        input: {
          organizationId: named["org"],
          title: fields.get("title")?.trim(),
          visibility: fields.get("visibility"),
          ...spacesIn(fields.get("spaceId")),
        },
      }),
      then: ({ createSite: { site } }, { named }) => pathOfSite(named["org"] ?? "", site.id),
    }),
    place: defineForm<Placed>({
      mutation: `mutation PlaceOnSite($input: CreateSiteSpaceInput!) {
        createSiteSpace(input: $input) { siteSpace { id siteId } }
      }`,
      variables: (fields, { named, search }) => ({
        input: { organizationId: named["org"], siteId: fields.get("siteId"), spaceId: search.get("space") },
      }),
      then: ({ createSiteSpace: { siteSpace } }, { named }) =>
        `${pathOfSite(named["org"] ?? "", siteSpace.siteId)}/structure#${siteSpace.id}`,
    }),
  },
});
