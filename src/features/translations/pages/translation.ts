// The page of a translation: how its last run went, what stays untranslated, and its settings.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { nameOfLanguage } from "#src/features/translations/views/languages.ts";
import { stateFields, stateOf, type TranslationState } from "#src/features/translations/views/state.ts";
import { type AppFrame, appFrame, timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed, factsOf, hereOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Form, type Page } from "#src/pages/page.ts";

interface Named {
  readonly id: string;
  readonly title: string;
}

interface Translation extends TranslationState {
  readonly id: string;
  readonly language: string;
  readonly error: string | null;
  readonly nextRunAt: string | null;
  readonly autoUpdate: boolean;
  readonly instructionsMarkdown: string;
  readonly permissions: { readonly edit: boolean };
  readonly source: { readonly language: string; readonly space: Named };
  readonly result: { readonly space: Named | null };
  readonly stats: {
    readonly runs: number;
    readonly totalWords: number;
    readonly latestWords: number;
    readonly latestPages: number;
    readonly latestRunDuration: number;
  };
  readonly warnings: readonly { readonly page: string; readonly message: string }[];
}

interface Answer extends AppFrame {
  readonly organization: OrganizationFrame & { readonly translation: Translation | null };
}

const here = (_answer: object, asked: Asked): string => hereOf(asked);
const translationIn = ({ named }: Asked) => ({
  organizationId: named["org"],
  translationId: named["translation"],
});

const forms: Readonly<Record<string, Form<never>>> = {
  run: defineForm({
    mutation: `mutation RunNow($input: RunTranslationInput!) { runTranslation(input: $input) { translation { id } } }`,
    variables: (_fields, asked) => ({ input: translationIn(asked) }),
    then: here,
  }),
  settings: defineForm({
    mutation: `mutation SaveTranslation($input: UpdateTranslationInput!) {
      updateTranslation(input: $input) { translation { id } }
    }`,
    variables: (fields, asked) => ({
      input: {
        ...translationIn(asked),
        instructionsMarkdown: (fields.get("instructions") ?? "").replaceAll("\r\n", "\n"),
        autoUpdate: fields.has("autoUpdate"),
      },
    }),
    then: here,
  }),
  delete: defineForm({
    mutation: `mutation DeleteTranslationByForm($input: DeleteTranslationInput!) {
      deleteTranslation(input: $input) { deletedId }
    }`,
    variables: (fields, asked) => ({ input: { ...translationIn(asked), deleteResult: fields.has("deleteResult") } }),
    then: (_answer, { named }) => `/app/orgs/${named["org"]}/translations`,
  }),
};

export const translationPage: Page = definePage<Answer>({
  path: "/app/orgs/:org/translations/:translation",
  query: `query OneTranslation($org: ID!, $translation: ID!) {
    organization(id: $org) {
      ...OrganizationFrame
      translation(id: $translation) {
        id language ${stateFields} error nextRunAt autoUpdate instructionsMarkdown permissions { edit }
        source { language space { id title } } result { space { id title } }
        stats { runs totalWords latestWords latestPages latestRunDuration }
        warnings { page message }
      }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org, translation } }) => ({ org, translation }),
  view: (answer, asked) => {
    const { translation } = answer.organization;
    if (!translation) return null;
    const title = translation.result.space?.title ?? translation.source.space.title;
    return organizationPage(answer, { tab: "Translations", title, isLive: true, main: mainOf(translation, asked) });
  },
  forms,
  listens: {
    subscription: `subscription TranslationChanged($translation: ID!) {
      translationEvents(of: { translationId: $translation }) { __typename }
    }`,
    variables: ({ named: { translation } }) => ({ translation }),
  },
});

const mainOf = (translation: Translation, asked: Asked): Html => {
  const { source, result, language, error, nextRunAt, permissions, stats } = translation;
  return html`<h2>${source.space.title} in ${nameOfLanguage(language)}</h2>
    <p>${stateOf(translation)}</p>
    ${error === null ? "" : html`<p class="problem">The last run failed: ${error}</p>`} ${problemOf(asked, "run")}
    ${
      permissions.edit
        ? formOf("run", html`<button>${error === null ? "Translate now" : "Try again now"}</button>`, {
            style: error === null ? "quiet" : "",
          })
        : ""
    }
    ${factsOf([
      ["Source", html`${spaceLink(source.space)}, in ${nameOfLanguage(source.language)}`],
      ["Translated space", result.space ? spaceLink(result.space) : "deleted, or not visible to you"],
      ["Next run", nextRunAt === null ? null : timeOf(nextRunAt)],
      ["Runs", stats.runs],
      ["Latest run", stats.runs === 0 ? null : latestOf(stats)],
      ["Words sent to the engine", stats.totalWords],
    ])}
    ${warningsOf(translation)} ${permissions.edit ? settingsOf(translation, asked) : ""}`;
};

const spaceLink = ({ id, title }: Named): Html => html`<a href="/app/spaces/${id}">${title}</a>`;

const latestOf = ({ latestPages, latestWords, latestRunDuration }: Translation["stats"]): string =>
  `${latestPages} pages, ${latestWords} words, ${latestRunDuration.toFixed(1)} seconds`;

const warningsOf = ({ warnings }: Translation): Html =>
  warnings.length === 0
    ? html``
    : html`<h3>What stays in the language of the source</h3>
        ${tableOf(
          "Warnings",
          ["Page", "Reason"],
          warnings.map(
            ({ page, message }) =>
              html`<tr>
                <td class="wide">${page}</td>
                <td class="wide">${message}</td>
              </tr>`,
          ),
        )}`;

function settingsOf({ instructionsMarkdown, autoUpdate, result }: Translation, asked: Asked): Html {
  const isSent = asked.problem?.form === "settings";
  const isAuto = isSent ? (asked.problem?.fields.has("autoUpdate") ?? false) : autoUpdate;
  const instructions = filled(asked, "settings", "instructions", instructionsMarkdown);
  return html`<h3>Settings</h3>
    ${problemOf(asked, "settings")}
    ${formOf(
      "settings",
      html`<label>
          Instructions, such as the tone
          <textarea name="instructions" rows="4" maxlength="10000">${"\n"}${instructions}</textarea>
        </label>
        <label class="check">
          <input type="checkbox" name="autoUpdate" ${isAuto ? html`checked` : ""} /> Follow each change of the source
        </label>
        <button>Save</button>`,
      { style: "stacked quiet" },
    )}
    ${problemOf(asked, "delete")}
    ${confirmed(
      "Delete this translation…",
      formOf(
        "delete",
        html`<p>The translated space stays as it is, and its source changes without it.</p>
          ${
            result.space
              ? html`<label class="check">
                  <input type="checkbox" name="deleteResult" /> Delete the space ${result.space.title}, too
                </label>`
              : ""
          }
          <button>Delete the translation</button>`,
        { style: "danger" },
      ),
    )}`;
}
