// The page of the look of a site.
import { type LookAnswer, lookView } from "#src/features/sites/views/look.ts";
import { siteChanges, siteFrame, siteIn, siteVariables } from "#src/features/sites/views/site-frame.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

const textOrNull = (fields: URLSearchParams, name: string): string | null => fields.get(name)?.trim() || null;

/** The title of the site itself is the default, which follows it when the site is renamed. */
function titleIn(fields: URLSearchParams): string | null {
  const title = textOrNull(fields, "title");
  return title === fields.get("siteTitle") ? null : title;
}

/** The colour counts if the box is checked, or if another one was chosen without checking it. */
function colorIn(fields: URLSearchParams): string | null {
  const color = textOrNull(fields, "primaryColor");
  const isChosen = fields.has("hasColor") || color !== fields.get("shownColor");
  return isChosen ? color : null;
}

/** One picture is that of both colour schemes. */
function logoIn(fields: URLSearchParams): object | null {
  const [light, dark] = [textOrNull(fields, "logoLight"), textOrNull(fields, "logoDark")];
  return light === null && dark === null ? null : { light, dark };
}

/** The links with a text or an address: half of one is refused by the mutation. */
function linksIn(fields: URLSearchParams): object[] {
  const urls = fields.getAll("linkUrl");
  return fields.getAll("linkTitle").flatMap((title, index) => {
    const url = urls[index] ?? "";
    return title.trim() === "" && url.trim() === "" ? [] : [{ title: title.trim(), url: url.trim() }];
  });
}

export const lookPage: Page = definePage<LookAnswer>({
  path: "/app/orgs/:org/sites/:site/look",
  query: `query LookOfSite($org: ID!, $site: ID!) {
    site(id: $site, organizationId: $org) {
      ...SiteFrame
      customization {
        title primaryColor { chosen light dark } logo { light dark } font fontFamily headerLinks { title url } footer
      }
    }
    ...AppFrame
  } ${siteFrame} ${appFrame}`,
  variables: siteVariables,
  view: lookView,
  listens: siteChanges,
  forms: {
    look: defineForm({
      mutation: `mutation SaveLook($input: UpdateSiteCustomizationInput!) {
        updateSiteCustomization(input: $input) { site { id } }
      }`,
      variables: (fields, asked) => ({
        input: {
          ...siteIn(asked),
          title: titleIn(fields),
          primaryColor: colorIn(fields),
          font: fields.get("font"),
          logo: logoIn(fields),
          headerLinks: linksIn(fields),
          footer: textOrNull(fields, "footer"),
        },
      }),
      then: (_answer, { root }) => root,
    }),
  },
});
