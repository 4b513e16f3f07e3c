// The page of the settings of a site.
import { type SettingsAnswer, settingsView } from "#src/features/sites/views/settings.ts";
import { siteChanges, siteFrame, siteIn, siteVariables } from "#src/features/sites/views/site-frame.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

/** Pictures come before an emoji; null without both. */
function iconIn(fields: URLSearchParams): object | null {
  const [emoji, light, dark] = ["emoji", "light", "dark"].map((name) => fields.get(name)?.trim() || null);
  if (light ?? dark) return { images: { light, dark } };
  return emoji ? { emoji } : null;
}

export const settingsPage: Page = definePage<SettingsAnswer>({
  path: "/app/orgs/:org/sites/:site/settings",
  query: `query SettingsOfSite($org: ID!, $site: ID!) {
    site(id: $site, organizationId: $org) { ...SiteFrame agentsContext icon { images { light dark } } }
    ...AppFrame
  } ${siteFrame} ${appFrame}`,
  variables: siteVariables,
  view: settingsView,
  listens: siteChanges,
  forms: {
    settings: defineForm({
      mutation: `mutation SaveSite($input: UpdateSiteInput!) { updateSite(input: $input) { site { id } } }`,
      variables: (fields, asked) => ({
        input: {
          ...siteIn(asked),
          title: fields.get("title")?.trim(),
          icon: iconIn(fields),
          agentsContext: fields.has("agents") ? "INCLUDED" : "EXCLUDED",
        },
      }),
      then: (_answer, { root }) => root,
    }),
    delete: defineForm({
      mutation: `mutation DeleteSiteByForm($input: DeleteSiteInput!) { deleteSite(input: $input) { deletedId } }`,
      variables: (_fields, asked) => ({ input: siteIn(asked) }),
      then: (_answer, { named }) => `/app/orgs/${named["org"]}/sites`,
    }),
  },
});
