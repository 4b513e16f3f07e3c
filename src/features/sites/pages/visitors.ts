// The page of the visitors of a site. The text of a new key is in the answer to its form alone.
import { siteChanges, siteFrame, siteIn, siteVariables } from "#src/features/sites/views/site-frame.ts";
import { type VisitorsAnswer, visitorsView } from "#src/features/sites/views/visitors.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

const urlForm = (mutation: string) =>
  defineForm({
    mutation,
    variables: (fields, asked) => ({ input: { ...siteIn(asked), url: fields.get("url")?.trim() || null } }),
    then: (_answer, { root }) => root,
  });

const forms: NonNullable<Page["forms"]> = {
  visibility: defineForm({
    mutation: `mutation SetVisibility($input: UpdateSiteInput!) { updateSite(input: $input) { site { id } } }`,
    variables: (fields, asked) => ({ input: { ...siteIn(asked), visibility: fields.get("visibility") } }),
    then: (_answer, { root }) => root,
  }),
  newLink: defineForm({
    mutation: `mutation NewShareLink($input: RotateSiteShareKeyInput!) {
      rotateSiteShareKey(input: $input) { site { id } }
    }`,
    variables: (_fields, asked) => ({ input: siteIn(asked) }),
    then: (_answer, { root }) => `${root}#link`,
  }),
  newKey: defineForm<{ readonly rotateSiteSigningKey: { readonly signingKey: string } }>({
    mutation: `mutation NewKey($input: RotateSiteSigningKeyInput!) { rotateSiteSigningKey(input: $input) { signingKey } }`,
    variables: (fields, asked) => ({ input: { ...siteIn(asked), overlapSeconds: Number(fields.get("overlap")) } }),
    then: ({ rotateSiteSigningKey: { signingKey } }) => ({ secret: signingKey }),
  }),
  endKey: defineForm({
    mutation: `mutation EndKey($input: EndSiteSigningKeyInput!) { endSiteSigningKey(input: $input) { site { id } } }`,
    notice: "The key was ended.",
    variables: (fields, asked) => ({ input: { ...siteIn(asked), signingKeyId: fields.get("id") } }),
    then: (_answer, { root }) => `${root}#keys`,
  }),
  signIn: urlForm(
    `mutation SetSignInAddress($input: SetSiteSignInUrlInput!) { setSiteSignInUrl(input: $input) { site { id } } }`,
  ),
  jwks: urlForm(
    `mutation SetKeysAddress($input: SetSiteJwksUrlInput!) { setSiteJwksUrl(input: $input) { site { id } } }`,
  ),
};

export const visitorsPage: Page = definePage<VisitorsAnswer>({
  path: "/app/orgs/:org/sites/:site/visitors",
  query: `query VisitorsOfSite($org: ID!, $site: ID!) {
    site(id: $site, organizationId: $org) {
      ...SiteFrame shareLink { url }
      visitorAuth { signingKeys { id createdAt expiresAt } jwksUrl signInUrl }
    }
    ...AppFrame
  } ${siteFrame} ${appFrame}`,
  variables: siteVariables,
  view: visitorsView,
  listens: siteChanges,
  forms,
});
