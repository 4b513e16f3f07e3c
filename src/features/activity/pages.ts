// The start page of the application, `/app`, with its forms: a first organization, and a new space.
import { type Home, homeView } from "#src/features/activity/views/home.ts";
import { happened, kindsShown } from "#src/features/activity/views/happened.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

/** The part of the page of an empty space that the viewer wants to begin with; empty without one. */
function beginningIn(fields: URLSearchParams): string {
  const part = ["templates", "import"].find((one) => one === fields.get("begin"));
  return part === undefined ? "" : `/pages/new#${part}`;
}

export const homePages: readonly Page[] = [
  definePage<Home>({
    path: "/app",
    query: `query Home {
      ...AppFrame
      viewer { mentions(first: 5) { nodes {
        id mentionedAt space { id title } page { pageId title }
        comment {
          id postedBy { displayName } changeRequest { id number } target { page { pageId title } }
        }
        reply { id postedBy { displayName } }
      } } }
      organizations(first: 20) { nodes {
        id title permissions { createContent admin }
        spaces(first: 24) { nodes { id title emoji } pageInfo { hasNextPage } }
        sites(first: 6) { nodes { id title published } pageInfo { hasNextPage } }
        activity(first: 8, kinds: ${kindsShown}) { nodes { ${happened} } }
      } }
      reviewRequests(first: 20) { nodes { id changeRequest { id number subject space { id title } } } }
    } ${appFrame}`,
    variables: () => ({}),
    view: homeView,
    forms: {
      organization: defineForm<{ readonly createOrganization: object }>({
        mutation: `mutation CreateOrganizationByForm($input: CreateOrganizationInput!) {
          createOrganization(input: $input) { organization { id } }
        }`,
        variables: (fields) => ({ input: { title: fields.get("title") } }),
        then: () => "/app",
      }),
      space: defineForm<{ readonly createSpace: { readonly space: { readonly id: string } } }>({
        mutation: `mutation CreateSpaceByForm($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } } }`,
        variables: (fields) => ({
          input: { organizationId: fields.get("organizationId"), title: fields.get("title") },
        }),
        notice: "The space was created.",
        then: ({ createSpace: { space } }, _asked, fields) => `/app/spaces/${space.id}${beginningIn(fields)}`,
      }),
    },
  }),
];
