// The page of the translations of an organization, which starts others.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { languageOptions, nameOfLanguage } from "#src/features/translations/views/languages.ts";
import { stateFields, stateOf, type TranslationState } from "#src/features/translations/views/state.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { type ListEnd, nextOf, optionsOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Named {
  readonly id: string;
  readonly title: string;
}

interface OneTranslation extends TranslationState {
  readonly id: string;
  readonly language: string;
  readonly source: { readonly language: string; readonly space: Named };
  readonly result: { readonly space: Named | null };
}

interface Translations extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly permissions: OrganizationFrame["permissions"] & { readonly createContent: boolean };
    readonly translations: { readonly nodes: readonly OneTranslation[]; readonly pageInfo: ListEnd };
    readonly spaces: { readonly nodes: readonly Named[] };
  };
}

export const translationsPage: Page = definePage<Translations>({
  path: "/app/orgs/:org/translations",
  query: `query Translations($org: ID!, $after: String) {
    organization(id: $org) {
      ...OrganizationFrame permissions { createContent }
      translations(first: 50, after: $after) {
        nodes { id language ${stateFields} source { language space { id title } } result { space { id title } } }
        pageInfo { hasNextPage endCursor }
      }
      spaces(first: 100) { nodes { id title } }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org }, search }) => ({ org, after: search.get("after") }),
  view: (answer, asked) =>
    organizationPage(answer, { tab: "Translations", isLive: true, main: mainOf(answer.organization, asked) }),
  forms: {
    create: defineForm<{ readonly createTranslation: { readonly translation: { readonly id: string } } }>({
      mutation: `mutation NewTranslation($input: CreateTranslationInput!) {
        createTranslation(input: $input) { translation { id } }
      }`,
      variables: (fields, { named }) => ({
        input: {
          organizationId: named["org"],
          language: fields.get("language"),
          source: { spaceId: fields.get("space"), language: fields.get("from") },
          instructionsMarkdown: fields.get("instructions") ?? "",
          autoUpdate: fields.has("autoUpdate"),
        },
      }),
      then: ({ createTranslation: { translation } }, { root }) => `${root}/${translation.id}`,
    }),
  },
  listens: {
    subscription: `subscription TranslationsChanged($org: ID!) {
      translationEvents(of: { organizationId: $org }) { __typename }
    }`,
    variables: ({ named: { org } }) => ({ org }),
  },
});

const mainOf = ({ id, translations, permissions, spaces }: Translations["organization"], asked: Asked): Html =>
  html`<h2>Translations</h2>
    <p class="soft">
      Spaces that follow other spaces in other languages. <a href="/app/orgs/${id}/glossary">The glossary</a> has terms
      that stay as they are, or have one translation.
    </p>
    ${
      translations.nodes.length === 0
        ? html`<p>Nothing is translated yet.</p>`
        : html`${tableOf(
            "Translations",
            ["Translation", "Language", "State"],
            translations.nodes.map((one) => rowOf(asked.root, one)),
          )}
          ${nextOf(translations.pageInfo, asked)}`
    }
    ${permissions.createContent && spaces.nodes.length > 0 ? creation(spaces.nodes, asked) : ""}`;

const rowOf = (root: string, { id, language, source, result, ...state }: OneTranslation): Html =>
  html`<tr>
    <td class="wide">
      <a href="${root}/${id}">${result.space?.title ?? `${source.space.title} (${language.toLowerCase()})`}</a>
      <span class="soft">of ${source.space.title}</span>
    </td>
    <td class="tight">${nameOfLanguage(source.language)} → ${nameOfLanguage(language)}</td>
    <td class="tight">${stateOf(state)}</td>
  </tr>`;

function creation(spaces: readonly Named[], asked: Asked): Html {
  const field = (name: string, value: string) => filled(asked, "create", name, value);
  const isSent = asked.problem?.form === "create";
  const isAuto = isSent ? (asked.problem?.fields.has("autoUpdate") ?? false) : true;
  return html`<h2 id="new">Translate a space</h2>
    ${problemOf(asked, "create")}
    ${formOf(
      "create",
      html`<label>
          Space
          <select name="space">
            ${optionsOf(
              spaces.map(({ id, title }) => [id, title] as const),
              field("space", asked.search.get("space") ?? ""),
            )}
          </select>
        </label>
        <label>
          From
          <select name="from">
            ${languageOptions(field("from", "EN"))}
          </select>
        </label>
        <label>
          Into
          <select name="language">
            ${languageOptions(field("language", "DE"))}
          </select>
        </label>
        <label>
          Instructions, such as the tone (optional)
          <textarea name="instructions" rows="3" maxlength="10000">${"\n"}${field("instructions", "")}</textarea>
        </label>
        <label class="check">
          <input type="checkbox" name="autoUpdate" ${isAuto ? html`checked` : ""} /> Follow each change of the space
        </label>
        <button>Translate</button>`,
      { style: "stacked" },
    )}`;
}
