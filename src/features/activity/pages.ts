// The start page of the application, `/app`, with its forms: a first organization, and a new space.
import { type Home, homeView } from "#src/features/activity/views/home.ts";
import { happened, kindsShown } from "#src/features/activity/views/happened.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

export const homePages: readonly Page[] = [
  definePage<Home>({
    path: "/app",
    query: `query Home {
      ...AppFrame
      viewer { mentions(first: 5) { nodes {
        id mentionedAt space { id title } page { pageId title }
        comment { postedBy { displayName } changeRequest { id number } }
      } } }
      organizations(first: 20) { nodes {
        id title permissions { createContent admin }
        spaces(first: 24) { nodes { id title emoji } pageInfo { hasNextPage } }
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
        then: ({ createSpace: { space } }) => `/app/spaces/${space.id}`,
      }),
    },
  }),
];
