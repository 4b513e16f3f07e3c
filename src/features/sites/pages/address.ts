// The page of the addresses of a site.
import { type AddressAnswer, addressView } from "#src/features/sites/views/address.ts";
import { siteChanges, siteFrame, siteIn, siteVariables } from "#src/features/sites/views/site-frame.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

const updateBy = (input: (fields: URLSearchParams) => object) =>
  defineForm({
    mutation: `mutation SetAddress($input: UpdateSiteInput!) { updateSite(input: $input) { site { id } } }`,
    variables: (fields, asked) => ({ input: { ...siteIn(asked), ...input(fields) } }),
    then: (_answer, { root }) => root,
  });

export const addressPage: Page = definePage<AddressAnswer>({
  path: "/app/orgs/:org/sites/:site/address",
  query: `query AddressOfSite($org: ID!, $site: ID!) {
    site(id: $site, organizationId: $org) {
      ...SiteFrame basename proxy { origin target }
      hostnameClaim { hostname state record { name type value } checkedAt verifiedAt keptUntil }
    }
    ...AppFrame
  } ${siteFrame} ${appFrame}`,
  variables: siteVariables,
  view: addressView,
  listens: siteChanges,
  forms: {
    hostname: updateBy((fields) => ({ hostname: fields.get("hostname")?.trim() })),
    check: defineForm<{ readonly checkSiteHostname: object }>({
      mutation: `mutation CheckHostname($input: CheckSiteHostnameInput!) { checkSiteHostname(input: $input) { foundValues } }`,
      variables: (_fields, asked) => ({ input: siteIn(asked) }),
      then: ({ checkSiteHostname }) => ({ made: checkSiteHostname }),
    }),
    release: updateBy(() => ({ hostname: null })),
    names: updateBy((fields) => ({
      basename: fields.get("basename")?.trim(),
      proxy: fields.get("proxy")?.trim() || null,
    })),
  },
});
