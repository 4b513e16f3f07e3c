// The page of adaptive content of a site. The sample claims of its check are in the address.
import { invalidInput } from "#src/base/errors.ts";
import { type AdaptiveAnswer, adaptiveView } from "#src/features/sites/views/adaptive.ts";
import { siteChanges, siteFrame, siteIn, siteVariables } from "#src/features/sites/views/site-frame.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { defineForm, definePage, type Page } from "#src/pages/page.ts";

/** The value of a JSON text. INVALID_INPUT with the position of what is wrong. */
function readJson(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidInput(field, `The text is not valid JSON: ${error instanceof Error ? error.message : "unknown"}`);
  }
}

/** The sample claims: `claim.customer=true`, and `claim.unsigned.trial=false` for those that visitors choose. */
function claimsIn(search: URLSearchParams): object {
  const given = [...search].flatMap(([name, value]) =>
    name.startsWith("claim.") && value !== "" ? [[name.slice("claim.".length), value === "true"] as const] : [],
  );
  const inside = "unsigned.";
  const signed = given.filter(([name]) => !name.startsWith(inside));
  const unsigned = given.flatMap(([name, value]) =>
    name.startsWith(inside) ? [[name.slice(inside.length), value] as const] : [],
  );
  return { ...Object.fromEntries(signed), unsigned: Object.fromEntries(unsigned) };
}

export const adaptivePage: Page = definePage<AdaptiveAnswer>({
  path: "/app/orgs/:org/sites/:site/adaptive",
  query: `query AdaptiveContentOfSite($org: ID!, $site: ID!, $claims: JSON!) {
    site(id: $site, organizationId: $org) {
      ...SiteFrame adaptiveContent { enabled } adaptiveSchema { jsonSchema }
      conditionChecks(claims: $claims) {
        condition outcome error siteSection { id title } siteSpace { id title }
      }
    }
    ...AppFrame
  } ${siteFrame} ${appFrame}`,
  variables: (asked) => ({ ...siteVariables(asked), claims: claimsIn(asked.search) }),
  view: adaptiveView,
  listens: siteChanges,
  forms: {
    schema: defineForm({
      mutation: `mutation SetSchema($input: SetSiteAdaptiveSchemaInput!) {
        setSiteAdaptiveSchema(input: $input) { site { id } }
      }`,
      variables: (fields, asked) => ({
        input: { ...siteIn(asked), jsonSchema: readJson("schema", fields.get("schema") ?? "") },
      }),
      then: (_answer, { root }) => root,
    }),
    switch: defineForm({
      mutation: `mutation SwitchAdaptiveContent($input: UpdateSiteInput!) { updateSite(input: $input) { site { id } } }`,
      variables: (fields, asked) => ({
        input: { ...siteIn(asked), adaptiveContent: { enabled: fields.get("enabled") === "on" } },
      }),
      then: (_answer, { root }) => root,
    }),
  },
});
