// The first page of a site in the application, which publishes it.
import { type OverviewAnswer, overviewView } from "#src/features/sites/views/overview.ts";
import { siteChanges, siteFrame, siteIn, siteVariables } from "#src/features/sites/views/site-frame.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

const formOfState = (mutation: string) =>
  defineForm({
    mutation,
    variables: (_fields, asked) => ({ input: siteIn(asked) }),
    then: (_answer, { root }) => root,
  });

export const overviewPage: Page = definePage<OverviewAnswer>({
  path: "/app/orgs/:org/sites/:site",
  query: `query SiteOverview($org: ID!, $site: ID!) {
    site(id: $site, organizationId: $org) {
      ...SiteFrame publishedAt siteSpaceCount publishedBy { displayName } shareLink { url }
      hostnameClaim { hostname state } customization { primaryColor { chosen } logo { light } }
      siteSpaces(first: 20) { nodes { id title urls { published } space { id title } siteSection { title } } }
    }
    ...AppFrame
  } ${siteFrame} ${appFrame}`,
  variables: siteVariables,
  view: overviewView,
  listens: siteChanges,
  forms: {
    publish: formOfState(`mutation Publish($input: PublishSiteInput!) { publishSite(input: $input) { site { id } } }`),
    unpublish: formOfState(
      `mutation Unpublish($input: UnpublishSiteInput!) { unpublishSite(input: $input) { site { id } } }`,
    ),
  },
});
